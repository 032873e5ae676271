// An amount: digits tapped or typed anywhere go into it, steps are added to it.
(() => {
  "use strict";
  const { coins, floor } = window;
  const { all } = floor;
  const DIGITS_MAX = 9;

  // The one that is in sight: others lie in menus that are closed.
  const field = () => all("[data-amount] input").find((each) => each.checkVisibility());

  const put = (input, figure) => {
    const fresh = input.value === input.defaultValue && !input.dataset.typed;
    input.dataset.typed = "1";
    if (figure === "clear") input.value = "";
    else if (figure === "back") input.value = input.value.slice(0, -1);
    else input.value = (coins.press(fresh ? "" : input.value, figure) ?? input.value).slice(0, DIGITS_MAX + coins.digits + 1);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };

  const add = (input, step) => {
    const most = input.dataset.most === undefined ? Infinity : Number(input.dataset.most);
    input.value = coins.typed(step === "most" ? most : Math.min(most, (coins.read(input.value) || 0) + Number(step)));
    input.dataset.typed = "1";
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };

  floor.entries.push({
    digit: (figure) => {
      if (!field()) return false;
      put(field(), String(figure));
      return true;
    },
    back: () => {
      if (!field()?.value) return false;
      put(field(), "back");
      return true;
    },
  });

  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-digit], [data-add]");
    const input = key?.closest("[data-amount]")?.querySelector("input");
    if (!input) return;
    // A finger leaves no focus behind: Enter after it confirms, and adds nothing once more.
    if (event.detail > 0 && !input.closest("details.menu")) floor.play().focus({ preventScroll: true });
    if (key.dataset.digit) put(input, key.dataset.digit);
    else add(input, key.dataset.add);
  });
})();
