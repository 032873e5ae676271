// Dice that lie on the table, marked one by one; the button says how many are kept, and what all
// kept dice come to where they count.
(() => {
  "use strict";
  const { floor } = window;
  const { find, all } = floor;

  const form = () => find("[data-entry-keep]");
  const boxes = () => all("[data-entry-keep] [data-place]");
  const checked = () => boxes().filter((box) => box.checked);
  const marked = () => checked().length;
  const total = () => checked().reduce((sum, box) => sum + Number(box.dataset.counts ?? 0), Number(form().dataset.total));

  const draw = () => {
    const button = find("#do-keep");
    if (!button) return;
    button.disabled = !marked() || Boolean(floor.flying);
    const bust = total() > Number(form().dataset.above ?? Infinity);
    button.textContent = !marked() ? button.dataset.none
      : button.dataset[bust ? "bust" : "some"].replace("##", marked()).replace("++", total());
    button.classList.toggle("button-bust", marked() > 0 && bust);
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
    if (!event.target.closest("[data-keep-all]") || floor.flying) return;
    if (event.detail > 0) floor.play().focus({ preventScroll: true });
    boxes().forEach((box) => { box.checked = true; });
    form().requestSubmit();
  });
})();
