// What this device has taken down, kept in its browser until the house has said what became of it.
//
// IndexedDB "home-throw":
//   entries   [game, seq] -> {game, seq, table, house, by, name, term, at, form, id, words, as, state, open: 1}
//             `taken`: {by, why} of a supervisor who takes over what somebody else has made
//             `open` stands as long as the house has not said what became of it; then `done_at` instead
//   games     game -> what the house gave ahead, {game, who, version, given}
//   counters  name -> {name, value}: highest numbers, who is sending, the house's epoch
// Where a browser keeps nothing (private windows, a full disk) the same lives in memory; `unkept` says why.
// The highest number of each game stands in localStorage too: should IndexedDB be wiped, the next
// entry skips what was lost, and the house sees the gap.
window.floor ??= {};
(() => {
  "use strict";
  const { floor } = window;
  const NAME = "home-throw";
  const HIGHEST = "home-throw-highest";
  const OPENS_WITHIN = 3000; // milliseconds; until one that takes longer has opened, memory does
  const KEPT_FOR = 48 * 3600 * 1000; // answered entries: a restored book is given them again
  const KEPT_AT_MOST = 20_000;
  const GAMES_AT_MOST = 200; // whose highest numbers localStorage has

  const answer = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

  const made = ({ target: { result: base } }) => {
    const entries = base.createObjectStore("entries", { keyPath: ["game", "seq"] });
    entries.createIndex("open", "open");
    entries.createIndex("done_at", "done_at");
    base.createObjectStore("games", { keyPath: "game" });
    base.createObjectStore("counters", { keyPath: "name" });
  };

  // --- The two kinds of shelves: `act(write, job)` does a job with one of them, all or nothing -----

  const inBase = (base) => {
    const act = (write, job) => new Promise((resolve, reject) => {
      // While the house hears of an entry at once a lost flush loses nothing.
      const durability = document.documentElement.dataset.line === "offline" ? "strict" : "relaxed";
      const begun = base.transaction(["entries", "games", "counters"], write ? "readwrite" : "readonly", { durability });
      const of = (name) => begun.objectStore(name);
      let value;
      begun.oncomplete = () => resolve(value);
      begun.onabort = begun.onerror = () => reject(begun.error);
      job({
        get: (name, key) => answer(of(name).get(key)),
        put: (name, row) => answer(of(name).put(row)),
        remove: (name, key) => answer(of(name).delete(key)),
        all: (name) => answer(of(name).getAll()),
        open: () => answer(of("entries").index("open").getAll()),
        doneBefore: (time) => answer(of("entries").index("done_at").getAllKeys(IDBKeyRange.upperBound(time))),
        doneAfter: (time) => answer(of("entries").index("done_at").getAll(IDBKeyRange.lowerBound(time, true))),
        done: () => answer(of("entries").index("done_at").getAll()),
      }).then((result) => { value = result; }, (failure) => {
        reject(failure);
        try {
          begun.abort();
        } catch {
          // it has ended by itself
        }
      });
    });
    return { lasting: true, act };
  };

  const inMemory = () => {
    const rows = { entries: new Map(), games: new Map(), counters: new Map() };
    const keyOf = { entries: ({ game, seq }) => `${game} ${seq}`, games: ({ game }) => game, counters: ({ name }) => name };
    const all = (name) => [...rows[name].values()].map((row) => ({ ...row }));
    const byTime = (one, other) => one.done_at - other.done_at;
    const shelf = {
      get: async (name, key) => rows[name].get([key].flat().join(" ")),
      put: async (name, row) => { rows[name].set(keyOf[name](row), { ...row }); },
      remove: async (name, key) => { rows[name].delete([key].flat().join(" ")); },
      all: async (name) => all(name),
      open: async () => all("entries").filter((row) => row.open),
      doneBefore: async (time) => all("entries").filter((row) => row.done_at <= time).map((row) => [row.game, row.seq]),
      doneAfter: async (time) => all("entries").filter((row) => row.done_at > time),
      done: async () => all("entries").filter((row) => row.done_at).sort(byTime),
    };
    let last = Promise.resolve(); // one job after the other, as transactions are
    let moved = null; // into the base, which opened after all
    const next = (job) => (last = last.then(job, job));
    return {
      get lasting() { return Boolean(moved); },
      act: (write, job) => next(() => (moved ? moved.act(write, job) : job(shelf))),
      moveTo: (base) => next(async () => {
        const [entries, counters] = [all("entries"), all("counters").filter(({ name }) => name.startsWith("seq/"))];
        await base.act(true, async (to) => {
          for (const row of entries) await to.put("entries", row);
          for (const { name, value } of counters) {
            const before = (await to.get("counters", name))?.value ?? 0;
            await to.put("counters", { name, value: Math.max(before, value) });
          }
        });
        moved = base;
      }),
    };
  };

  // A base that opens late has what waits since before this page, and gets what was taken down meanwhile.
  const late = (memory, base) => memory.moveTo(base).then(() => {
    document.dispatchEvent(new CustomEvent("floor:waiting", { detail: { game: floor.send?.here, elsewhere: true } }));
    floor.send?.all();
  }, () => {}); // it takes nothing: all stays in memory, and the page says so

  const opened = () => new Promise((resolve) => {
    let instead = null;
    const memory = () => {
      instead = inMemory();
      resolve(instead);
    };
    const patience = setTimeout(memory, OPENS_WITHIN);
    try {
      const asked = indexedDB.open(NAME, 1);
      asked.onupgradeneeded = made;
      asked.onerror = () => {
        clearTimeout(patience);
        if (!instead) memory();
      };
      asked.onsuccess = () => {
        clearTimeout(patience);
        asked.result.onversionchange = () => asked.result.close();
        const base = inBase(asked.result);
        if (instead) late(instead, base);
        else resolve(base);
      };
    } catch {
      clearTimeout(patience);
      memory();
    }
  });

  let ready = opened();
  let full = false;

  // A disk that is full, or a base that no longer answers: what waits goes on in memory, and the page
  // says that nothing is kept.
  const fallen = async (base) => {
    const memory = inMemory();
    const [entries, counters] = await base.act(false, (shelf) => Promise.all([shelf.open(), shelf.all("counters")])).catch(() => [[], []]);
    await memory.act(true, async (shelf) => {
      for (const row of entries) await shelf.put("entries", row);
      for (const row of counters) await shelf.put("counters", row);
    });
    return memory;
  };
  // A job that failed has left nothing behind. Safari closes a base while its tablet sleeps, and a
  // person may clear it: it is opened anew, once.
  const act = async (write, job, { anew = true } = {}) => {
    const shelves = await ready;
    try {
      return await shelves.act(write, job);
    } catch (failure) {
      if (!shelves.lasting) throw failure;
      const noRoom = failure?.name === "QuotaExceededError";
      if (anew && !noRoom) {
        if ((await ready) === shelves) ready = opened();
        return act(write, job, { anew: false });
      }
      if (!write) throw failure;
      full ||= noRoom;
      if ((await ready) === shelves) ready = fallen(shelves);
      return (await ready).act(write, job);
    }
  };

  // --- The highest numbers, kept beside the base ---------------------------------------------------

  const highest = () => {
    try {
      return JSON.parse(localStorage.getItem(HIGHEST)) ?? {};
    } catch {
      return {};
    }
  };
  const reached = (game, seq) => {
    try {
      const { [game]: _before, ...others } = highest();
      const kept = Object.entries(others).slice(1 - GAMES_AT_MOST);
      localStorage.setItem(HIGHEST, JSON.stringify({ ...Object.fromEntries(kept), [game]: seq }));
    } catch {
      // a browser that keeps nothing, and says so
    }
  };

  const bySeq = (one, other) => (one.game === other.game ? one.seq - other.seq : one.at < other.at ? -1 : 1);

  floor.store = {
    // Why nothing of it outlives this window: "full", "unkept" (a private window); "": it does.
    unkept: async () => ((await ready).lasting ? "" : full ? "full" : "unkept"),

    // A number of its own, in one step with being kept; `least`: what the house has heard of.
    add: async (entry, least = 0) => {
      const kept = await act(true, async (shelf) => {
        const name = `seq/${entry.game}`;
        const counted = (await shelf.get("counters", name))?.value ?? 0;
        const seq = Math.max(counted, least, highest()[entry.game] ?? 0) + 1;
        const numbered = { ...entry, seq, open: 1 };
        await shelf.put("counters", { name, value: seq });
        await shelf.put("entries", numbered);
        return numbered;
      });
      reached(kept.game, kept.seq);
      return kept;
    },

    // The house has another entry under its number: all that wait get new ones, in their order.
    renumber: (game, above) => act(true, async (shelf) => {
      const mine = (await shelf.open()).filter((entry) => entry.game === game).sort(bySeq);
      let seq = Math.max(above, ...mine.map((entry) => entry.seq));
      for (const entry of mine) {
        await shelf.remove("entries", [game, entry.seq]);
        seq += 1;
        await shelf.put("entries", { ...entry, seq });
      }
      await shelf.put("counters", { name: `seq/${game}`, value: seq });
      reached(game, seq);
    }),

    change: (entries, changes) => act(true, async (shelf) => {
      for (const { game, seq } of entries) {
        const row = await shelf.get("entries", [game, seq]);
        if (row) await shelf.put("entries", { ...row, ...changes });
      }
    }),

    // What became of an entry; from then on it is only kept for a book that has to be restored.
    close: (entry, became) => act(true, async (shelf) => {
      const row = await shelf.get("entries", [entry.game, entry.seq]);
      if (!row) return;
      const { open: _open, ...rest } = row;
      await shelf.put("entries", { ...rest, ...became, state: "done", done_at: Date.now() });
    }),

    waiting: async (game) => (await act(false, (shelf) => shelf.open()))
      .filter((entry) => !game || entry.game === game).sort(bySeq),

    // All that the house has answered, to be sent again under the same ids; how many.
    reopen: (house) => act(true, async (shelf) => {
      const lost = (await shelf.done()).filter((entry) => entry.house === house && entry.became === "recorded");
      for (const { done_at: _done, ...entry } of lost) {
        await shelf.put("entries", { ...entry, state: "waiting", term: null, again: true, open: 1 });
      }
      return lost.length;
    }),

    // What a clock that was fast has dated counts from now on, by the clock that was set right.
    prune: () => act(true, async (shelf) => {
      const now = Date.now();
      for (const entry of await shelf.doneAfter(now)) await shelf.put("entries", { ...entry, done_at: now });
      const old = await shelf.doneBefore(now - KEPT_FOR);
      for (const key of old) await shelf.remove("entries", key);
      const rest = await shelf.doneBefore(now);
      for (const key of rest.slice(0, Math.max(0, rest.length - KEPT_AT_MOST))) await shelf.remove("entries", key);
    }),

    game: (game) => act(false, (shelf) => shelf.get("games", game)),
    keepGame: async (row) => floor.forgotten || act(true, (shelf) => shelf.put("games", row)),
    // What was given to somebody goes with their session.
    forgetGames: (butOf) => act(true, async (shelf) => {
      for (const { game, who } of await shelf.all("games")) {
        if (who !== butOf) await shelf.remove("games", game);
      }
    }),

    // All that the next person at this device is not to see; what waits stays. This page keeps no more of
    // it, either.
    forget: async () => {
      floor.forgotten = true;
      try {
        for (const key of Object.keys(sessionStorage)) {
          if (/^half-(entered|opened)\./.test(key)) sessionStorage.removeItem(key); // half.js, half_open.js
        }
      } catch {
        // a browser that keeps nothing
      }
      await floor.store.forgetGames("");
      const names = "caches" in window ? await caches.keys() : [];
      await Promise.all(names.filter((name) => name.startsWith("floor-pages")).map((name) => caches.delete(name)));
    },

    counter: async (name) => (await act(false, (shelf) => shelf.get("counters", name)))?.value,
    count: (name, value) => act(true, (shelf) => shelf.put("counters", { name, value })),

    // One tab does a thing at a time: a lock that runs out by itself, should its tab be closed. One
    // that would hold for longer than anybody takes it for was taken by a clock that was set back
    // since: it holds no more.
    lock: (name, tab, milliseconds) => act(true, async (shelf) => {
      const held = (await shelf.get("counters", name))?.value;
      const left = held ? held.until - Date.now() : 0;
      if (left > 0 && left <= milliseconds && held.tab !== tab) return false;
      await shelf.put("counters", { name, value: { tab, until: Date.now() + milliseconds } });
      return true;
    }),
    unlock: (name, tab) => act(true, async (shelf) => {
      if ((await shelf.get("counters", name))?.value?.tab === tab) await shelf.remove("counters", name);
    }),
  };
})();
