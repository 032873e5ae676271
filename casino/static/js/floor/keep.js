// Dice that lie on the table, marked one by one; the button says how many are kept.
(() => {
  "use strict";
  const { floor } = window;
  const { find, all } = floor;

  const form = () => find("[data-entry-keep]");
  const boxes = () => all("[data-entry-keep] [data-place]");
  const marked = () => boxes().filter((box) => box.checked).length;

  const draw = () => {
    const button = find("#do-keep");
    if (!button) return;
    button.disabled = !marked() || Boolean(floor.flying);
    button.textContent = marked() ? button.dataset.some.replace("##", marked()) : button.dataset.none;
  };

  floor.entries.push({
    draw,
    owns: (sent) => sent === form(),
    ready: () => marked() > 0,
    digit: (place) => {
      const box = boxes()[place - 1];
      if (!box) return false;
      box.checked = !box.checked;
      draw();
      return true;
    },
  });

  document.addEventListener("change", (event) => {
    if (event.target.closest("[data-entry-keep]")) draw();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-keep-all]")) return;
    if (event.detail > 0) floor.play().focus({ preventScroll: true });
    const every = marked() === boxes().length;
    boxes().forEach((box) => { box.checked = !every; });
    draw();
  });
})();
