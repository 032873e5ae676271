// The table, in the attendant's hands. This script is loaded first: what all others stand on.
//
// An entry is what the next action asks for: dice, marks, an amount. Each kind registers itself:
//   draw()       show on the page what has been entered
//   reset(refused)   forget what has been entered; after a refusal it may be kept
//   dirty()      is anything entered?
//   half()       is a part of it entered, and its last tap would send it?
//   owns(form), ready(form)   may this form be sent?
//   keep(), restore(kept)   what has been entered, as data for the time that the page is away; null: nothing
//   fill(form)   put what has been entered into a form that is about to be sent
//   digit(n), point(), back()   keys of the number pad; true: taken
//   letter(key)  a letter, before the buttons that it presses; true: taken
window.floor = (() => {
  "use strict";
  const board = document.getElementById("board");
  const root = document.documentElement;

  const floor = {
    board,
    taps: window.taps,
    entries: [],
    // What has to be answered before anything more is entered: {form, typed: what stood in fields
    // then}. Where the device foresees what comes of a command nothing has to.
    flying: null,
    find: (selector) => board.querySelector(selector),
    all: (selector) => [...board.querySelectorAll(selector)],
    play: () => board.querySelector(".play"),
    draw: () => floor.entries.forEach((entry) => entry.draw?.()),
    reset: (refused) => floor.entries.forEach((entry) => entry.reset?.(refused)),
    dirty: () => floor.entries.some((entry) => entry.dirty?.()) || floor.touched().length > 0,
    // Fields that somebody has changed and nobody has sent.
    touched: () => floor.all("input, select, textarea").filter((field) =>
      field.type !== "hidden" &&
      (field.matches("[type=radio], [type=checkbox]") ? field.checked !== field.defaultChecked
        : field.matches("select") ? [...field.options].some((each) => each.selected !== each.defaultSelected) && field.selectedIndex > 0
          : field.value !== field.defaultValue)),
    typed: (within = () => true) => floor.touched().filter(within).map((field) =>
      ({ id: field.id, value: field.value, checked: field.checked, called: field.getAttribute("aria-label") })),
    // What is done with as soon as this form is sent: its fields, and those of the act that is asked for.
    typedFor: (sent) => floor.typed((field) => sent.contains(field) || field.closest(".entry")),
    // Whoever has sent something has left its menu, and the keys are the table's again.
    sentOff: (sent) => {
      if (sent.matches(".action-undo")) floor.taps.holdUndo();
      floor.taps.act();
      const leaves = sent.contains(document.activeElement) || !floor.taps.writing();
      floor.closeMenus();
      if (!leaves) return;
      floor.play()?.focus({ preventScroll: true });
      floor.taps.come();
    },

    say: (word, sentence, { alarm = false } = {}) => {
      const strong = document.createElement("b");
      strong.textContent = word;
      const rest = document.createElement("span");
      rest.textContent = sentence;
      floor.sayAgain(word ? [strong, " ", rest] : [], alarm);
    },
    // What was said before the board was drawn anew, as urgent as it was.
    sayAgain: (parts, alarm) => {
      const line = floor.find("#say");
      if (!line) return;
      line.classList.toggle("say-alarm", alarm);
      line.setAttribute("role", alarm ? "alert" : "status");
      line.replaceChildren(...parts);
    },
    state: (name) => {
      if (floor.play()) floor.play().dataset.state = name;
    },
    line: (name) => {
      const before = root.dataset.line ?? "online";
      root.dataset.line = name;
      if (name !== before) document.dispatchEvent(new CustomEvent("floor:line", { detail: name }));
    },
    announce: (sentence) => {
      document.getElementById("announce").textContent = sentence;
    },
    closeMenus: (but) => {
      document.querySelectorAll("details.menu[open]").forEach((menu) => {
        if (menu !== but) menu.open = false;
      });
    },
  };
  return floor;
})();
