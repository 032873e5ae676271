// Dice, face by face: a tap puts a die in its place, the last one sends the throw.
(() => {
  "use strict";
  const { floor, taps } = window;
  const { find, all } = floor;
  const TEN = 10;

  let entered = []; // faces tapped for the throw under way
  let ten = false; // "." was typed: the next figure counts from ten

  const form = () => find("[data-entry-dice]");
  const slots = () => all(".slot");
  const sides = () => slots()[entered.length]?.dataset.sides;
  const keys = () => find(`[data-keys="${sides() ?? slots().at(-1)?.dataset.sides}"]`);
  const key = (size, face) => find(`#key-${size}-${face}`);
  const full = () => entered.length > 0 && entered.length === slots().length;
  const confirm = () => find("[data-dice-confirm]");

  const draw = () => {
    slots().forEach((slot, place) => {
      const face = entered[place];
      const filled = face !== undefined;
      if (slot.dataset.shows !== String(face)) {
        const shown = slot.querySelector("svg");
        slot.emptyPlace ??= shown;
        shown.replaceWith(filled ? key(slot.dataset.sides, face).querySelector("svg").cloneNode(true) : slot.emptyPlace);
        slot.dataset.shows = String(face);
      }
      slot.disabled = !filled || Boolean(floor.flying);
      slot.classList.toggle("slot-next", place === entered.length && !floor.flying);
      slot.setAttribute("aria-label", filled ? slot.dataset.filledLabel.replace("##", face) : slot.dataset.emptyLabel);
    });
    all("[data-keys]").forEach((each) => { each.hidden = each !== keys(); });
    all(".keys [data-face]").forEach((each) => each.setAttribute("aria-disabled", Boolean(floor.flying)));
    form()?.classList.toggle("dice-full", full());
    if (confirm()) confirm().disabled = !full() || Boolean(floor.flying);
    const word = find("[data-undo-word]");
    if (word) {
      word.dataset.ownWord ??= word.textContent;
      word.textContent = entered.length ? word.dataset.dieWord : word.dataset.ownWord;
    }
    find("#undo-what")?.classList.toggle("undo-waits", entered.length > 0);
  };

  const strike = (button) => {
    if (!button) return;
    button.classList.add("key-struck");
    setTimeout(() => button.classList.remove("key-struck"), 120);
  };

  const tap = (face) => {
    ten = false;
    floor.queue?.settle(); // what was sent last is shown first: this die is of the next throw
    if (floor.flying) return taps.refuse("sayUntakenSending");
    if (full()) return taps.refuse("sayUntakenFull");
    if (!form() || !key(sides(), face)?.checkVisibility()) return taps.refuse("sayUntakenFace");
    taps.rest();
    floor.closeMenus();
    if (!entered.length) floor.say("");
    strike(key(sides(), face));
    entered.push(face);
    draw();
    if (full() && !confirm()?.checkVisibility()) form().requestSubmit();
    return undefined;
  };

  const takeBack = (place = entered.length - 1) => {
    ten = false;
    if (floor.flying || place < 0 || place >= entered.length) return;
    // Where the places differ in size, what came after goes too: it was thrown with another die.
    const mixed = all("[data-keys]").length > 1;
    entered.splice(place, mixed ? entered.length : 1);
    taps.rest();
    floor.say(""); // what was said of the throw holds no longer
    draw();
  };

  // Also into the form of a no throw: what was seen of it.
  const fill = (sent) => {
    const fields = sent.querySelector("[data-dice-fields]");
    fields?.replaceChildren(...entered.map((value, place) => Object.assign(document.createElement("input"), {
      type: "hidden", value, name: fields.dataset.diceFields || slots()[place].dataset.field,
    })));
  };

  floor.entries.push({
    draw,
    fill,
    // Where dice are confirmed they stay after a refusal: one of them, or the words beside them, is wrong.
    reset: (refused) => {
      if (!refused || !confirm()) entered = [];
      ten = false;
    },
    dirty: () => entered.length > 0,
    half: () => entered.length > 0 && !full() && !confirm()?.checkVisibility(),
    keep: () => (entered.length ? entered : null),
    restore: (faces) => { if (form()) entered = faces.slice(0, slots().length); },
    owns: (sent) => sent === form(),
    ready: full,
    digit: (figure) => {
      if (!form()) return false;
      tap(ten || figure === 0 ? TEN + figure : figure);
      return true;
    },
    point: () => {
      ten = Boolean(form()) && Number(sides()) > TEN;
      return ten;
    },
    back: () => {
      if (!entered.length) return false;
      takeBack();
      return true;
    },
  });

  document.addEventListener("click", (event) => {
    const face = event.target.closest("#board [data-face]");
    const slot = event.target.closest("#board [data-slot]");
    // A finger leaves no focus behind: Enter after it means "stand", not the same die again.
    if ((face || slot) && event.detail > 0) floor.play().focus({ preventScroll: true });
    if (face && form()) tap(Number(face.dataset.face));
    else if (slot) takeBack(Number(slot.dataset.slot));
    else if (event.target.closest("[data-undo]") && entered.length) {
      event.preventDefault();
      takeBack();
    }
  });
})();
