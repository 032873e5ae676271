// Commands of the page: each tap is taken down in this browser at once, shown as foreseen, and sent in
// order. Where the device cannot foresee what comes of it, the next one waits for the house's answer.
//
// Acts of a second person are none of these: commands.js sends them, or refuses them without a line.
(() => {
  "use strict";
  const { floor } = window;
  const { board, store, taps } = floor;
  const { game, who, whoName, house, tableName: table } = board.dataset;
  const SECOND = new Set(["approve", "reject", "resolve", "witness", "dispute", "handover"]);

  const LATEST = 50; // milliseconds from a tap until what comes of it is drawn, whatever else waits

  let kept = []; // of this game, in the store and not answered
  let fresh = []; // on their way into the store
  let trouble = { kind: "" };
  let truth = { html: "", version: Number(floor.play()?.dataset.version ?? 0) }; // what the house showed last

  const newId = () => {
    // crypto.randomUUID is absent on a plain-HTTP address in the house's own network.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  };

  floor.newId = newId;

  const waiting = () => [...kept, ...fresh];
  const refused = () => kept.find((entry) => entry.state === "refused") ?? null;
  const others = () => waiting().find((entry) => entry.by !== who && entry.state !== "aside") ?? null;
  const stopped = () => Boolean(refused() || others());

  // Those that go to the game, up to one that is stopped; what news has told of already is foreseen no more.
  const foreseeable = () => (stopped() ? [] : waiting().filter(({ state, as, id }) =>
    state === "waiting" && as === "command" && !floor.foresight.knows(id)));

  const foreseen = (entries) => (floor.foresight.ready(truth.version) ? floor.foresight.foresee(entries) : null);

  // --- An entry ------------------------------------------------------------------------------------

  const form = (sent, submitter) => {
    const fields = new URLSearchParams();
    new FormData(sent, submitter).forEach((value, name) => {
      if (name !== "csrfmiddlewaretoken" && name !== "command_id" && value !== "") fields.append(name, value);
    });
    fields.append("command_id", newId());
    return fields;
  };

  // The number of an event that only this device has foreseen may come out another: its command does not.
  const named = (fields) => {
    const back = Number(fields.get("back_to"));
    const command = back > truth.version ? floor.shown?.commands?.[back] : null;
    if (command) fields.set("back_to", command);
    return fields;
  };

  const noted = (fields) => {
    const { lease, term } = floor.play().dataset;
    return {
      game, who, house, table, by: who, name: whoName, url: board.dataset.entries, page: location.pathname, tab: floor.send.tab,
      seq: Math.max(0, ...waiting().map((entry) => entry.seq)) + 1, // until the store has given it its own
      term: lease === "mine" ? Number(term) : null,
      at: `${new Date().toISOString().slice(0, 19)}Z`,
      id: fields.get("command_id"), form: fields.toString(), words: floor.inWords(fields),
      as: "command", state: "waiting",
    };
  };

  const keep = async (entry) => {
    fresh.push(entry);
    floor.asks.count();
    const { seq: _guess, ...rest } = entry;
    const least = Number(floor.play().dataset.lastSeq ?? 0);
    const numbered = await store.add(rest, least);
    fresh = fresh.filter((each) => each !== entry);
    kept = [...kept.filter(({ id }) => id !== entry.id), numbered].sort((one, other) => one.seq - other.seq);
    floor.unkept = await store.unkept();
    floor.send.changed(game);
    floor.send.game(game);
  };

  const sending = () => {
    floor.state("sending");
    floor.say(board.dataset.saySending, board.dataset.saySendingMore);
  };

  const incomplete = (sent) => floor.entries.some((entry) => entry.owns?.(sent) && !entry.ready(sent));

  const enter = (sent, submitter) => {
    if (floor.flying) { // a tap that is not taken is never met with silence
      sending();
      unsent();
      taps.doubt();
      return;
    }
    if (incomplete(sent)) return;
    if (stopped()) {
      floor.reset();
      floor.draw();
      return floor.asks.focus();
    }
    if (floor.play().dataset.lease === "other") return floor.say(board.dataset.sayRefused, board.dataset.sayWatching, { alarm: true });
    floor.entries.forEach((entry) => entry.fill?.(sent));
    const entry = noted(named(form(sent, submitter)));
    const before = foreseeable();
    if (doubts(sent, entry) || lookedTwice(sent, before, entry)) return undefined;
    const typed = floor.typedFor(sent);
    if (!before.length && document.documentElement.dataset.line !== "offline") {
      keep(entry);
      floor.sentOff(sent);
      return afterAFrame(() => follow(sent, typed));
    }
    const seen = foreseen([...before, entry]);
    if (seen?.refused?.seq === entry.seq) {
      // What goes before it is not at the house yet: it could not say more than this.
      floor.reset(true);
      floor.draw();
      return floor.say(board.dataset.sayRefused, seen.refused.sentence, { alarm: true });
    }
    keep(entry);
    floor.sentOff(sent);
    return follow(sent, typed, seen);
  };

  const askAgain = (sent, word, label) => {
    const { id } = sent;
    floor.draw();
    taps.ask(word, label, () => {
      taps.trust();
      (sent.isConnected ? sent : document.getElementById(id))?.requestSubmit(); // it may have been drawn anew
    });
    return true;
  };

  // Where a tap was refused before, the dice may be another throw's: they are looked at first.
  const doubts = (sent, entry) => {
    if (!taps.isDoubted() || !floor.entries.some((each) => each.owns?.(sent))) return false;
    return askAgain(sent, board.dataset.sayUntakenAsk, board.dataset.sayUntakenYes.replace("++", entry.words));
  };

  // A throw that pays and could not be undone alone is looked at twice, where the house wants that: what
  // it pays is said, and the same entry sent once more is recorded. Another entry is looked at anew.
  let look = "";
  const lookedTwice = (sent, before, entry) => {
    const { looks, sayLook } = floor.play().dataset;
    const pays = looks && floor.foresight.ready(truth.version) ? floor.foresight.look(before, entry) : "";
    const fields = new URLSearchParams(entry.form);
    fields.delete("command_id");
    const mine = pays && fields.toString();
    if (!mine || mine === look) {
      look = "";
      return false;
    }
    look = mine;
    return askAgain(sent, pays, sayLook);
  };

  // What comes of what was entered: as it is foreseen, else as the house will say.
  const follow = (sent, typed, seen = foreseen(foreseeable())) => {
    if (seen && !seen.refused) {
      floor.shown = seen;
      floor.show(seen.html, { entered: true, typed });
      unsent();
    } else {
      floor.flying = { form: sent, typed };
      sending();
      floor.draw();
    }
  };

  // The tap itself is seen first, and the entry is on its way while what comes of it is drawn. Keys
  // that are struck sooner than that, and answers, come after.
  let due = null;
  const settle = () => {
    if (!due) return false;
    const { act, timer } = due;
    due = null;
    clearTimeout(timer);
    act();
    return true;
  };
  const settleWhenFree = () => floor.whenFree(settle); // not under a finger
  const settled = (part, of = due) => {
    of?.missing.delete(part);
    if (of && of === due && !of.missing.size) settleWhenFree();
  };
  const afterAFrame = (act) => {
    const its = { act, timer: setTimeout(settleWhenFree, LATEST), missing: new Set(["seen", "sent"]) };
    due = its;
    requestAnimationFrame(() => setTimeout(settled, 0, "seen", its));
  };
  document.addEventListener("floor:sent", ({ detail }) => { if (detail.game === game) settled("sent"); });
  for (const input of ["keydown", "submit"]) window.addEventListener(input, settle, true);

  document.addEventListener("submit", (event) => {
    const sent = event.target.closest("#board form[data-command]");
    if (!sent && !event.target.isConnected) { // what was sent before has just been shown in its place
      event.preventDefault();
      return taps.refuse("sayUntakenSending");
    }
    if (!sent || SECOND.has(sent.elements.do?.value)) return undefined;
    event.preventDefault();
    event.stopImmediatePropagation(); // before htmx sees it
    return enter(sent, event.submitter);
  }, true);

  // --- What the page shows of it -------------------------------------------------------------------

  // Said as long as it is so; a board that is drawn anew says it again.
  const unsent = () => {
    if (!foreseeable().length) return;
    const { sayUnsent, sayUnsentMore, sayKeptMore, sayBroken } = board.dataset;
    if (trouble.kind === "offline") floor.say(sayUnsent, floor.flying ? sayUnsentMore : sayKeptMore, { alarm: true });
    else if (trouble.kind === "broken") floor.say(sayUnsent, trouble.sentence || sayBroken, { alarm: true });
    else return;
    if (floor.flying) floor.state("unsent");
  };

  // The board: the house's where nothing waits, else what is foreseen from it.
  const refresh = (options = {}) => {
    settle();
    const entries = foreseeable();
    const behind = floor.foresight.version() > truth.version; // what was given ahead is newer than the board
    const seen = entries.length || behind ? foreseen(entries) : null;
    const waits = entries.length > 0 && (!seen || Boolean(seen.refused));
    const was = floor.flying;
    const provisional = Boolean(floor.shown);
    floor.shown = seen;
    if (!was?.direct) floor.flying = waits ? was ?? { form: null, typed: [] } : null;
    // What was entered goes with what it waited for, the answer or what is foreseen of it at last; what
    // was entered since stays: also dice that were tapped before what goes before them had to be waited for.
    const entered = Boolean(was?.form && !was.direct && !floor.flying);
    const how = { ...options, entered, answered: Boolean(options.answered && was?.form), typed: was?.typed ?? [] };
    if (seen) floor.show(seen.html, how);
    else if (truth.html) floor.show(truth.html, how);
    else if (provisional) floor.askAnew(); // another tab has sent it: the house shows what came of it
    else floor.draw();
    // What was not recorded yet is now, and what was being sent has been.
    const said = floor.find("#say b")?.textContent;
    if ((!entries.length && said === board.dataset.sayUnsent) || (!floor.flying && said === board.dataset.saySending)) floor.say("");
    if (options.refusal) floor.say(board.dataset.sayRefused, options.refusal, { alarm: true });
    else if (floor.flying && floor.play().dataset.state !== "sending") sending(); // it was drawn anew
    unsent();
  };

  const reload = async () => {
    kept = await store.waiting(game);
    floor.unkept = await store.unkept();
  };

  let pending = {};
  const refreshSoon = () => {
    const how = pending;
    pending = {};
    refresh(how);
  };
  const soon = (options) => {
    pending = { ...pending, ...options };
    floor.whenFree(refreshSoon);
  };

  // News from the house, by a poll or with an answer: nothing of it hides what waits.
  const heard = async (html, version, options = {}) => {
    truth = { html, version };
    // A board that has changed may rest on more than new events: who records, what is booked.
    const learnt = options.learnt ? null : floor.foresight.catchUp();
    if (waiting().length) await learnt;
    if (waiting().length || !options.shown) soon(options);
  };

  document.addEventListener("floor:answered", async ({ detail: { game: of, answer, entries } }) => {
    if (of !== game) return;
    settleWhenFree();
    floor.foresight.learn(answer.news);
    await reload();
    const told = entries.find(({ ended }) => ended === "refused");
    const refusal = told && answer.answers.find(({ seq }) => seq === told.seq).sentence;
    floor.etag(answer.etag);
    await heard(answer.board, floor.versionOf(answer.board), { answered: true, learnt: Boolean(answer.news), ...(refusal ? { refused: true, refusal } : {}) });
  });

  document.addEventListener("floor:trouble", ({ detail }) => {
    if (detail.game !== game) return;
    settleWhenFree();
    const same = detail.kind === trouble.kind && detail.sentence === trouble.sentence;
    trouble = detail;
    if (!same || floor.flying) unsent(); // said once: what was said since is not talked over
  });

  document.addEventListener("floor:waiting", async ({ detail }) => {
    if (detail.game === game && detail.elsewhere) await floor.queue.again();
  });

  window.addEventListener("beforeunload", (event) => {
    if (floor.unkept && waiting().length) event.preventDefault();
  });

  // In words, as the bar and the list name it: "Bo 2-2-7", "Stand Bo", "Join Cyd 25".
  const apart = (text) => `\u2068${text}\u2069`; // a name that is written from the right turns no dice round
  const SAID_NOTHING = new Set(["do", "player", "command_id", "back_to", "request", "die"]);
  floor.inWords = (fields) => {
    const act = fields.get("do");
    const values = [...fields].filter(([name, value]) => !SAID_NOTHING.has(name) && value).map(([, value]) => value);
    const whose = [fields.get("player"), fields.get("die")].filter(Boolean);
    const word = document.getElementById("asks")?.dataset[`do${act[0].toUpperCase()}${act.slice(1)}`] ?? act.replaceAll("_", " ");
    const parts = act === "throw" ? [...whose, values.join("-")] : [word, ...whose, values.join(" ")];
    return parts.filter(Boolean).map(apart).join(" ");
  };

  // The bundle of the game comes when it comes: nothing waits for it.
  let begun = false;
  document.addEventListener("offline:ready", () => { if (begun) floor.queue.begin(); });

  floor.queue = {
    second: (sent) => SECOND.has(sent.elements.do?.value),
    waiting,
    refused,
    others,
    heard,
    settle,
    version: () => truth.version,
    // What became of a choice, or of another tab: looked up in the store, and shown.
    again: async () => {
      await reload();
      floor.asks.count();
      soon({});
    },
    begin: async () => {
      begun = true;
      floor.unkept = await store.unkept();
      await reload();
      await floor.foresight.begin();
      const alone = !waiting().length && floor.foresight.version() > truth.version ? floor.foresight.foresee([]) : null;
      if (alone) floor.show(alone.html); // a page from this device's store, older than what it was given
      else if (waiting().length) refresh();
      floor.send.all();
    },
  };
})();
