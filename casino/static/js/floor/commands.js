// Commands on their way: one at a time, each with an id of its own. Until the house has answered,
// the page says "sending"; what the house recorded is drawn only from its answer. A command that
// got no answer is sent again under the same id, so it counts once.
(() => {
  "use strict";
  const { floor } = window;
  const { board } = floor;
  const AGAIN_AFTER = 2000;

  const newId = () => {
    // crypto.randomUUID is absent on a plain-HTTP address in the house's own network.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  };

  const incomplete = (form) => floor.entries.some((entry) => entry.owns?.(form) && !entry.ready(form));

  // Before htmx sees it.
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("#board form[data-command]");
    if (!form) return;
    const { flying } = floor;
    const mine = flying?.form === form;
    if ((flying && !(mine && flying.again)) || incomplete(form)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    if (floor.polling) floor.polling.onabort = null; // htmx ends it for the command's sake: nothing went wrong
    if (!mine) {
      form.elements.command_id.value = newId();
      floor.entries.forEach((entry) => entry.fill?.(form));
      floor.flying = { form, submitter: event.submitter, again: 0, typed: floor.typed() };
    }
    clearTimeout(floor.flying.again);
    floor.flying.again = 0;
    floor.state("sending");
    floor.say(board.dataset.saySending, board.dataset.saySendingMore);
    floor.draw();
  }, true);

  floor.sendAgain = (sentence) => {
    const { flying } = floor;
    if (!flying) return;
    floor.state("unsent");
    floor.say(board.dataset.sayUnsent, sentence, { alarm: true });
    flying.again = setTimeout(() => floor.flying?.form.requestSubmit(flying.submitter), AGAIN_AFTER);
  };

  floor.giveUp = () => {
    floor.flying = null;
    floor.reset();
    floor.state("");
    floor.draw();
    floor.say(board.dataset.sayRefused, board.dataset.sayRefusedMore, { alarm: true });
  };
})();
