// A no throw by number: the reason; where several throw, first whose it was, then the reason.
(() => {
  "use strict";
  const { floor } = window;
  const menu = () => floor.find("#menu-no-throw");
  const forms = () => floor.all("#menu-no-throw form");
  const chosen = () => floor.find("#menu-no-throw form[data-chosen]");
  const reason = (form, digit) => form?.querySelector(`[data-reason="${digit}"]`);

  const choose = (form) => {
    chosen()?.removeAttribute("data-chosen");
    form?.setAttribute("data-chosen", "");
    form?.querySelector("button")?.focus();
    return Boolean(form);
  };
  const press = (button) => {
    button?.click();
    return true;
  };

  // True: the figure was for the open menu.
  floor.noThrow = (digit) => {
    if (!menu()?.open) return false;
    if (forms().length === 1) return press(reason(forms()[0], digit));
    return chosen() ? press(reason(chosen(), digit)) : choose(forms()[digit - 1]) || true;
  };

  document.addEventListener("toggle", (event) => {
    if (event.target === menu() && !event.target.open) choose(null);
  }, true);
})();
