// The table, in the attendant's hands.
//
// A tap puts a die in its place; the last one sends the throw. Until the house has answered, the
// page says "sending"; what the house recorded is drawn only from its answer. A command that got
// no answer is sent again under the same id, so it counts once. The table is asked for news each
// second by conditional requests; news never wipes dice that are half entered, except when
// something was recorded elsewhere, and then it says so.
(() => {
  "use strict";
  const board = document.getElementById("board");
  if (!board) return;

  const POLL_EVERY = 1000;
  const AGAIN_AFTER = 2000;

  const root = document.documentElement;
  const find = (selector) => board.querySelector(selector);
  const play = () => find(".play");
  const throwForm = () => find("#throw");
  const count = () => Number(play()?.dataset.count || 0);

  let entered = []; // faces tapped for the throw under way
  let flying = null; // the command on its way: {form, again}
  let etag = board.dataset.etag;
  let polling = null; // the last request for news

  // --- What is on the page ---------------------------------------------------------------------

  const draw = () => {
    const slots = board.querySelectorAll(".slot");
    slots.forEach((slot, place) => {
      const face = entered[place];
      const filled = face !== undefined;
      const shown = slot.querySelector("svg");
      if (slot.dataset.shows !== String(face)) {
        slot.emptyPlace ??= shown;
        const next = filled ? find(`#key-${face} svg`).cloneNode(true) : slot.emptyPlace;
        shown.replaceWith(next);
        slot.dataset.shows = String(face);
      }
      slot.disabled = !filled || Boolean(flying);
      slot.classList.toggle("slot-next", place === entered.length && !flying);
      slot.setAttribute("aria-label", filled ? slot.dataset.filledLabel.replace("##", face) : slot.dataset.emptyLabel);
    });
    const word = find("[data-undo-word]");
    if (word) {
      word.dataset.ownWord ??= word.textContent;
      word.textContent = entered.length ? word.dataset.dieWord : word.dataset.ownWord;
    }
  };

  const say = (word, sentence, { alarm = false } = {}) => {
    const line = find("#say");
    if (!line) return;
    line.replaceChildren();
    line.classList.toggle("say-alarm", alarm);
    if (!word) return;
    const strong = document.createElement("b");
    strong.textContent = word;
    const rest = document.createElement("span");
    rest.textContent = sentence;
    line.append(strong, " ", rest);
  };

  const state = (name) => {
    if (play()) play().dataset.state = name;
  };
  const line = (name) => {
    root.dataset.line = name;
  };
  const announce = (sentence) => {
    document.getElementById("announce").textContent = sentence;
  };
  const closeMenus = (but) => {
    document.querySelectorAll("details.menu[open]").forEach((menu) => {
      if (menu !== but) menu.open = false;
    });
  };

  // --- Entering dice ---------------------------------------------------------------------------

  const tap = (face) => {
    const form = throwForm();
    if (!form || flying || face < 1 || !find(`#key-${face}`)) return;
    closeMenus();
    if (!entered.length) say("");
    entered.push(face);
    draw();
    if (entered.length === count()) form.requestSubmit();
  };

  const takeBack = (place = entered.length - 1) => {
    if (flying || place < 0) return;
    entered.splice(place, 1);
    draw();
  };

  // --- Commands --------------------------------------------------------------------------------

  const newId = () => {
    // crypto.randomUUID is absent on a plain-HTTP address in the house's own network.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  };

  const putDice = (form) => {
    const fields = form.querySelector("[data-dice-fields]");
    fields?.replaceChildren(
      ...entered.map((face) => Object.assign(document.createElement("input"), { type: "hidden", name: "dice", value: face })),
    );
  };

  // Before htmx sees it: one command at a time, each with an id of its own.
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("#board form[data-command]");
    if (!form) return;
    const mine = flying?.form === form;
    const incomplete = form.dataset.command === "throw" && entered.length !== count();
    if ((flying && !(mine && flying.again)) || incomplete) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    if (polling) polling.onabort = null; // htmx ends it for the command's sake: nothing went wrong
    if (!mine) {
      form.elements.command_id.value = newId();
      putDice(form);
      flying = { form, submitter: event.submitter, again: 0 };
    }
    clearTimeout(flying.again);
    flying.again = 0;
    state("sending");
    say(board.dataset.saySending, board.dataset.saySendingMore);
    draw();
  }, true);

  const sendAgain = (sentence) => {
    if (!flying) return;
    state("unsent");
    say(board.dataset.sayUnsent, sentence, { alarm: true });
    flying.again = setTimeout(() => flying?.form.requestSubmit(flying.submitter), AGAIN_AFTER);
  };

  const giveUp = () => {
    flying = null;
    entered = [];
    state("");
    draw();
    say(board.dataset.sayRefused, board.dataset.sayRefusedMore, { alarm: true });
  };

  // --- News ------------------------------------------------------------------------------------

  setInterval(() => {
    if (!document.hidden && !flying) window.htmx.trigger(board, "poll");
  }, POLL_EVERY);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && !flying) window.htmx.trigger(board, "poll");
  });

  const isPoll = (event) => event.detail.requestConfig?.verb === "get";

  board.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.verb === "get" && etag) event.detail.headers["If-None-Match"] = etag;
  });

  board.addEventListener("htmx:beforeSend", (event) => {
    if (isPoll(event)) polling = event.detail.xhr;
  });

  let before = null; // what must outlive a swap

  board.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target !== board || !event.detail.shouldSwap) return;
    if (!event.detail.serverResponse.includes('data-version="')) {
      // Not a table: the session has ended and this is the sign-in page.
      event.detail.shouldSwap = false;
      line("signed-out");
      if (!isPoll(event)) giveUp();
      return;
    }
    event.detail.isError = false;
    etag = event.detail.xhr.getResponseHeader("ETag");
    before = {
      version: play()?.dataset.version,
      stands: play()?.dataset.stands,
      sentence: play()?.dataset.sentence,
      said: isPoll(event) ? [...(find("#say")?.childNodes ?? [])] : [],
      saidAlarm: find("#say")?.classList.contains("say-alarm"),
      focused: board.contains(document.activeElement),
      open: isPoll(event) ? [...board.querySelectorAll("details[open]")].map((menu) => menu.id) : [],
      scrolled: [...board.querySelectorAll("[data-keep-scroll]")].map((list) => [list.dataset.keepScroll, list.scrollTop, list.scrollLeft]),
      answered: !isPoll(event),
    };
  });

  board.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target !== board || !before) return;
    const was = before;
    before = null;
    const moved = play().dataset.version !== was.version;
    const elsewhere = play().dataset.stands !== was.stands && !was.answered;
    const dropped = elsewhere && entered.length > 0;
    if (was.answered) flying = null;
    if (was.answered || elsewhere) entered = [];
    draw();
    if (dropped) say(board.dataset.sayMoved, board.dataset.sayMovedMore);
    else if (!was.answered && !moved && was.said.length && find("#say")) {
      find("#say").replaceChildren(...was.said);
      find("#say").classList.toggle("say-alarm", was.saidAlarm);
    }
    if (!moved) was.open.forEach((id) => id && document.getElementById(id)?.setAttribute("open", ""));
    if (!moved) was.scrolled.forEach(([name, top, left]) => find(`[data-keep-scroll="${name}"]`)?.scrollTo(left, top));
    find(".seat-turn")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (play().dataset.sentence !== was.sentence) announce(play().dataset.sentence);
    if (was.focused) setTimeout(() => { if (document.activeElement === document.body) play().focus({ preventScroll: true }); });
  });

  board.addEventListener("htmx:afterRequest", (event) => {
    const status = event.detail.xhr?.status;
    if (status === 304 || (status >= 200 && status < 500 && status !== 401 && status !== 403)) {
      if (root.dataset.line !== "signed-out" || status === 304) line("online");
    }
  });
  const lost = (event) => {
    line("offline");
    if (!isPoll(event)) sendAgain(board.dataset.sayUnsentMore);
  };
  board.addEventListener("htmx:sendError", lost);
  board.addEventListener("htmx:timeout", lost);
  board.addEventListener("htmx:responseError", (event) => {
    const { status } = event.detail.xhr;
    if (status === 401 || status === 403) line("signed-out");
    if (isPoll(event)) return;
    if (status >= 500) sendAgain(board.dataset.sayBroken);
    else giveUp();
  });

  // --- Fingers, mouse ---------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-face]");
    const slot = event.target.closest("[data-slot]");
    // A finger leaves no focus behind: Enter after it means "stand", not the same die again.
    if ((key || slot) && event.detail > 0) play().focus({ preventScroll: true });
    if (key) return tap(Number(key.dataset.face));
    if (slot) return takeBack(Number(slot.dataset.slot));
    if (event.target.closest("[data-undo]") && entered.length) {
      event.preventDefault();
      return takeBack();
    }
    if (event.target.closest("[data-log-toggle]")) return toggleLog();
    if (event.target.closest("[data-help]")) return openHelp();
    closeMenus(event.target.closest("details.menu"));
  });

  const toggleLog = () => {
    const open = document.body.dataset.log !== "open";
    document.body.dataset.log = open ? "open" : "";
    document.querySelector(".log-button").setAttribute("aria-expanded", open);
    if (open) find(".log-close").focus();
  };
  const openHelp = () => {
    closeMenus();
    document.getElementById("help").showModal();
  };

  // --- Keyboard and number pad -------------------------------------------------------------------

  const strike = (id) => {
    const button = document.getElementById(id);
    if (!button) return;
    button.classList.add("key-struck");
    setTimeout(() => button.classList.remove("key-struck"), 120);
  };
  const press = (selector) => find(selector)?.click();

  const reasons = { 1: "#no-throw-cocked", 2: "#no-throw-off", 3: "#no-throw-interference" };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.closest("input, select, textarea")) return;
    const onButton = event.target.closest("button, a, summary");
    const noThrow = find("#menu-no-throw");
    const { key } = event;
    let done = true;
    if (/^[0-9]$/.test(key)) {
      if (event.repeat) return;
      if (noThrow?.open) press(reasons[key]);
      else {
        strike(`key-${key}`);
        tap(Number(key));
      }
    } else if (key === "Backspace" || key === "-" || key === "Delete") takeBack();
    else if (key === "u" || key === "U" || key === "/") press("[data-undo]");
    else if (key === "s" || key === "S" || key === "+") press("[data-stand]");
    else if (key === "Enter" && !onButton) press("[data-stand]");
    else if (key === "n" || key === "N" || key === "*") press("#do-no-throw");
    else if (key === "?") openHelp();
    else if (key === "Escape") {
      closeMenus();
      if (document.body.dataset.log === "open") toggleLog();
    } else done = false;
    if (done) event.preventDefault();
  });

  draw();
})();
