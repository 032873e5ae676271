// A wall board: nobody touches it. It stays awake, finds its way back by itself, and takes new pages
// of the house a few times a day.
(() => {
  "use strict";
  const root = document.documentElement;
  const board = document.getElementById("main");
  const RELOAD_AFTER = 6 * 60 * 60 * 1000; // milliseconds; and up to a quarter more, not all at once
  const TURN = 12_000; // milliseconds for which some of many tables are shown
  const MARGIN = 24; // pixels below the last of them
  const HIDDEN = 5000; // a board behind another page goes on, more slowly

  // More tables than the screen holds are shown in turn: nobody is there to scroll.
  let turn = 0;
  const fits = (tables) => {
    const rules = board.querySelector(".wall-rules")?.offsetHeight ?? 0;
    const all = tables.filter((each) => each.getBoundingClientRect().bottom + scrollY <= innerHeight - rules - MARGIN);
    return Math.max(1, all.length);
  };
  const turned = () => {
    const tables = [...board.querySelectorAll(".wall-table")];
    tables.forEach((each) => { each.hidden = false; });
    const many = fits(tables);
    const turns = Math.ceil(tables.length / many);
    if (turns < 2) return;
    turn %= turns;
    tables.forEach((each, place) => { each.hidden = Math.floor(place / many) !== turn; });
  };
  setInterval(() => { turn += 1; turned(); }, TURN);
  window.addEventListener("resize", turned);

  const live = window.live({
    address: () => board.dataset.live,
    etag: board.dataset.etag,
    shown: (html) => {
      board.innerHTML = html;
      turned();
    },
    line: (state) => { root.dataset.line = state; },
    hidden: HIDDEN,
  });

  turned();
  document.fonts?.ready.then(turned);

  // Where the browser has it (HTTPS or localhost); else the screen's own settings keep it awake.
  const wake = () => { if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {}); };
  document.addEventListener("visibilitychange", wake);
  wake();

  window.addEventListener("pageshow", (event) => { if (event.persisted) live.ask(); });
  setTimeout(function fresh() {
    if (root.dataset.line === "online") location.reload();
    else setTimeout(fresh, 60_000);
  }, RELOAD_AFTER * (1 + Math.random() / 4));
})();
