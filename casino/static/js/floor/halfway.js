// What is half entered outlives the page: a tablet that falls asleep in mid-throw may load it anew.
//
// It is laid into the window's own store when nobody looks any more, and taken out by the page that
// comes next, if the table stands as it did then; else the page says that it was dropped. An entry
// with more than fields registers, beside what board.js names:
//   keeps()          what has been entered, as JSON has it; nothing: null
//   restores(kept)   and puts it back
(() => {
  "use strict";
  const { floor } = window;
  const { board } = floor;
  const PLACE = "home-throw-halfway";
  const { game, who } = board.dataset;

  const open = () => floor.all("details[open]").map(({ id }) => id).filter(Boolean);

  const lay = () => {
    try {
      if (!floor.dirty() || floor.flying) return sessionStorage.removeItem(PLACE);
      const entries = floor.entries.map((entry) => entry.keeps?.() ?? null);
      return sessionStorage.setItem(PLACE, JSON.stringify({ game, who, stands: floor.play().dataset.stands, fields: floor.typed(), open: open(), entries }));
    } catch {
      return undefined; // a browser that keeps nothing: what is half entered is typed again
    }
  };

  const taken = () => {
    try {
      const kept = JSON.parse(sessionStorage.getItem(PLACE));
      return kept?.game === game && kept.who === who ? kept : null;
    } catch {
      return null;
    }
  };
  const forget = () => {
    try {
      sessionStorage.removeItem(PLACE);
    } catch {
      // as above
    }
  };

  let kept = taken();

  const putBack = () => {
    kept.open.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
    floor.putBack(kept.fields, true);
    floor.entries.forEach((entry, place) => { if (kept.entries[place]) entry.restores?.(kept.entries[place]); });
    floor.draw();
  };

  // `last`: nothing that waits on this device will change the board any more.
  const restore = (last) => {
    if (!kept) return;
    const stands = floor.play().dataset.stands === kept.stands;
    if (stands && !floor.dirty()) putBack();
    else if (!stands && !last) return;
    else if (!stands) floor.say(board.dataset.sayMoved, board.dataset.sayMovedMore);
    kept = null;
    forget();
  };

  document.addEventListener("visibilitychange", () => { if (document.hidden) lay(); });
  window.addEventListener("pagehide", lay);
  // What somebody enters now counts for more than what they entered before.
  board.addEventListener("input", () => { kept = null; });

  floor.halfway = { restore };
})();
