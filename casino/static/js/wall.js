// A wall board: nobody touches it. It walks through its parts, stays awake, finds its way back by
// itself, and takes new pages of the house a few times a day.
(() => {
  "use strict";
  const root = document.documentElement;
  const board = document.getElementById("main");
  const FRAME = "Home-Throw-Frame"; // says to which page an answer belongs
  const RELOAD_AFTER = 6 * 60 * 60 * 1000; // milliseconds; and up to a quarter more, not all at once
  const SOON = 20_000; // and up to as much again, to load a page that is another by now
  const AGAIN = 60_000;
  const USUAL = 12; // seconds of a part
  const HIDDEN = 5000; // a board behind another page goes on, more slowly
  const ACROSS = { wide: [1, 2, 3, 2, 3, 3], tall: [1, 1, 1, 1, 1, 2] }; // columns for 1 to 6 tables

  // A part that holds more tables than can be read from afar has as many pages as it takes.
  const ROOM = 6;
  const pagesOf = (part) => {
    const tables = [...part.querySelectorAll(".wall-table")];
    const many = Math.max(1, Math.ceil(tables.length / ROOM));
    const each = Math.ceil(tables.length / many);
    return Array.from({ length: many }, (_, page) => ({ part, tables, from: page * each, to: (page + 1) * each }));
  };
  const show = ({ part, tables, from, to }) => {
    const shown = tables.filter((table, place) => {
      table.hidden = place < from || place >= to;
      return !table.hidden;
    });
    const columns = innerWidth >= innerHeight ? ACROSS.wide : ACROSS.tall;
    if (shown.length) part.querySelector(".wall-tables").style.setProperty("--across", columns[shown.length - 1]);
  };

  // As large as its room takes, however much the house has to say there. What stands beside a
  // running game is left out where it could not be read.
  const [MOST, LEAST, BESIDE, SLACK] = [1.5, 0.5, 0.7, 4]; // times the usual size; pixels, of rounding
  const fit = (thing) => {
    const bounded = [thing, ...thing.querySelectorAll(".wall-card, .wall-card > div, .wall-of-game")];
    const overflows = () => bounded.some((each) => each.scrollHeight > each.clientHeight + SLACK || each.scrollWidth > each.clientWidth + SLACK);
    const aside = thing.closest(".wall-aside");
    let size = MOST;
    thing.style.setProperty("--fit", size);
    while (size > (aside ? BESIDE : LEAST) && overflows()) thing.style.setProperty("--fit", size -= 0.05);
    if (aside) aside.style.visibility = overflows() ? "hidden" : "";
  };

  let turn = 0;
  const walk = () => {
    for (const walked of board.querySelectorAll(".wall-walk")) {
      const parts = [...walked.querySelectorAll(":scope > .wall-part")];
      const pages = parts.flatMap(pagesOf);
      if (!pages.length) continue;
      const now = pages[turn % pages.length];
      parts.forEach((part) => { part.hidden = part !== now.part; });
      show(now);
    }
    board.querySelectorAll(".wall-fits").forEach((thing) => { if (thing.checkVisibility?.() ?? true) fit(thing); });
  };
  const seconds = () => Number(board.querySelector(".wall-walk")?.dataset.seconds) || USUAL;
  (function next() {
    setTimeout(() => { turn += 1; mark(); walk(); next(); }, seconds() * 1000);
  })();
  window.addEventListener("resize", walk);

  // Whose points have changed is marked for a while, also where their part is shown only later.
  const FRESH = 60_000;
  const points = new Map(); // by line: the points, and until when they are new
  const mark = () => {
    const now = performance.now();
    const first = !points.size;
    for (const line of board.querySelectorAll("[data-rank]")) {
      const { rank, points: won } = line.dataset;
      const known = points.get(rank);
      if (known?.won !== won) points.set(rank, { won, until: first ? 0 : now + FRESH });
      line.classList.toggle("is-fresh", points.get(rank).until > now);
    }
  };

  const live = window.live({
    address: () => board.dataset.live,
    etag: board.dataset.etag,
    shown: (html, answer) => {
      board.innerHTML = html;
      mark();
      walk();
      const frame = answer.headers.get(FRAME);
      if (frame && frame !== board.dataset.frame) {
        board.dataset.frame = frame;
        fresh(SOON);
      }
    },
    line: (state) => {
      if (root.dataset.line === state) return;
      root.dataset.line = state;
      walk(); // what says so takes room
    },
    hidden: HIDDEN,
  });
  mark();
  walk();
  document.fonts?.ready.then(walk);

  // The page is loaded anew only once the house has sent it: a browser that is given an error page
  // stays on it.
  function fresh(after) {
    setTimeout(async () => {
      const sent = await window.askHouse.itself(location.href, { cache: "no-store", redirect: "error" }).catch(() => null);
      if (sent?.ok && root.dataset.line === "online") location.reload();
      else fresh(AGAIN);
    }, after * (1 + Math.random()));
  }
  setTimeout(() => fresh(0), RELOAD_AFTER * (1 + Math.random() / 4));

  // Where the browser has it (HTTPS or localhost); else the screen's own settings keep it awake.
  const wake = () => { if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {}); };
  document.addEventListener("visibilitychange", wake);
  wake();

  window.addEventListener("pageshow", (event) => { if (event.persisted) live.ask(); });
})();
