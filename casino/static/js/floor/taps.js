// Every tap and every key of an entry is taken, or refused in sight: a die that was lost would move all
// that follow to the next throw.
//
// Once something was refused nobody knows with which die the hand goes on: what is entered then is looked
// at before it is recorded. So it is until somebody has looked, or has tapped nothing for a while. What
// is half entered and left alone for that while is taken off: the next face is a first one.
//
// Keys are the table's after it was touched or come to on purpose, and not for a moment after somebody
// has lost a field that they wrote in, or a sheet of theirs has gone: what they go on typing was meant for it. One that is held down
// says what it says once.
//
// This script is not deferred: it hears what is tapped before the others have come.
window.taps = (() => {
  "use strict";
  const LEFT_ALONE = 8000; // milliseconds
  const AFTER_FIELD = 1000;
  const AFTER_LEAVING = 600; // milliseconds in which nobody has seen yet that their dice were taken off
  const AFTER_UNDO = 600; // milliseconds in which nobody has seen yet that a throw was taken back
  const AFTER_ACT = 600; // nor that something else lies where they have tapped
  const NEAR = 24; // pixels between two taps of one finger
  const CLICKED_WITHIN = 400; // milliseconds from a finger's leaving
  const OPENED_BY_NUMBER = "home-throw-opened-by-number"; // hall.js: digits that were typed there

  const board = () => document.getElementById("board");
  const ready = () => board()?.hasAttribute("data-ready") ?? false;
  const writes = (element) => Boolean(element?.matches?.(
    "textarea, select, input:not([type=hidden], [type=radio], [type=checkbox], [type=button], [type=submit])"));

  // --- Taken, refused, left alone ------------------------------------------------------------------

  let doubted = false;
  let early = false; // something was tapped before anybody could hear it
  let timer = 0;
  let touched = 0; // when, by the clock: a timer sleeps where the device does
  let left = -AFTER_LEAVING; // when dice were last taken off
  let undoing = false; // an undo was taken, and is not shown yet
  let undone = -AFTER_UNDO; // when one was last shown
  let down = -AFTER_LEAVING; // when a finger, the mouse or a key came down

  const rest = (since = Date.now()) => {
    clearTimeout(timer);
    touched = since;
    timer = setTimeout(leave, LEFT_ALONE);
  };
  const wake = () => {
    if (ready() && Math.abs(Date.now() - touched) > LEFT_ALONE) leave();
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
    if (asks()) window.floor.find("#say").classList.add("say-alarm"); // the question stays, and is urgent
    else window.floor.say(board().dataset.sayUntaken, board().dataset[why], { alarm: true });
  };
  const refuse = (why) => {
    doubted = true;
    rest();
    tell(why);
  };

  function leave() {
    const { floor } = window;
    if (floor.flying || document.querySelector("dialog[open], #board details.menu[open]")) {
      rest();
      return;
    }
    if (!asks()) doubted = false;
    if (!floor.entries.some((entry) => entry.half?.())) return;
    const kept = floor.entries.map((entry) => entry.keep?.() ?? null);
    const { stands } = floor.play().dataset;
    floor.reset();
    floor.draw();
    left = performance.now();
    const { sayLeft, sayLeftOn } = board().dataset;
    ask(sayLeft, sayLeftOn, () => {
      if (floor.play().dataset.stands !== stands) return;
      floor.entries.forEach((entry, place) => { if (kept[place]) entry.restore?.(kept[place]); });
      left = -AFTER_LEAVING; // they are seen again
      floor.say("");
      floor.draw();
      rest();
    });
  }

  // A second tap was meant for what lay there at the first, until somebody can have seen what has come
  // in its place: another lot, the dice of the next player. Keys of dice are tapped as fast as one can.
  const stands = () => window.floor?.play()?.dataset.stands; // which loads after this script
  let tap = null; // the last one
  let acted = null; // the last one that has sent something, and since when it is shown
  const second = (event) => {
    if (acted && Math.hypot(event.clientX - acted.x, event.clientY - acted.y) > NEAR) acted = null; // they have gone on
    if (!acted?.shown || down - acted.shown >= AFTER_ACT || acted.stood === stands()) return false;
    event.preventDefault();
    event.stopImmediatePropagation();
    (event.target.closest("[data-face]") ? refuse : tell)("sayUntakenTwice");
    return true;
  };
  document.addEventListener("floor:shown", () => {
    if (acted && !acted.shown && !window.floor.flying) acted.shown = performance.now();
  });

  // What was meant for dice that have just gone does nothing else: not an undo, not a first die.
  const late = (event, at) => {
    if (at - left >= AFTER_LEAVING || performance.now() - left > LEFT_ALONE || event.target.closest?.("dialog, [data-enter]")) return false;
    event.preventDefault();
    event.stopImmediatePropagation();
    refuse("sayUntakenFirst");
    return true;
  };
  // A second tap on Undo was meant for the first throw, too, until somebody can have seen that it is
  // gone. One that takes a die back is another matter.
  const twice = (event) => {
    const { floor } = window;
    if (!ready() || !event.target.closest?.("[data-undo]") || floor.entries.some((entry) => entry.half?.())) return;
    const at = event.isTrusted ? event.timeStamp : down; // a key presses the button when it is heard
    if (!undoing && at - undone >= AFTER_UNDO) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    tell(floor.flying ? "sayUntakenSending" : "sayUntakenUndo");
  };
  document.addEventListener("visibilitychange", () => { if (!document.hidden) wake(); });
  addEventListener("pageshow", ({ persisted }) => { if (persisted) wake(); });
  document.addEventListener("floor:shown", () => {
    if (!undoing || window.floor.flying) return;
    undoing = false;
    undone = performance.now();
  });

  // --- Fingers that no click follows: one that slid, or two at once ----------------------------------

  const CONTROL = "#board :is(button:enabled, label, summary, a[href])";
  let fingers = []; // {touch, control, slides}, until its click

  // What was meant for the game may make the dice another throw's; a link or a line of the log does not.
  const miss = (control) => (control.closest(".entry, .actions") ? refuse : tell)("sayUntakenFinger");

  const ofFinger = (act) => ({ changedTouches }) => [...changedTouches].forEach(act);
  const forget = (finger) => {
    const awaited = fingers.includes(finger);
    fingers = fingers.filter((each) => each !== finger);
    return awaited;
  };
  const fingerOf = ({ identifier }) => fingers.findLast(({ touch }) => touch === identifier);
  const on = (name, hears) => document.addEventListener(name, hears, { capture: true, passive: true });

  on("touchstart", ofFinger(({ identifier: touch, target }) => {
    const control = ready() && target.closest?.(CONTROL);
    if (control && !writes(control.control ?? target)) fingers.push({ touch, control });
  }));
  on("touchmove", ofFinger((touch) => {
    const finger = fingerOf(touch);
    if (finger) finger.slides = true;
  }));
  const lift = ofFinger((touch) => {
    const finger = fingerOf(touch);
    if (finger) setTimeout(() => { if (forget(finger)) miss(finger.control); }, CLICKED_WITHIN);
  });
  on("touchend", lift);
  on("touchcancel", lift);
  // Whoever slides over what scrolls with the finger has meant to.
  on("scroll", ({ target }) => {
    fingers = fingers.filter(({ control, slides }) => !slides || !target.contains(control));
  });
  document.addEventListener("click", (event) => {
    forget(fingers.find(({ control }) => control.contains(event.target)));
    const tapped = event.detail > 0 && board()?.contains(event.target);
    if (tapped && late(event, down)) return;
    if (tapped && !event.target.closest("[data-undo]") && second(event)) return;
    tap = tapped && !event.target.closest("[data-face]")
      ? { x: event.clientX, y: event.clientY, stood: stands() } : null;
    twice(event);
  }, true);

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
  const pauseKeys = () => { lost = performance.now(); };
  // Whoever types on types on for the field.
  const isLost = () => {
    if (writing && document.activeElement !== writing) lose();
    const still = performance.now() - lost < AFTER_FIELD;
    if (still) pauseKeys();
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
  document.addEventListener("pointerdown", ({ target, timeStamp }) => {
    wake();
    down = timeStamp;
    tabbed = false;
    if (!ready() && target.closest(".entry")) early = true;
    if (writes(target)) return;
    writing = null;
    if (atTable(target)) come();
  }, true);
  document.addEventListener("keydown", (event) => {
    const { key, target, repeat, ctrlKey, metaKey, altKey } = event;
    const says = (key.length === 1 || key === "Enter") && !ctrlKey && !metaKey && !altKey && !writes(target);
    if (says && repeat) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    wake();
    down = event.timeStamp;
    if (says && key !== "Enter" && late(event, down)) return;
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
    // Straight from the hall: who has filled in the form of a game meanwhile types no number any more.
    if (sessionStorage.getItem(OPENED_BY_NUMBER) && /\/floor\/(?:\?.*)?$/.test(document.referrer)) pauseKeys();
    sessionStorage.removeItem(OPENED_BY_NUMBER);
  } catch {
    // a browser that keeps nothing
  }

  return {
    ask,
    asks,
    refuse,
    rest,
    touched: () => touched,
    wake,
    lose,
    come,
    // For a moment: whoever types on after a digit that was a sheet's.
    pauseKeys,
    writing: () => (writes(document.activeElement) ? document.activeElement : null),
    // Is a key for the table? Where nobody left the field they wrote in, it went away from under them.
    hears: () => !isLost() && ours,
    isLost,
    doubt: () => {
      doubted = true;
      rest();
    },
    holdUndo: () => { undoing = true; },
    // What was tapped last has sent something.
    act: () => { acted = tap && { ...tap }; },
    // Half a throw was taken off by news: whoever goes on with it may not have seen that yet.
    drop: () => {
      left = performance.now();
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
