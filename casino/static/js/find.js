// "/" goes to the box in which one types what is looked for; Escape leaves it.
(() => {
  "use strict";
  const box = document.querySelector("[data-find]") || document.querySelector('form[role="search"] input');
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !box) return;
    if (event.key === "Escape" && document.activeElement === box) box.blur();
    if (event.key !== "/" || event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    box.focus();
    box.select();
  });
})();
