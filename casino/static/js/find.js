// The way "find-here" goes to the box in which one types what is looked for on this page: the search box
// or, in a list, the first of its filters in which one writes. Escape leaves it.
(() => {
  "use strict";
  const boxes = ["[data-find]", 'form[role="search"]:not(.palette-box) input', ".filters :is([type=text], [type=search])"];
  const box = boxes.map((each) => document.querySelector(each)).find(Boolean);
  if (!box) return;
  window.keyways.on("find-here", () => {
    box.focus();
    box.select();
  });
  box.addEventListener("keydown", (event) => { if (event.key === "Escape") box.blur(); });
})();
