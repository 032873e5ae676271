// Acts of a second person: approving, rejecting, witnessing, disputing, deciding, a handover. They are
// signed by whoever is there now, so none waits on a device: one goes to the house, or it does not.
(() => {
  "use strict";
  const { floor } = window;
  const { board } = floor;

  const stop = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  // Before htmx sees it; queue.js has taken what is recorded.
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("#board form[data-command]");
    if (!form) return;
    if (floor.flying) {
      stop(event);
      return floor.taps.refuse("sayUntakenSending");
    }
    if (document.documentElement.dataset.line === "offline") {
      stop(event);
      return floor.say(board.dataset.sayRefused, board.dataset.saySecond, { alarm: true });
    }
    if (floor.queue.waiting().length) {
      stop(event);
      return floor.say(board.dataset.sayRefused, board.dataset.saySecondLater, { alarm: true });
    }
    if (floor.polling) floor.polling.onabort = null; // htmx ends it for the command's sake: nothing went wrong
    form.elements.command_id.value = floor.newId();
    floor.flying = { direct: true, form, typed: floor.typedFor(form) };
    floor.sentOff(form);
    floor.state("sending");
    floor.say(board.dataset.saySending, board.dataset.saySendingMore);
    floor.draw();
    return undefined;
  }, true);

  board.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.verb !== "get") event.detail.headers["X-CSRFToken"] = floor.send.token();
  });

  floor.giveUp = (sentence) => {
    floor.flying = null;
    floor.reset();
    floor.state("");
    floor.draw();
    floor.say(board.dataset.sayRefused, sentence, { alarm: true });
  };
})();
