// What this device foresees: the bundle of the game's ruleset (window.offline), told what the house
// gave ahead, and told again whenever there is more. It is kept, so that a page that is started
// without a line goes on from it.
//
// What is given ahead: {ruleset, version, events: [{number, …}], given, words}; news is the same from
// a version on. Without a bundle, or where it fails, nothing is foreseen and the house is waited for.
(() => {
  "use strict";
  const { floor } = window;
  const { board, store } = floor;
  const { game, who, offline: address } = board.dataset;
  const KEEP_AFTER = 1000; // milliseconds
  const ASKED_WITHIN = 8000;

  let whole = null; // all that was given ahead so far
  let broken = false;
  let asking = null;
  let keeping = 0;

  const safely = (act) => {
    try {
      return act();
    } catch (failure) {
      broken = true;
      console.error(failure); // a fault of ours: the page goes on as without foresight
      return null;
    }
  };

  const keep = (after = KEEP_AFTER) => {
    clearTimeout(keeping);
    keeping = setTimeout(() => {
      if (whole && !broken) store.keepGame({ game, who, version: whole.version, given: whole }).catch(() => {});
    }, after);
  };

  const start = (given) => {
    whole = given;
    broken = false;
    safely(() => window.offline.start(given));
  };

  // News that overlaps what is known is cut; news that leaves a gap is none.
  const learn = (news) => {
    if (!news || !window.offline || broken) return;
    if (!whole || news.version < whole.version) {
      if (news.events.length === news.version) start(news);
      else whole = null; // the book has gone back: asked for from the beginning
      return;
    }
    const fresh = news.events.filter(({ number }) => number > whole.version);
    if (fresh.length !== news.version - whole.version) return;
    whole = { ...whole, ...news, events: [...whole.events, ...fresh] };
    safely(() => window.offline.learn({ ...news, events: fresh }));
    keep();
  };

  const ask = async () => {
    const after = whole?.version ?? 0;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), ASKED_WITHIN);
    try {
      const reply = await window.askHouse.itself(`${address}?after=${after}`, { signal: stop.signal, headers: { "HX-Request": "true" } });
      const news = reply.status === 200 ? await reply.json() : null;
      // An answer to a command may have been quicker and known more.
      if (news && !(whole?.version > Math.max(after, news.version))) learn(news);
      if (!whole && after) await ask();
    } catch {
      // no line: what is known has to do
    } finally {
      clearTimeout(timer);
    }
  };

  floor.foresight = {
    version: () => (whole && !broken ? whole.version : 0),
    // Up to the version that the page shows, nothing less: else a tap would be foreseen on old ground.
    ready: (version) => Boolean(window.offline && whole && !broken && whole.version >= version),
    learn,
    // Is it known what came of this command? A poll may bring it before the command's own answer.
    knows: (command) => Boolean(whole && !broken && whole.events.some(({ command_id: id }) => id === command)),
    // More from the house; asked for once at a time.
    catchUp: () => (address && window.offline && !broken ? (asking ??= ask().finally(() => { asking = null; })) : Promise.resolve()),
    // {html, version, refused, …}, or null: not foreseen
    foresee: (entries) => {
      const seen = safely(() => window.offline.foresee(entries));
      return seen && !seen.unforeseen && seen.html ? seen : null;
    },
    // What an entry pays, where the house wants a second look at it; "": none is needed, or possible.
    look: (entries, entry) => safely(() => window.offline.look(entries, entry)) ?? "",
    begin: async () => {
      if (!address || !window.offline) return;
      const known = await store.game(game).catch(() => null);
      if (known?.who === who) start(known.given);
      if (broken) [whole, broken] = [null, false]; // the bundle cannot go on from what was kept: the house is asked
      await floor.foresight.catchUp();
      keep(0);
    },
  };
})();
