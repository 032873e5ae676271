// Keyboard, number pad, and what opens and closes. Loaded last: it draws the page as it stands.
//
// A button with data-way="undo" is pressed by the keys of that way (js/keyways.js), one of a game with
// data-key="u /" by these keys ("A": Shift and a), one with data-enter by Enter.
(() => {
  "use strict";
  const { floor, taps } = window;
  const { find, all } = floor;

  const inSight = (buttons) => buttons.find((button) => !button.disabled && button.checkVisibility());
  const press = (button) => {
    button?.click();
    return Boolean(button);
  };
  const taken = (method, ...given) => floor.entries.some((entry) => entry[method]?.(...given));

  const toggleLog = () => {
    const open = document.body.dataset.log !== "open";
    document.body.dataset.log = open ? "open" : "";
    document.querySelector(".log-button").setAttribute("aria-expanded", open);
    if (open) find(".log-close").focus();
  };
  // The keys of every table. What a game adds is in its own templates, as data-key.
  const { way } = window.keyways;
  const folded = (button) => {
    const menu = !button.disabled && !button.matches("summary") && button.closest("details.menu:not([open])");
    return menu && menu.querySelector("summary").checkVisibility() ? menu : null;
  };
  const reachable = (buttons) => inSight(buttons) || buttons.find(folded);
  const enters = () => inSight(all("[data-enter]")) || inSight(all("[data-stand]"));
  const is = { back: way("dice-back", () => inSight(all("[data-face]"))), enter: way("enter", enters), close: way("close") };
  const named = ["stand", "undo", "no-throw", "pause", "buy-in"].map((name) => ({ name, is: way(name, () => reachable(all(`[data-way="${name}"]`))) }));
  const close = () => {
    const left = document.activeElement?.closest("#board details.menu[open]");
    floor.closeMenus();
    if (taps.writing()?.checkVisibility() === false) floor.play().focus({ preventScroll: true });
    else left?.querySelector("summary").focus({ preventScroll: true });
    if (document.body.dataset.log === "open") toggleLog();
  };

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-log-toggle]")) toggleLog();
    else floor.closeMenus(event.target.closest("details.menu"));
  });

  // A menu that the focus has left by Tab is closed.
  document.addEventListener("keyup", ({ key, target }) => {
    if (key === "Tab") floor.closeMenus(target.closest?.("details.menu"));
  });

  // What is asked once more is seen with the button that answers it.
  document.addEventListener("toggle", ({ target }) => {
    if (target.matches("#board details.sure[open]")) target.scrollIntoView({ block: "nearest" });
  }, true);

  const figure = (digit) => floor.noThrow(digit) || taken("digit", digit);
  const keyed = (key) => {
    const names = named.filter((each) => each.is(key)).map(({ name }) => name);
    return all("[data-key], [data-way]").filter(({ dataset }) =>
      dataset.key?.split(" ").includes(key) || names.includes(dataset.way));
  };
  // What lies in a closed menu is led to: the same key, or Enter, presses it then.
  const lead = (button) => {
    if (!button) return false;
    floor.closeMenus();
    folded(button).open = true;
    button.focus({ preventScroll: true });
    return true;
  };
  const word = (key) => press(inSight(keyed(key))) || lead(keyed(key).find(folded));
  const enter = () => press(enters());

  // A letter with Shift is a key of its own; one with the capitals locked is not.
  const meant = ({ key, shiftKey }) => (key.length > 1 ? key : shiftKey ? key.toUpperCase() : key.toLowerCase());

  const struck = (key, onButton) => {
    if (/^[0-9]$/.test(key)) return figure(Number(key));
    if (is.back(key)) return taken("back") || true;
    if (key === "." || key === ",") return taken("point");
    if (is.enter(key)) return !onButton && enter();
    if (is.close(key)) return close() ?? true;
    return key.length === 1 && (taken("letter", key.toLowerCase()) || word(key));
  };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const field = event.target.closest("input, select, textarea");
    if (field?.matches("[type=radio], [type=checkbox]") ? /^(Arrow|Tab| )/.test(event.key) : field) {
      if (is.close(event)) close();
      return;
    }
    if (!taps.hears() && !is.close(event)) {
      const confirms = event.key === "Enter" && enters() && !event.target.closest("button, a, summary");
      if ((event.key.length === 1 && event.key !== " ") || confirms) floor.say(floor.board.dataset.sayUntaken, floor.board.dataset.sayKeysElsewhere, { alarm: true });
      return;
    }
    if (struck(meant(event), event.target.closest("button, a, summary"))) event.preventDefault();
  });

  floor.draw();
  floor.board.dataset.ready = ""; // from now on a tap on a face is heard
  taps.begin();
})();
