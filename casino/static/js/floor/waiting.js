// What waits on this device, counted in the bar on top; and what is to be said or asked about it, one
// thing at a time, above the keys (templates/floor/tables/_waiting.html, _asks.html).
(() => {
  "use strict";
  const { floor } = window;
  const { store, send } = floor;
  const MINUTE = 60_000;
  const CLEARED_WITHIN = 1500; // milliseconds; a sign-out does not wait longer for what it clears

  const menu = document.getElementById("menu-waiting");
  const bar = document.getElementById("asks");
  const page = document.querySelector("[data-who]").dataset;
  const troubles = new Map(); // game -> {kind, sentence, name}
  const notices = []; // {kind, count, whose, what}: said until somebody has seen it

  let waiting = []; // of all games, each in its order
  let stored = []; // the same as the store had it last: what is just being taken down is not in it
  let looking = false; // somebody wants to see the table before they decide
  let knows = ""; // why nothing is kept, once it was read

  const filled = (text, { count = 0, whose = "", what = "" }) => text.replaceAll("##", count).replaceAll("%%", whose).replace("++", what);
  const counted = ({ one, more }, holes) => filled(holes.count === 1 ? one : more, holes);
  const ours = () => waiting.filter(({ game }) => game === send.here);
  const ofOne = (entries) => entries.filter(({ by }) => by === entries[0].by); // one person after the other
  // What somebody else has made here, and this supervisor may take over; of one person, in all games.
  const left = () => ofOne(waiting.filter(({ by, house, taken }) => by !== send.who && house === page.takesOver && taken?.by !== send.who));
  const find = (selector, within = bar) => within.querySelector(selector);

  // By the house's clock, as the house writes it, whatever the page's language and the device's zone.
  const clockOf = ({ locale, zone: timeZone }) => {
    const written = (hour) => new Intl.DateTimeFormat(locale, { hour, minute: "2-digit", timeZone });
    const short = written("numeric");
    return short.resolvedOptions().hour12 ? short : written("2-digit");
  };
  const clock = clockOf(menu.dataset);

  // --- Counted ---------------------------------------------------------------------------------------

  const age = (entries) => {
    const { now, minutes, hours, days } = menu.dataset;
    const minutesOld = Math.floor((Date.now() - Math.min(...entries.map(({ at }) => Date.parse(at)))) / MINUTE);
    if (minutesOld < 1) return now;
    if (minutesOld < 60) return minutes.replace("##", minutesOld);
    return minutesOld < 2880 ? hours.replace("##", Math.floor(minutesOld / 60)) : days.replace("##", Math.floor(minutesOld / 1440));
  };

  const line = ({ words, at, sentence, state }) => {
    const item = document.createElement("li");
    const time = document.createElement("time");
    [time.dateTime, time.textContent] = [at, clock.format(new Date(at))];
    item.append(time, " ", words, state === "refused" ? ` – ${sentence}` : "");
    return item;
  };

  const link = (entries) => {
    const { elsewhereOne: one, elsewhereMore: more } = menu.dataset;
    const anchor = document.createElement("a");
    anchor.className = "button";
    anchor.href = entries[0].page;
    anchor.textContent = counted({ one, more }, { count: entries.length, whose: entries[0].table });
    return anchor;
  };

  const drawLeft = () => {
    const form = find("[data-take-over]", menu);
    if (!form) return;
    const entries = left();
    form.hidden = !entries.length;
    if (form.hidden) return;
    const holes = { count: entries.length, whose: entries[0].name };
    form.querySelectorAll("[data-one]").forEach((each) => { each.textContent = counted(each.dataset, holes); });
  };

  const drawCount = () => {
    menu.hidden = !waiting.length;
    if (menu.hidden) {
      menu.open = false;
      return;
    }
    find("[data-waiting-count]", menu).textContent = counted(menu.dataset, { count: waiting.length });
    find("[data-waiting-age]", menu).textContent = age(waiting);
    find("[data-waiting-tab]", menu).hidden = floor.lasting.known !== "tab";
    drawLeft();
    find("[data-waiting-list]", menu).replaceChildren(...ours().map(line));
    const elsewhere = new Map();
    waiting.filter(({ game }) => game !== send.here)
      .forEach((entry) => elsewhere.set(entry.game, [...(elsewhere.get(entry.game) ?? []), entry]));
    find("[data-waiting-elsewhere]", menu).replaceChildren(...[...elsewhere.values()].map(link));
  };

  // --- Asked -----------------------------------------------------------------------------------------

  const first = () => waiting.find((entry) => entry.state === "refused" && (entry.game === send.here || !send.here));

  // The one thing that is to be said now: {kind, count, whose, what, sentence}
  const asked = () => {
    if (notices[0]?.kind === "leaving") return notices[0];
    const entries = send.here ? ours() : waiting;
    const refused = first();
    if (refused && refused.by === send.who && entries.length) {
      const behind = entries.filter(({ game, seq }) => game === refused.game && seq > refused.seq).length;
      return { kind: "refused", count: behind + 1, behind, what: refused.words, sentence: refused.sentence, entry: refused };
    }
    const held = ofOne(entries.filter(({ by, state }) => by !== send.who && state !== "aside"));
    const found = troubles.get(entries[0]?.game) ?? {};
    if (entries.length && found.kind === "signed-out") return { kind: "signed-out", count: entries.length, whose: entries[0].name };
    if (held.length) return { kind: "other", count: held.length, whose: held[0].name };
    if (entries.length && ["unknown", "forbidden"].includes(found.kind)) return { ...found, count: entries.length };
    if (notices.length) return notices[0];
    if (floor.unkept) return knows !== floor.unkept ? { kind: floor.unkept } : null;
    // At a table nobody reads about home screens.
    return !send.here && floor.lasting.isToBeTold() ? { kind: "tab", behind: waiting.length } : null;
  };

  const drawAsked = () => {
    if (!bar) return;
    const now = asked();
    const before = bar.dataset.shows;
    bar.hidden = !now;
    bar.dataset.shows = now?.kind ?? "";
    bar.classList.toggle("is-looking", looking && now?.kind === "refused");
    bar.querySelectorAll("[data-ask]").forEach((each) => { each.hidden = each.dataset.ask !== now?.kind; });
    if (!now) return;
    const shown = find(`[data-ask="${now.kind}"]`);
    shown.querySelectorAll("[data-fill]").forEach((each) => { each.textContent = filled((!now.whose && each.dataset.plain) || each.dataset.fill, now); });
    shown.querySelectorAll("[data-one]").forEach((each) => {
      each.textContent = counted(each.dataset, each.dataset.behind === undefined ? now : { count: now.behind });
      each.hidden = each.dataset.behind !== undefined && !now.behind;
    });
    shown.querySelectorAll("[data-sentence]").forEach((each) => { each.textContent = now.sentence ?? ""; });
    if (before !== now.kind) bar.querySelectorAll("details[open]").forEach((each) => { each.open = false; });
  };

  // The board is drawn anew around it: it stands above the keys of whichever is there.
  const place = () => {
    const main = document.querySelector("#board #main");
    if (!main || !bar || bar.parentElement === main) return;
    const focused = bar.contains(document.activeElement) ? document.activeElement : null;
    main.insertBefore(bar, find(":scope > .entry, :scope > .over, :scope > .say, :scope > .actions", main));
    focused?.focus({ preventScroll: true });
  };

  // Of this game the queue knows at once.
  const count = () => {
    const here = floor.queue?.waiting();
    waiting = here ? [...here, ...stored.filter(({ game }) => game !== send.here)] : stored;
    drawCount();
    drawAsked();
  };
  const draw = async () => {
    stored = await store.waiting();
    count();
  };

  // --- Decided ---------------------------------------------------------------------------------------

  const done = async (game) => {
    looking = false;
    send.changed(game);
    await floor.queue?.again();
    send.game(game);
  };
  const back = (entries, as) => store.change(entries, { state: "waiting", as, code: "", sentence: "" });

  const setAside = async (held, more = {}) => {
    await store.change(held, { state: "aside", ...more });
    for (const game of new Set(held.map((entry) => entry.game))) await done(game);
  };

  const decided = {
    drop: async ({ entry }) => {
      await back([entry], "dropped");
      await done(entry.game);
    },
    late: async ({ entry }) => {
      await back(waiting.filter(({ game, by, seq }) => game === entry.game && by === send.who && seq >= entry.seq), "late");
      await done(entry.game);
    },
    aside: async () => {
      await setAside(ofOne(waiting.filter(({ by, state }) => by !== send.who && state !== "aside")));
    },
    take: () => {
      menu.open = true;
      find("[data-take-over] input", menu).focus();
    },
    look: () => { looking = true; },
    decide: () => { looking = false; },
    ok: ({ kind }) => {
      if (kind === "tab") floor.lasting.wasTold();
      else if (kind === floor.unkept) knows = kind;
      else notices.shift();
    },
    leave: () => leave(notices.shift().form),
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-queue]");
    const now = button && asked();
    if (!now) return;
    await decided[button.dataset.queue](now);
    draw();
  });

  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("[data-take-over]");
    if (!form) return;
    event.preventDefault();
    const why = form.elements.why.value.trim();
    if (!why) return;
    const held = left();
    form.reset();
    menu.open = false;
    await setAside(held, { taken: { by: send.who, why } });
    draw();
  });

  // --- Signing out: what belongs to the session goes, what waits stays -------------------------------

  const leave = async (form) => {
    await Promise.race([store.forget().catch(() => {}), new Promise((resolve) => { setTimeout(resolve, CLEARED_WITHIN); })]);
    form.submit();
  };
  document.addEventListener("submit", (event) => {
    if (!event.target.matches('form[action$="/sign-out/"]')) return;
    event.preventDefault();
    const mine = waiting.filter(({ by }) => by === send.who);
    if (!mine.length || !bar) leave(event.target);
    else notices.unshift({ kind: "leaving", count: mine.length, whose: mine[0].name, form: event.target });
    draw();
  });

  // --- A book that was restored: what this device has sent is sent again ------------------------------

  const restored = async () => {
    const { house, epoch } = page;
    if (!house || !epoch) return;
    const name = `epoch/${house}`;
    const known = await store.counter(name);
    if (known === epoch) return;
    const count = known && Number(known) < Number(epoch) ? await store.reopen(house) : 0;
    await store.count(name, epoch);
    if (count) notices.push({ kind: "again", count });
  };

  document.addEventListener("floor:trouble", ({ detail }) => {
    troubles.set(detail.game, detail);
    drawAsked();
  });
  document.addEventListener("floor:waiting", draw);
  document.addEventListener("floor:shown", () => {
    place();
    count();
  });
  document.addEventListener("floor:answered", ({ detail: { answer, entries } }) => {
    const late = entries.filter(({ ended }) => ended === "late");
    if (!late.length) return;
    const taken = late.some(({ as, state }) => as === "command" && state !== "aside") && !answer.lease?.mine;
    const same = notices.find(({ kind }) => kind === "late");
    if (same) same.count += late.length;
    else notices.push({ kind: "late", count: late.length, whose: taken ? answer.lease.by : "", what: taken ? answer.lease.since : "" });
    draw();
  });
  setInterval(() => { if (waiting.length) drawCount(); }, 10_000);

  floor.asks = { focus: () => bar?.focus(), count };
  const begin = async () => {
    place();
    await restored();
    await store.forgetGames(send.who);
    await draw();
    if (floor.queue) await floor.queue.begin();
    else send.all();
    draw();
    store.prune();
    floor.unkept ??= await store.unkept();
    if (await floor.lasting.ask()) draw();
  };
  document.addEventListener("DOMContentLoaded", begin);
})();
