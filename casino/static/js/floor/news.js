// News: the table is asked for it each second by conditional requests. News never wipes what is
// half entered, except when something was recorded elsewhere, and then it says so.
(() => {
  "use strict";
  const { floor } = window;
  const { board, find, play } = floor;
  const POLL_EVERY = 1000;
  const root = document.documentElement;
  const HELD_AT_MOST = 3000; // milliseconds that a finger may lie on a button
  const CLICK_WITHIN = 300; // milliseconds from the finger's leaving to its click

  let etag = board.dataset.etag;
  let before = null; // what must outlive a swap
  let aimed = 0; // until when what a finger aims at must stay where it is

  const aims = (milliseconds) => () => { aimed = performance.now() + milliseconds; };
  const aiming = () => performance.now() < aimed;
  document.addEventListener("pointerdown", aims(HELD_AT_MOST));
  document.addEventListener("pointerup", aims(CLICK_WITHIN));
  document.addEventListener("pointercancel", aims(0));

  const poll = () => {
    if (!document.hidden && !floor.flying && !aiming()) window.htmx.trigger(board, "poll");
  };
  setInterval(poll, POLL_EVERY);
  document.addEventListener("visibilitychange", poll);

  const isPoll = (event) => event.detail.requestConfig?.verb === "get";

  board.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.verb === "get" && etag) event.detail.headers["If-None-Match"] = etag;
  });
  board.addEventListener("htmx:beforeSend", (event) => {
    if (isPoll(event)) floor.polling = event.detail.xhr;
  });

  board.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target !== board || !event.detail.shouldSwap) return;
    if (isPoll(event) && aiming()) {
      event.detail.shouldSwap = false; // without its ETag it is asked for again
      return;
    }
    if (!event.detail.serverResponse.includes('data-version="')) {
      // Not a table: the session has ended and this is the sign-in page.
      event.detail.shouldSwap = false;
      floor.line("signed-out");
      if (!isPoll(event)) floor.giveUp();
      return;
    }
    event.detail.isError = false;
    etag = event.detail.xhr.getResponseHeader("ETag");
    const refused = !isPoll(event) && event.detail.xhr.status >= 400;
    before = {
      version: play()?.dataset.version,
      stands: play()?.dataset.stands,
      sentence: play()?.dataset.sentence,
      said: isPoll(event) ? [...(find("#say")?.childNodes ?? [])] : [],
      saidAlarm: find("#say")?.classList.contains("say-alarm"),
      focused: board.contains(document.activeElement),
      dirty: floor.dirty(),
      fields: isPoll(event) || refused ? floor.typed() : floor.typed().filter(isLater),
      open: isPoll(event) || refused ? floor.all(`details[open]${refused ? ":not(.menu)" : ""}`).map((menu) => menu.id) : [],
      scrolled: floor.all("[data-keep-scroll]").map((list) => [list.dataset.keepScroll, list.scrollTop, list.scrollLeft]),
      answered: !isPoll(event),
      refused,
    };
  });

  // What was typed outlives news and a refusal. Of a command that was recorded it is done with, but
  // for what somebody typed while that was on its way: the next.
  const isLater = (field) => !floor.flying?.typed.some((sent) =>
    sent.id === field.id && sent.value === field.value && sent.checked === field.checked);

  // Where something was recorded meanwhile a mark may stand for somebody else: only words go back.
  const putBack = (fields, marks) => fields.forEach(({ id, value, checked }) => {
    const field = id && document.getElementById(id);
    if (!field) return;
    if (!field.matches("[type=radio], [type=checkbox]")) field.value = value;
    else if (marks) field.checked = checked;
  });

  board.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target !== board || !before) return;
    const was = before;
    before = null;
    const moved = play().dataset.version !== was.version;
    const elsewhere = play().dataset.stands !== was.stands && !was.answered;
    if (was.answered) floor.flying = null;
    if (was.answered || elsewhere) floor.reset(was.refused && !moved);
    if (!elsewhere) putBack(was.fields, !was.refused || !moved);
    floor.draw();
    if (elsewhere && was.dirty) floor.say(board.dataset.sayMoved, board.dataset.sayMovedMore);
    else if (!was.answered && !moved && was.said.length && find("#say")) {
      find("#say").replaceChildren(...was.said);
      find("#say").classList.toggle("say-alarm", was.saidAlarm);
    }
    if (!moved) was.open.forEach((id) => id && document.getElementById(id)?.setAttribute("open", ""));
    if (!moved) was.scrolled.forEach(([name, top, left]) => find(`[data-keep-scroll="${name}"]`)?.scrollTo(left, top));
    find(".seat-turn")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (play().dataset.sentence !== was.sentence) floor.announce(play().dataset.sentence);
    if (was.focused) setTimeout(() => { if (document.activeElement === document.body) play().focus({ preventScroll: true }); });
  });

  board.addEventListener("htmx:afterRequest", (event) => {
    const status = event.detail.xhr?.status;
    if (status === 304 || (status >= 200 && status < 500 && status !== 401 && status !== 403)) {
      if (root.dataset.line !== "signed-out" || status === 304) floor.line("online");
    }
  });
  const lost = (event) => {
    floor.line("offline");
    if (!isPoll(event)) floor.sendAgain(board.dataset.sayUnsentMore);
  };
  board.addEventListener("htmx:sendError", lost);
  board.addEventListener("htmx:timeout", lost);
  board.addEventListener("htmx:responseError", (event) => {
    const { status } = event.detail.xhr;
    if (status === 401 || status === 403) floor.line("signed-out");
    if (isPoll(event)) return;
    if (status >= 500) floor.sendAgain(board.dataset.sayBroken);
    else floor.giveUp();
  });
})();
