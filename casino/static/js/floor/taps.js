// Every tap and every key of an entry is taken, or refused in sight: a die that was lost would move all
// that follow to the next throw.
//
// Once something was refused nobody knows with which die the hand goes on: what is entered then is looked
// at before it is recorded. So it is until somebody has looked, or has tapped nothing for a while. What
// is half entered and left alone for that while is taken off: the next face is a first one.
//
// Keys are the table's after it was touched or come to on purpose, and not for a moment after somebody
// has lost a field that they wrote in: what they go on typing was meant for it.
//
// This script is not deferred: it hears what is tapped before the others have come.
window.taps = (() => {
  "use strict";
  const LEFT_ALONE = 8000; // milliseconds
  const AFTER_FIELD = 1000;
  const OPENED_BY_NUMBER = "home-throw-opened-by-number"; // hall.js: digits that were typed there

  const board = () => document.getElementById("board");
  const ready = () => board()?.hasAttribute("data-ready") ?? false;
  const writes = (element) => Boolean(element?.matches?.(
    "textarea, select, input:not([type=hidden], [type=radio], [type=checkbox], [type=button], [type=submit])"));

  // --- Taken, refused, left alone ------------------------------------------------------------------

  let doubted = false;
  let early = false; // something was tapped before anybody could hear it
  let timer = 0;

  const rest = () => {
    clearTimeout(timer);
    timer = setTimeout(leave, LEFT_ALONE);
  };

  // A question beside the dice, which Enter answers, too.
  const ask = (word, label, act) => {
    const strong = Object.assign(document.createElement("b"), { textContent: word });
    const button = Object.assign(document.createElement("button"), { type: "button", className: "button look-again", textContent: label });
    button.dataset.enter = "";
    button.addEventListener("click", act);
    window.floor.sayAgain([strong, button], false);
  };
  const asks = () => board().querySelector("#say [data-enter]");

  const tell = (why) => {
    window.floor.say(board().dataset.sayUntaken, board().dataset[why], { alarm: true });
  };
  const refuse = (why) => {
    doubted = true;
    rest();
    if (asks()) window.floor.find("#say").classList.add("say-alarm"); // the question stays, and is urgent
    else tell(why);
  };

  function leave() {
    const { floor } = window;
    if (floor.flying || board().querySelector("details.menu[open]")) {
      rest();
      return;
    }
    if (!asks()) doubted = false;
    if (!floor.entries.some((entry) => entry.half?.())) return;
    const kept = floor.entries.map((entry) => entry.keep?.() ?? null);
    const { stands } = floor.play().dataset;
    floor.reset();
    floor.draw();
    const { sayLeft, sayLeftOn } = board().dataset;
    ask(sayLeft, sayLeftOn, () => {
      if (floor.play().dataset.stands !== stands) return;
      floor.entries.forEach((entry, place) => { if (kept[place]) entry.restore?.(kept[place]); });
      floor.say("");
      floor.draw();
      rest();
    });
  }

  // --- Whose the keys are --------------------------------------------------------------------------

  let writing = null; // the field that somebody writes in, and has not left
  let ours = true;
  let lost = -AFTER_FIELD; // when one went away from under the keys
  let tabbed = false;

  const lose = () => {
    lost = performance.now();
    writing = null;
    ours = false;
  };
  // Whoever types on types on for the field.
  const isLost = () => {
    if (writing && document.activeElement !== writing) lose();
    const still = performance.now() - lost < AFTER_FIELD;
    if (still) lost = performance.now();
    return still;
  };
  const come = () => {
    writing = null;
    ours = true;
  };
  const atTable = (element) => Boolean(element.closest?.("#board")) && !element.closest(".menu-body");

  document.addEventListener("focusin", ({ target }) => {
    if (writes(target)) [writing, ours] = [target, false];
    else if (tabbed && atTable(target)) come();
  }, true);
  document.addEventListener("pointerdown", ({ target }) => {
    tabbed = false;
    if (!ready() && target.closest(".entry")) early = true;
    if (writes(target)) return;
    writing = null;
    if (atTable(target)) come();
  }, true);
  document.addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
    tabbed = key === "Tab";
    if (key === "Escape") come();
    else if (tabbed) writing = null;
    else if (writes(target)) [writing, ours] = [target, false];
    else if (!ready() && key.length === 1 && !ctrlKey && !metaKey && !altKey) early = true;
  }, true);
  document.addEventListener("submit", () => { writing = null; }, true);
  document.addEventListener("close", ({ target }) => {
    if (writing && target.contains(writing)) lose();
    else come();
  }, true);

  try {
    if (sessionStorage.getItem(OPENED_BY_NUMBER)) lost = performance.now();
    sessionStorage.removeItem(OPENED_BY_NUMBER);
  } catch {
    // a browser that keeps nothing
  }

  return {
    ask,
    asks,
    refuse,
    rest,
    lose,
    come,
    writing: () => (writes(document.activeElement) ? document.activeElement : null),
    // Is a key for the table? Where nobody left the field they wrote in, it went away from under them.
    hears: () => !isLost() && ours,
    isLost,
    doubt: () => {
      doubted = true;
      rest();
    },
    isDoubted: () => doubted,
    trust: () => { doubted = false; },
    isAsked: (parts) => parts.some((each) => each.dataset?.enter !== undefined),
    again: () => { if (doubted && !board().querySelector("#say")?.childNodes.length) tell("sayUntakenFirst"); },
    // The scripts are there.
    begin: () => { if (early) refuse("sayUntakenEarly"); },
  };
})();
