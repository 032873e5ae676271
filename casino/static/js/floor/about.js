// A tap on a seat opens what may be done about that player: money brought, paid out, leaving. It is
// the menu behind More with everything else left out, so that keyboards lose nothing by it.
(() => {
  "use strict";
  const { floor } = window;
  const { board, find } = floor;

  const fields = (menu) => [...menu.querySelectorAll('[name="player"]')];
  const about = (menu, who) => fields(menu).filter((field) => field.type !== "text" && field.value === who);

  const open = (seat) => {
    const menu = find("#menu-more");
    const name = seat.querySelector(".seat-name, .row-name")?.textContent.trim();
    const found = menu && name ? about(menu, name) : [];
    if (!found.length) return;
    const forms = new Set(found.map((field) => field.closest("form")));
    menu.querySelectorAll(".menu-body > *").forEach((each) => { each.hidden = !forms.has(each); });
    found.forEach((field) => {
      if (field.type === "radio") field.checked = true;
      if (forms.size === 1) field.closest("form").querySelector("details")?.setAttribute("open", "");
    });
    floor.closeMenus(menu);
    menu.open = true;
    menu.querySelector("form:not([hidden]) summary, form:not([hidden]) button")?.focus({ preventScroll: true });
  };

  board.addEventListener("click", (event) => {
    const seat = event.target.closest(".seat");
    if (!seat || event.target.closest("a, button, input, label, summary")) return;
    event.stopPropagation(); // a click beside a menu closes it
    open(seat);
  });
  board.addEventListener("toggle", (event) => {
    if (event.target.id !== "menu-more" || event.target.open) return;
    event.target.querySelectorAll(".menu-body > *").forEach((each) => { each.hidden = false; });
  }, true);
})();
