// News: the table is asked for it each second by conditional requests. News never wipes what is
// half entered, except when something was recorded elsewhere, and then it says so. What the page
// shows changes here alone, whoever has drawn it: the house, or this device for what waits.
(() => {
  "use strict";
  const { floor } = window;
  const { board, find, play, taps } = floor;
  const POLL_EVERY = 1000;
  const root = document.documentElement;
  const HELD_AT_MOST = 3000; // milliseconds that a finger may lie on a button
  const CLICK_WITHIN = 300; // milliseconds from the finger's leaving to its click
  const OPENED_FOR = 1000; // what has just been opened stays to be seen

  let etag = board.dataset.etag;
  let polled = 0; // the version that the page had from the house when it asked

  floor.etag = (mark) => { etag = mark; };
  floor.versionOf = (html) => Number(/data-version="(\d+)"/.exec(html)?.[1] ?? 0);

  // --- A finger on its way: what it aims at stays where it is ---------------------------------------

  let aimed = 0; // until when
  let later = []; // what is shown as soon as it has come down, in its order
  let timer = 0;

  const free = () => {
    clearTimeout(timer);
    if (!later.length) return;
    const left = aimed - performance.now();
    if (left > 0) timer = setTimeout(free, left);
    else later.splice(0).forEach((show) => show());
  };
  const aims = (milliseconds) => () => {
    aimed = performance.now() + milliseconds;
    free();
  };
  document.addEventListener("pointerdown", aims(HELD_AT_MOST));
  document.addEventListener("pointerup", aims(CLICK_WITHIN));
  document.addEventListener("pointercancel", aims(0));
  document.addEventListener("click", ({ target }) => setTimeout(aims(target.closest("summary") ? OPENED_FOR : 0)));
  floor.whenFree = (show) => {
    if (!later.includes(show)) later.push(show);
    free();
  };

  // --- Asking --------------------------------------------------------------------------------------

  const poll = () => {
    if (!document.hidden && !floor.flying?.direct && !floor.send.awaits(floor.send.here)) window.htmx.trigger(board, "poll");
  };
  setInterval(poll, POLL_EVERY);
  // A tablet that wakes, or a page that comes back from behind another: what was asked before has
  // gone unheard, and would keep the next question waiting.
  const wakes = () => {
    if (document.hidden) return;
    if (floor.polling?.readyState < XMLHttpRequest.DONE) window.htmx.trigger(board, "htmx:abort");
    poll();
  };
  document.addEventListener("visibilitychange", wakes);
  window.addEventListener("pageshow", ({ persisted }) => { if (persisted) wakes(); });
  floor.askAnew = () => {
    etag = null;
    poll();
  };

  const isPoll = (event) => event.detail.requestConfig?.verb === "get";

  board.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.verb !== "get") return;
    polled = floor.queue.version();
    if (etag) event.detail.headers["If-None-Match"] = etag;
  });
  board.addEventListener("htmx:beforeSend", (event) => {
    if (isPoll(event)) floor.polling = event.detail.xhr;
  });

  board.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target !== board || !event.detail.shouldSwap) return;
    const { xhr, serverResponse: html } = event.detail;
    event.detail.shouldSwap = false;
    if (!html.includes('data-version="')) {
      // Not a table: the session has ended and this is the sign-in page.
      floor.line("signed-out");
      if (!isPoll(event)) floor.giveUp(board.dataset.sayRefusedMore);
      return;
    }
    event.detail.isError = false;
    const version = floor.versionOf(html);
    if (isPoll(event) && version < polled) return wentBack();
    if (version < floor.queue.version()) return; // asked before an answer, heard after it
    etag = xhr.getResponseHeader("ETag");
    if (isPoll(event)) floor.queue.heard(html, version);
    else {
      const direct = floor.flying;
      floor.flying = null;
      floor.show(html, { answered: true, refused: xhr.status >= 400, typed: direct?.typed ?? [] });
      floor.queue.heard(html, version, { shown: true });
    }
  });

  // The book holds less than it did: it was restored. What this device has sent since is known to it.
  const wentBack = () => location.reload();

  // --- Showing -------------------------------------------------------------------------------------

  const isLater = (typed) => (field) => !typed.some((sent) =>
    sent.id === field.id && sent.value === field.value && sent.checked === field.checked);

  // Words go back wherever their field still stands. A mark of the act that is asked for may stand for
  // another die or another player by now: it goes back only where the game stands as it stood.
  const putBack = (fields, marks) => fields.forEach(({ id, value, checked, called }) => {
    const field = id && document.getElementById(id);
    if (!field || field.getAttribute("aria-label") !== (called ?? null)) return;
    if (!field.matches("[type=radio], [type=checkbox]")) field.value = value;
    else if (field.value === value && (marks || !field.closest(".entry"))) field.checked = checked;
  });

  const called = (element) => element?.querySelector("summary")?.textContent;
  const unfolded = () => floor.all("details[open]").map((each) =>
    ({ id: each.id, menu: each.matches(".menu"), words: called(each) }));
  // One that asks "are you sure" may be about somebody else by now, under the same id.
  const unfold = (open) => open.forEach(({ id, menu, words }) => {
    const each = id && document.getElementById(id);
    if (each && (menu || called(each) === words)) each.open = true;
  });
  Object.assign(floor, { putBack, unfolded, unfold }); // for half.js, too

  const seen = () => ({
    version: play()?.dataset.version,
    stands: play()?.dataset.stands,
    sentence: play()?.dataset.sentence,
    said: [...(find("#say")?.childNodes ?? [])],
    alarm: find("#say")?.classList.contains("say-alarm"),
    active: board.contains(document.activeElement) ? document.activeElement : null,
    field: board.contains(taps.writing()) ? taps.writing() : null,
    cursor: [taps.writing()?.selectionStart, taps.writing()?.selectionEnd],
    dirty: floor.entries.some((entry) => entry.dirty?.()),
    half: floor.entries.some((entry) => entry.half?.()),
    typed: floor.typed(),
    open: unfolded(),
    scrolled: floor.all("[data-keep-scroll]").map((list) => [list.dataset.keepScroll, list.scrollTop, list.scrollLeft])
      .filter(([, top, left]) => top || left),
  });

  // Who stood on something stands on it again, if it is the same; else before the table.
  const focusAgain = ({ active, field, cursor }, news) => {
    if (!active || document.activeElement === active) return;
    const same = active.isConnected ? active : news && active.id && document.getElementById(active.id);
    const is = same && same.getAttribute("aria-label") === active.getAttribute("aria-label") && (field || same.textContent === active.textContent);
    if (is && same.checkVisibility()) {
      same.focus({ preventScroll: true });
      if (field && Number.isInteger(cursor[0])) same.setSelectionRange(...cursor);
    }
    if (document.activeElement === same) return;
    if (field) taps.lose();
    setTimeout(() => { if (document.activeElement === document.body) play().focus({ preventScroll: true }); });
  };

  let unplaced = []; // what was typed into fields that have gone: they may come back

  // entered: a tap was taken, and this is what is foreseen of it; answered: the house has answered
  // what the page waited for; `typed` is what stood in the fields that were sent; refused: it said no.
  // Without any of these it is news, and nothing that somebody is about to enter goes.
  floor.show = (html, { entered = false, answered = false, refused = false, typed = [] } = {}) => {
    const was = seen();
    const news = !entered && !answered;
    floor.put(html, was.field);
    const moved = play().dataset.version !== was.version;
    const elsewhere = news && play().dataset.stands !== was.stands;
    if (!news || elsewhere) floor.reset(refused && !moved);
    if (elsewhere && was.half && play().dataset.lease !== "other") taps.drop();
    // What was typed outlives whatever comes. Of a command that was recorded it is done with.
    const words = news || refused ? was.typed : was.typed.filter(isLater(typed));
    putBack([...unplaced, ...words], refused ? !moved : !elsewhere);
    if (was.field?.isConnected && !news && !refused && !isLater(typed)(was.field)) was.field.value = was.field.defaultValue;
    unplaced = [...(news ? unplaced : []), ...words].filter(({ id }) => id && !document.getElementById(id));
    floor.draw();
    if (elsewhere && was.dirty) floor.say(board.dataset.sayMoved, board.dataset.sayMovedMore);
    else if (news && (!moved || taps.isAsked(was.said)) && !elsewhere && was.said.length && find("#say"))
      floor.sayAgain(was.said, was.alarm);
    else taps.again();
    if (news || refused || was.open.some(({ menu }) => menu)) unfold(was.open);
    if (!moved) was.scrolled.forEach(([name, top, left]) => find(`[data-keep-scroll="${name}"]`)?.scrollTo(left, top));
    find(".seat-turn")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (play().dataset.sentence !== was.sentence) floor.announce(play().dataset.sentence);
    focusAgain(was, news);
  };

  // --- The line ------------------------------------------------------------------------------------

  board.addEventListener("htmx:afterRequest", (event) => {
    const status = event.detail.xhr?.status;
    if (status === 304 || (status >= 200 && status < 500 && status !== 401 && status !== 403)) {
      if (root.dataset.line !== "signed-out" || status === 304) floor.line("online");
    }
  });
  const lost = (event) => {
    floor.line("offline");
    if (!isPoll(event)) floor.giveUp(board.dataset.saySecondLost);
  };
  board.addEventListener("htmx:sendError", lost);
  board.addEventListener("htmx:timeout", lost);
  board.addEventListener("htmx:responseError", (event) => {
    const { status, responseText } = event.detail.xhr;
    if (!window.askHouse.heard(event.detail.xhr)) return lost(event);
    if (status === 401 || status === 403) floor.line("signed-out");
    if (isPoll(event)) return undefined;
    const plain = event.detail.xhr.getResponseHeader("Content-Type")?.startsWith("text/plain");
    if (status >= 500) return floor.giveUp(status === 503 && plain ? responseText : board.dataset.saySecondLost);
    return floor.giveUp(board.dataset.sayRefusedMore);
  });
})();
