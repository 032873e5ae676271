// A form of an opening that is half filled in outlives a reload, the back button, and a tab that the
// device puts away: it lies in this tab's own store while the page is away.
//
// It comes back to the same person, at the same table, for the same game, within the hour. What was
// sent is kept, too, until a table is shown (half.js): without a line no game was opened by it.
// This script comes after those that draw the form.
(() => {
  "use strict";
  const form = document.querySelector("[data-opening]");
  if (!form) return;
  const KEY = `half-opened.${location.pathname}`;
  const LASTS = 60 * 60 * 1000; // milliseconds
  const KEPT = 'input:not([type="hidden"]), select';

  const stored = (act) => {
    try {
      return act(sessionStorage);
    } catch {
      return null; // a browser that keeps nothing
    }
  };

  const answer = (control) => (["radio", "checkbox"].includes(control.type) ? control.checked : control.value);
  const answered = (control, given) => {
    if (typeof given === "boolean") control.checked = given;
    else if (!control.options || [...control.options].some(({ value }) => value === given)) control.value = given;
  };

  // Of a seat by its place in the row; else by name, and by value where one of several is chosen.
  const controls = () => [...form.querySelectorAll(KEPT)].map((control) => {
    const seat = control.closest(".seat-row");
    const at = seat ? [...seat.parentElement.children].indexOf(seat) : -1;
    const choice = typeof answer(control) === "boolean" && at < 0 ? control.value : "";
    return { control, id: [at, control.name, choice].join("/") };
  });
  const filled = () => controls().map(({ control, id }) => [id, answer(control)]);

  const asCame = JSON.stringify(filled());

  let again = false; // the last game's seats were asked for: they come in place of these
  form.addEventListener("submit", ({ submitter }) => { again = submitter?.name === "again"; });

  const put = () => {
    const now = filled();
    const sent = Boolean(form.dataset.sent);
    if (again || (!sent && JSON.stringify(now) === asCame)) return stored((store) => store.removeItem(KEY));
    const folds = [...form.querySelectorAll("details")].map(({ open }) => open);
    const { game } = form.elements;
    return stored((store) => store.setItem(KEY, JSON.stringify({ who: form.dataset.opening, game: game.value, at: Date.now(), filled: now, folds, sent })));
  };

  const kept = stored((store) => JSON.parse(store.getItem(KEY)));
  stored((store) => store.removeItem(KEY));
  const ago = kept ? Date.now() - kept.at : 0; // below zero: the clock was set back since
  const fits = kept && kept.who === form.dataset.opening && kept.game === form.elements.game.value && ago >= 0 && ago < LASTS;
  if (fits) {
    const given = new Map(kept.filled);
    const seats = [...given.keys()].map((id) => parseInt(id, 10));
    window.seats.atLeast(Math.max(...seats) + 1);
    controls().forEach(({ control, id }) => { if (given.has(id)) answered(control, given.get(id)); });
    form.querySelectorAll("details").forEach((fold, place) => { fold.open = kept.folds[place] ?? fold.open; });
    form.dispatchEvent(new Event("input", { bubbles: true }));
    window.seats.number();
  }

  addEventListener("pagehide", put);
  document.addEventListener("visibilitychange", () => { if (document.hidden) put(); });
})();
