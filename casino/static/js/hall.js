// The hall: what is shown stays fresh, is found by words, and is opened by its number or by arrows.
(() => {
  "use strict";
  const root = document.documentElement;
  const hall = document.getElementById("tables");
  const find = document.getElementById("find");
  const words = find.elements.q;
  const needs = find.elements.needs;
  const going = document.getElementById("going");
  const WAIT_FOR_DIGIT = 900; // milliseconds in which a number may get one more digit
  const AFTER_TYPING = 150;
  const MINUTE = 60_000;
  const HOUR = 60; // minutes
  const DAY = 24 * HOUR;

  const cards = () => [...hall.querySelectorAll(".table-card")];
  const said = (sentence, n) => sentence.replace("{n}", n);

  // --- Ages: a clock time from the house, minutes on the screen ---
  const age = (since) => {
    const minutes = Math.floor((Date.now() - Date.parse(since)) / MINUTE);
    if (minutes < 1) return hall.dataset.now;
    if (minutes < 2 * HOUR) return said(hall.dataset.minutes, minutes);
    return minutes < 2 * DAY ? said(hall.dataset.hours, Math.floor(minutes / HOUR)) : said(hall.dataset.days, Math.floor(minutes / DAY));
  };
  const ages = () => hall.querySelectorAll("[data-age]").forEach((time) => { time.textContent = age(time.dateTime); });

  // --- News ---
  const asked = () => {
    const query = new URLSearchParams();
    if (words.value.trim()) query.set("q", words.value.trim());
    if (needs.checked) query.set("needs", "1");
    return query.toString();
  };
  const shown = (html) => {
    const focused = document.activeElement?.closest(".table-card")?.id;
    hall.innerHTML = html;
    ages();
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  };
  const live = window.live({
    address: () => `${hall.dataset.live}${asked() ? `?${asked()}` : ""}`,
    etag: hall.dataset.etag,
    shown,
    line: (state) => { root.dataset.line = state === "gone" ? "offline" : state; },
  });
  ages();
  setInterval(ages, 10_000);

  // --- Finding ---
  let typed = 0;
  const look = () => {
    history.replaceState(null, "", asked() ? `?${asked()}` : location.pathname);
    live.forget();
    live.ask();
  };
  find.addEventListener("submit", (event) => {
    event.preventDefault();
    look();
    cards()[0]?.focus();
  });
  words.addEventListener("input", () => {
    clearTimeout(typed);
    typed = setTimeout(look, AFTER_TYPING);
  });
  needs.addEventListener("change", look);

  // --- Opening by number: at once where no longer number could be meant ---
  let number = "";
  let timer = 0;
  // A digit more that comes too late is no die of the table that opens (floor/taps.js).
  const opensByNumber = () => {
    try {
      sessionStorage.setItem("home-throw-opened-by-number", "1");
    } catch {
      // a browser that keeps nothing
    }
  };
  const go = () => {
    clearTimeout(timer);
    const card = cards().find((each) => each.dataset.number === number);
    if (card) {
      opensByNumber();
      card.click();
    } else going.textContent = said(hall.dataset.none, number);
    number = "";
  };
  const digit = (key) => {
    number = (number + key).slice(-3).replace(/^0+/, "");
    if (!number) return;
    going.textContent = said(hall.dataset.going, number);
    cards().find((each) => each.dataset.number === number)?.focus();
    clearTimeout(timer);
    const longer = cards().some((each) => each.dataset.number.length > number.length && each.dataset.number.startsWith(number));
    if (longer) timer = setTimeout(go, WAIT_FOR_DIGIT);
    else go();
  };
  const drop = () => {
    clearTimeout(timer);
    number = "";
    going.textContent = "";
  };

  // --- Moving by arrows, as the cards lie on the screen ---
  const middle = (card) => {
    const box = card.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  };
  const move = ([right, down]) => {
    const all = cards();
    const from = document.activeElement?.closest?.(".table-card");
    if (!from) return all[0]?.focus();
    if (right) return all[all.indexOf(from) + right]?.focus();
    const at = middle(from);
    const beyond = all.map((card) => ({ card, to: middle(card) })).filter(({ to }) => (to.y - at.y) * down > 8);
    const cost = ({ to }) => Math.abs(to.y - at.y) * 4 + Math.abs(to.x - at.x);
    beyond.sort((one, other) => cost(one) - cost(other));
    beyond[0]?.card.focus();
  };

  const { way } = window.keyways;
  const moves = [["hall-before", [-1, 0]], ["hall-next", [1, 0]], ["hall-up", [0, -1]], ["hall-down", [0, 1]]]
    .map(([name, to]) => ({ is: way(name), to }));
  const is = { number: way("hall-number"), open: way("hall-open"), needs: way("hall-needs"), find: way("find-here"), close: way("close") };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    const to = moves.find((each) => each.is(event))?.to;
    const writing = event.target.matches("input[type=search], input[type=text], textarea");
    if (is.close(event)) {
      drop();
      if (writing) event.target.blur();
    } else if (writing) {
      if (to?.[1] > 0) { event.preventDefault(); cards()[0]?.focus(); }
    } else if (is.number(event)) {
      event.preventDefault();
      digit(event.key);
    } else if (is.open(event) && number) {
      event.preventDefault();
      go();
    } else if (to) {
      event.preventDefault();
      move(to);
    } else if (is.find(event)) {
      event.preventDefault();
      words.focus();
      words.select();
    } else if (is.needs(event)) {
      needs.click();
    }
  });
})();
