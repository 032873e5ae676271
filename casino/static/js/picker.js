// Known players: two letters into a field that has data-picker around it, and the house's regulars
// stand below it. Nothing is filled in that nobody chose; without a line the field is a plain one.
// Whatever name a field holds, typed or put there by a button: where the house says that it may be
// somebody who is excluded, a note in the picker says so, as long as the name stands there.
//
//   data-picker          where to ask, with ?letters=…
//   data-picker-label    what the list is called
//   data-picked, data-into   on a button: this name into the field of that id
//   data-picker-least    letters before it asks; 0: it asks as soon as somebody is in the field
(() => {
  "use strict";
  const AFTER = 120; // milliseconds after the last letter

  let input = null; // the field that the list belongs to
  let at = -1;
  let timer = 0;
  let asked = null;

  const list = document.createElement("ul");
  list.id = "picker-list";
  list.className = "picker-list";
  list.role = "listbox";
  list.hidden = true;

  const warnings = new Map(); // what the house said of a name; "": nothing, or it is being asked

  const picker = (field) => field.closest("[data-picker]");
  const fields = () => [...document.querySelectorAll("[data-picker] input")];
  const options = () => [...list.children];
  const plain = (name) => name.normalize("NFC").trim().toLowerCase();

  const drawNotes = () => fields().forEach((field) => {
    picker(field).querySelector(".picker-note").textContent = warnings.get(plain(field.value)) ?? "";
  });
  const warn = (name, warning) => {
    warnings.set(plain(name), warning);
    drawNotes();
  };
  const seated = () => [...input.form.querySelectorAll('input[name="player"]')]
    .filter((each) => each !== input).map((each) => plain(each.value));

  const mark = (place) => {
    at = place;
    options().forEach((each, number) => each.setAttribute("aria-selected", number === at));
    if (at < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", options()[at].id);
    options()[at]?.scrollIntoView({ block: "nearest" });
  };

  const close = () => {
    clearTimeout(timer);
    asked?.abort();
    list.hidden = true;
    at = -1;
    input?.setAttribute("aria-expanded", "false");
    input?.removeAttribute("aria-activedescendant");
  };

  const show = ({ players }) => {
    const here = seated();
    const free = players.filter(({ name }) => !here.includes(plain(name)) && name !== input.value);
    list.replaceChildren(...free.map(({ name, lately, waits, warning: mine }, number) => {
      const option = document.createElement("li");
      option.id = `picker-${number}`;
      option.role = "option";
      option.dataset.name = name;
      option.dataset.warning = mine;
      option.textContent = waits ? `${name} · ${waits}` : name;
      option.classList.toggle("picker-lately", lately);
      return option;
    }));
    if (!free.length) return close();
    picker(input).append(list);
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    list.closest("details")?.scrollIntoView({ block: "nearest" });
    return mark(-1);
  };

  // What the house says of a name; null: it says nothing.
  const answerOf = async (field, asks, signal) => {
    const name = field.value.trim();
    const address = `${picker(field).dataset.picker}?letters=${encodeURIComponent(name)}`;
    const answer = await asks(address, { signal, headers: { Accept: "application/json" } });
    if (!answer.ok) return null;
    const said = await answer.json();
    warn(name, said.warning);
    return said;
  };

  const ask = async () => {
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
    try {
      const said = await answerOf(input, window.askHouse, signal);
      if (said && !signal.aborted) show(said);
    } catch {
      if (!signal.aborted) close(); // no line: a name can still be typed
    }
  };

  // Names that nobody waits for while they type them: put there by a button, or left before the house was asked.
  const lookUp = () => {
    drawNotes();
    for (const field of fields()) {
      const name = plain(field.value);
      if (!name || warnings.has(name)) continue;
      warnings.set(name, "");
      answerOf(field, window.askHouse.itself).catch(() => warnings.delete(name)); // no line: asked again
    }
  };

  const enough = () => input.value.trim().length >= Number(picker(input).dataset.pickerLeast);
  const wait = () => {
    clearTimeout(timer);
    if (enough()) timer = setTimeout(ask, AFTER);
    else close();
  };

  const pick = (option) => {
    const field = input;
    field.value = option.dataset.name;
    warn(field.value, option.dataset.warning);
    close();
    field.dispatchEvent(new CustomEvent("picked", { bubbles: true }));
  };

  const attach = (field) => {
    close(); // what was asked for another field is not shown under this one
    input = field;
    list.setAttribute("aria-label", picker(field).dataset.pickerLabel);
    picker(field).append(list);
    Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false" })
      .forEach(([name, value]) => field.setAttribute(name, value));
    if (!Number(picker(field).dataset.pickerLeast)) ask();
  };

  document.addEventListener("focusin", (event) => {
    const field = event.target.closest("[data-picker] input");
    if (field && field !== input) attach(field);
    else if (field && list.hidden) wait();
  });
  // Whoever was here lately is offered as soon as the field is unfolded: a finger needs no keys.
  document.addEventListener("toggle", (event) => {
    const field = event.target.open && event.target.querySelector('[data-picker-least="0"] input');
    if (field && field.checkVisibility()) attach(field);
  }, true);
  // Not under a finger: what lies in a menu moves when the list goes, and the button that is being
  // pressed would be another when it is let go.
  let pressed = false;
  let left = false;
  document.addEventListener("pointerdown", () => { pressed = true; }, true);
  for (const ends of ["pointerup", "pointercancel"]) {
    document.addEventListener(ends, () => setTimeout(() => {
      pressed = false;
      if (left && document.activeElement !== input) close();
      left = false;
    }), true);
  }
  document.addEventListener("focusout", (event) => {
    if (event.target !== input) return;
    if (pressed) left = true;
    else close();
    lookUp();
  });
  document.addEventListener("input", ({ target }) => {
    // A field that had the focus before this script came was never entered.
    if (target !== input && target.matches("[data-picker] input")) attach(target);
    if (target === input) wait();
    drawNotes();
  });

  // Before anybody else hears of it: while the list is open its keys are its own.
  document.addEventListener("keydown", (event) => {
    if (event.target !== input || list.hidden || event.altKey) return;
    const count = options().length;
    if (event.key === "ArrowDown") mark((at + 1) % count);
    else if (event.key === "ArrowUp") mark(at < 1 ? count - 1 : at - 1);
    else if (event.key === "Enter" && at >= 0) pick(options()[at]);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }, true);

  // The field keeps the focus, so that the device's keys stay up.
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) pick(option);
  });
  document.addEventListener("click", (event) => {
    const chosen = event.target.closest("[data-picked]");
    if (chosen) document.getElementById(chosen.dataset.into).value = chosen.dataset.picked;
    lookUp();
  });
  // What the page came with, and what was put back after the board was drawn anew.
  document.addEventListener("DOMContentLoaded", lookUp);
  document.addEventListener("floor:shown", () => setTimeout(lookUp));
})();
