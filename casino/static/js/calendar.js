// The calendar beside fields for dates: a button opens it, a day in it is written into the field as
// the house writes dates. Without this script the button is hidden and dates are typed.
//
// Keys in it: arrows by days and weeks, Home and End in a week, Page Up and Down by months (with
// Shift by years), Enter takes the day, Escape closes it.
//
//   data-calendar    on the button: the form of a date, in the letters d, m and Y
//   data-first       the day a week begins on: 0 is Sunday
//   data-today       the house's day
//   data-clock       the time that a date gets where none is typed; "": the field has none
//   data-before, data-after   what the buttons for the months are called
//   data-sets        on a link: values for the fields of its form, where that is not asked by GET
(() => {
  "use strict";
  const ISO = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})/;
  const FIGURES = /^\s*(\d{1,2})[./\- ](\d{1,2})[./\- ](\d{4})/;
  const { lang } = document.documentElement;
  const written = (options) => new Intl.DateTimeFormat(lang, { ...options, timeZone: "UTC" });
  const inMonth = written({ month: "long", year: "numeric" });
  const inFull = written({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
  const weekday = { short: written({ weekday: "short" }), long: written({ weekday: "long" }) };

  let opener = null; // the button that opened the calendar
  let shown = null; // the day that the keys move

  const utc = (year, month, day) => {
    const at = new Date(Date.UTC(2000, month - 1, day));
    at.setUTCFullYear(year, month - 1, day);
    return at.getUTCMonth() === month - 1 ? at : null;
  };
  const iso = (day) => day.toISOString().slice(0, 10);
  const plus = (day, days) => new Date(day.getTime() + days * 86400000);
  const plusMonths = (day, months) => {
    const first = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1));
    const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0));
    return plus(first, Math.min(day.getUTCDate(), last.getUTCDate()) - 1);
  };

  const field = () => opener.parentElement.querySelector("input");
  const read = (text, form) => {
    const found = ISO.exec(text);
    if (found) return utc(Number(found[1]), Number(found[2]), Number(found[3]));
    const figures = FIGURES.exec(text);
    if (!figures) return null;
    const [first, second, year] = figures.slice(1).map(Number);
    return form.search(/[dj]/) < form.search(/[mn]/) ? utc(year, second, first) : utc(year, first, second);
  };
  const write = (day, form) => {
    const two = (figure) => String(figure).padStart(2, "0");
    const parts = { d: two(day.getUTCDate()), m: two(day.getUTCMonth() + 1), Y: String(day.getUTCFullYear()).padStart(4, "0") };
    return form.replace(/[dmY]/g, (letter) => parts[letter]);
  };

  // --- What it looks like ------------------------------------------------------------------------

  const made = (tag, attributes = {}, ...inside) => {
    const element = document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
    element.append(...inside);
    return element;
  };
  const turn = (sign) => made("button", { type: "button", class: "calendar-turn" }, sign);
  const before = turn("‹");
  const after = turn("›");
  const title = made("p", { class: "calendar-month", id: "calendar-month", "aria-live": "polite" });
  const grid = made("table", { role: "grid", "aria-labelledby": "calendar-month" });
  const calendar = made("dialog", { class: "calendar" }, made("div", { class: "calendar-head" }, before, title, after), grid);

  const cell = (day, chosen) => {
    const { today } = opener.dataset;
    const button = made("button", { type: "button", "data-day": iso(day), "aria-label": inFull.format(day) }, String(day.getUTCDate()));
    button.tabIndex = iso(day) === iso(shown) ? 0 : -1;
    if (iso(day) === today) button.setAttribute("aria-current", "date");
    return made("td", { role: "gridcell", "aria-selected": Boolean(chosen) && iso(day) === iso(chosen) }, button);
  };

  const draw = () => {
    const starts = Number(opener.dataset.first);
    const first = plus(shown, 1 - shown.getUTCDate());
    const begin = plus(first, -((first.getUTCDay() - starts + 7) % 7));
    const chosen = read(field().value, opener.dataset.calendar);
    title.textContent = inMonth.format(shown);
    const week = [0, 1, 2, 3, 4, 5, 6];
    const head = made("tr", {}, ...week.map((at) => made("th", { scope: "col", abbr: weekday.long.format(plus(begin, at)) }, weekday.short.format(plus(begin, at)))));
    const lines = [];
    for (let from = begin; from < first || from.getUTCMonth() === shown.getUTCMonth(); from = plus(from, 7)) {
      lines.push(made("tr", {}, ...week.map((at) => {
        const day = plus(from, at);
        return day.getUTCMonth() === shown.getUTCMonth() ? cell(day, chosen) : made("td");
      })));
    }
    grid.replaceChildren(made("thead", {}, head), made("tbody", {}, ...lines));
  };

  const move = (day) => {
    if (day.getUTCFullYear() < 1 || day.getUTCFullYear() > 9998) return;
    shown = day;
    draw();
    grid.querySelector('[tabindex="0"]').focus();
  };

  // --- Open, take a day, close -------------------------------------------------------------------

  const place = () => {
    const at = field().getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = calendar;
    const below = at.bottom + height + 8 <= innerHeight;
    calendar.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
    calendar.style.top = `${below ? at.bottom + 4 : Math.max(8, at.top - height - 4)}px`;
  };

  const open = (button) => {
    opener = button;
    const { calendar: form, today, before: earlier, after: later } = button.dataset;
    shown = read(field().value, form) ?? read(today, form);
    calendar.setAttribute("aria-label", button.getAttribute("aria-label"));
    before.setAttribute("aria-label", earlier);
    after.setAttribute("aria-label", later);
    if (!calendar.isConnected) document.body.append(calendar);
    button.setAttribute("aria-expanded", "true");
    draw();
    calendar.showModal();
    place();
    grid.querySelector('[tabindex="0"]').focus();
  };

  const take = (day) => {
    const input = field();
    const { calendar: form, clock } = opener.dataset;
    const typed = input.value.trim().replace(ISO, "").replace(FIGURES, "").replace(/^[T, ]+/, "");
    input.value = clock ? `${write(day, form)} ${typed || clock}` : write(day, form);
    calendar.close();
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
    input.focus();
    if (clock) input.setSelectionRange(write(day, form).length + 1, input.value.length);
  };

  calendar.addEventListener("close", () => {
    opener.removeAttribute("aria-expanded");
  });
  calendar.addEventListener("click", (event) => {
    const day = event.target.closest("[data-day]");
    if (day) take(read(day.dataset.day, ""));
    else if (event.target === calendar) calendar.close(); // beside it
  });
  // The buttons keep the focus: whoever presses one, presses it again.
  before.addEventListener("click", () => { shown = plusMonths(shown, -1); draw(); });
  after.addEventListener("click", () => { shown = plusMonths(shown, 1); draw(); });

  grid.addEventListener("keydown", (event) => {
    const starts = Number(opener.dataset.first);
    const inWeek = (shown.getUTCDay() - starts + 7) % 7;
    const to = {
      ArrowLeft: () => plus(shown, -1),
      ArrowRight: () => plus(shown, 1),
      ArrowUp: () => plus(shown, -7),
      ArrowDown: () => plus(shown, 7),
      Home: () => plus(shown, -inWeek),
      End: () => plus(shown, 6 - inWeek),
      PageUp: () => plusMonths(shown, event.shiftKey ? -12 : -1),
      PageDown: () => plusMonths(shown, event.shiftKey ? 12 : 1),
    }[event.key];
    if (!to || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    move(to());
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-calendar]");
    if (button) open(button);
    const link = event.target.closest("[data-sets]");
    const form = link?.closest("form");
    if (form?.method !== "post" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    for (const [name, value] of new URLSearchParams(link.dataset.sets)) {
      const input = form.elements[name];
      const { calendar: letters } = input.parentElement.querySelector("[data-calendar]").dataset;
      input.value = write(read(value, letters), letters);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
  });
  for (const button of document.querySelectorAll("[data-calendar]")) button.hidden = false;
})();
