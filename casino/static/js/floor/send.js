// What waits goes to the house: in order, once each, by one tab at a time, until it is answered.
//
// Any page of the floor sends for all games of this device. What becomes of it is told by events on
// the document: "floor:sent" {game}, "floor:answered" {game, answer, entries}, "floor:trouble" {game,
// kind, sentence}, and "floor:waiting" whenever something in the store has changed, in this tab or in
// another.
//
// kind of trouble: "" none, "offline", "signed-out", "other" (somebody else has to sign in), "unknown"
// (no such game), "forbidden", "broken" (the house answers, but not this; with its sentence)
(() => {
  "use strict";
  const { floor } = window;
  const { store } = floor;
  const AT_MOST = 50; // entries in one request
  const ANSWERED_WITHIN = 8000; // milliseconds
  const LOCKED_FOR = ANSWERED_WITHIN + 4000;
  const LONGEST = 15_000; // milliseconds between two tries
  const OURS_AGAIN = 1000; // until another tab may have done
  const IN_SIGHT = 10_000; // milliseconds after a tap in which its refusal is seen by who tapped
  const SOON = 1000; // milliseconds within which an answer is likely to come
  const REUSED = "seq_reused";

  const tab = String(crypto.getRandomValues(new Uint32Array(2)));
  const who = document.querySelector("[data-who]")?.dataset.who ?? "";
  const here = document.getElementById("board")?.dataset.game ?? "";
  const games = new Map(); // game -> {busy, again, timer, tries, asked: since when}
  const channel = "BroadcastChannel" in window ? new BroadcastChannel("home-throw") : null;

  const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`floor:${name}`, { detail }));
  const changed = (game) => {
    channel?.postMessage({ game });
    tell("waiting", { game });
  };
  channel?.addEventListener("message", ({ data }) => tell("waiting", { ...data, elsewhere: true }));

  const state = (game) => {
    if (!games.has(game)) games.set(game, { busy: false, again: false, timer: 0, tries: 0, asked: null });
    return games.get(game);
  };

  // --- What goes next ------------------------------------------------------------------------------

  const mine = (entry) => entry.by === who;
  // What a supervisor takes over stands aside, and goes in their own name, of one person at a time.
  const sends = (entry) => mine(entry) || Boolean(who && entry.taken?.by === who);
  const heading = (entry) => (mine(entry) ? { by: who } : { by: entry.by, taken_over: entry.taken.why });
  const together = (one, other) => JSON.stringify(heading(one)) === JSON.stringify(heading(other));
  // What was set aside goes once who made it is back: the game has moved on, so to a supervisor.
  const as = (entry) => (entry.state === "aside" ? "late" : entry.as);

  const due = (entries) => {
    const batch = [];
    for (const entry of entries) {
      if (entry.state === "aside" && !sends(entry)) continue;
      if (entry.state === "refused" || !sends(entry) || batch.length === AT_MOST || !together(batch[0] ?? entry, entry)) break;
      batch.push(entry);
    }
    return batch;
  };

  // Why nothing goes although something waits.
  const held = (entries) => {
    const first = entries.find((entry) => entry.state !== "aside");
    return first && first.state !== "refused" && !mine(first) ? { kind: "other", name: first.name } : { kind: "" };
  };

  // Forms that a page has from its store bear the token of another session, or none.
  const token = () => /(?:^|; )(?:__Host-)?csrftoken=([^;]*)/.exec(document.cookie)?.[1]
    ?? document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";

  const post = async (entries) => {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), ANSWERED_WITHIN);
    const after = floor.foresight?.version();
    const said = {
      ...heading(entries[0]),
      entries: entries.map((entry) => ({ seq: entry.seq, term: entry.term, at: entry.at, as: as(entry), form: entry.form })),
      ...(entries[0].game === here && after ? { after } : {}),
    };
    try {
      const asked = window.askHouse(entries[0].url, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRFToken": token(), "HX-Request": "true" },
        body: JSON.stringify(said),
        signal: stop.signal,
      });
      tell("sent", { game: entries[0].game });
      const reply = await asked;
      return { status: reply.status, ...(await content(reply)) };
    } catch {
      return { status: 0 };
    } finally {
      clearTimeout(timer);
    }
  };

  const content = async (reply) => {
    const kind = reply.headers.get("Content-Type") ?? "";
    if (/^application\/(?:problem\+)?json/.test(kind)) return { said: await reply.json() };
    return { text: kind.startsWith("text/plain") ? await reply.text() : "" };
  };

  // --- What became of it ---------------------------------------------------------------------------

  const inSight = (entry, last) => {
    const ago = Date.now() - Date.parse(entry.at); // below zero: the clock was set back since
    return last && entry.game === here && entry.tab === tab && !entry.again && !document.hidden && ago >= 0 && ago < IN_SIGHT;
  };

  const took = async (entries, said) => {
    let reused = false;
    const waiting = (await store.waiting(entries[0].game)).length;
    for (const answer of said.answers) {
      const entry = entries.find(({ seq }) => seq === answer.seq);
      if (!entry) continue;
      const { became, code, sentence } = answer;
      if (became !== "refused" || inSight(entry, waiting === said.answers.length)) {
        await store.close(entry, { became, code, sentence });
        entry.ended = became;
      } else if (code === REUSED) reused = true;
      else await store.change([entry], { state: "refused", code, sentence });
    }
    if (reused) await store.renumber(entries[0].game, said.last_seq);
  };

  const trouble = ({ status, said, text }) => {
    const sentence = said?.sentence ?? said?.detail ?? text ?? "";
    if (!status) return { kind: "offline" };
    if (status === 401) return { kind: "signed-out" };
    if (status === 404) return { kind: "unknown", sentence };
    if (status === 409 && said?.code === "other_attendant") return { kind: "other", sentence };
    if (status === 403) return { kind: "forbidden", sentence };
    return { kind: "broken", sentence };
  };

  // --- One game ------------------------------------------------------------------------------------

  // true: again at once; a number: again after so many milliseconds; false: nothing to do.
  const round = async (game) => {
    const entries = await store.waiting(game);
    const batch = due(entries);
    if (!batch.length) {
      tell("trouble", { game, ...held(entries) });
      return false;
    }
    if (!(await store.lock(`sender/${game}`, tab, LOCKED_FOR))) return OURS_AGAIN;
    state(game).asked = performance.now();
    const reply = await post(batch);
    state(game).asked = null;
    const answered = reply.status === 200 && reply.said?.answers?.length > 0;
    if (!answered) {
      const found = trouble(reply);
      tell("trouble", { game, ...found });
      if (found.kind === "signed-out" || found.kind === "offline") floor.line?.(found.kind);
      return found.kind === "offline" || found.kind === "broken" ? backOff(state(game)) : false;
    }
    state(game).tries = 0;
    floor.line?.("online");
    await took(batch, reply.said);
    tell("trouble", { game, kind: "" });
    tell("answered", { game, answer: reply.said, entries: batch });
    changed(game);
    return true;
  };

  // 1, 2, 4 … seconds, no two devices at the same moment.
  const backOff = (of) => {
    of.tries += 1;
    return Math.min(LONGEST, 500 * 2 ** of.tries) * (0.75 + Math.random() / 2);
  };

  const send = async (game) => {
    const of = state(game);
    clearTimeout(of.timer);
    if (of.busy) {
      of.again = true;
      return;
    }
    of.busy = true;
    let next = true;
    try {
      while (next === true) {
        of.again = false;
        next = await round(game);
        if (next === false && of.again) next = true;
      }
      await store.unlock(`sender/${game}`, tab);
    } finally {
      of.busy = false;
    }
    if (typeof next === "number") of.timer = setTimeout(() => send(game), next);
    else if (of.again) send(game); // kept while the lock was given back: nobody else would send it
  };

  const all = async () => {
    const waiting = await store.waiting();
    for (const game of new Set(waiting.map((entry) => entry.game))) send(game);
  };

  document.addEventListener("floor:line", ({ detail }) => { if (detail === "online") all(); });
  window.addEventListener("online", all);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) all(); });
  window.addEventListener("pageshow", ({ persisted }) => { if (persisted) all(); });

  // Is an answer about this game on its way? It says all that a poll would.
  const awaits = (game) => performance.now() - (state(game).asked ?? -SOON) < SOON;

  floor.send = { tab, who, here, game: send, all, changed, token, awaits };
})();
