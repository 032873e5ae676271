// Puts a board on the page as the house or this device has drawn it.
//
// Lines of the log that are as they were stay where they are: to lay out the same evening anew at
// each tap is what would take the time.
(() => {
  "use strict";
  const { floor } = window;
  const { board } = floor;
  const texts = new WeakMap(); // what a line was drawn from

  const drawnFrom = (line) => {
    if (!texts.has(line)) texts.set(line, line.outerHTML);
    return texts.get(line);
  };

  // Both lists are newest first: what is new comes in front, what is gone or differs goes.
  const patch = (list, fresh) => {
    let here = list.firstElementChild;
    const goOn = () => {
      const next = here.nextElementSibling;
      here.remove();
      here = next;
    };
    for (const line of [...fresh.children]) {
      let same = here;
      while (same && drawnFrom(same) !== drawnFrom(line)) same = same.nextElementSibling;
      if (same) {
        while (here !== same) goOn();
        here = here.nextElementSibling;
      } else list.insertBefore(line, here);
    }
    while (here) goOn();
  };

  floor.put = (html) => {
    const fresh = document.createElement("template");
    fresh.innerHTML = html;
    const log = floor.find("#log:has(> ol)");
    const next = fresh.content.querySelector("#log:has(> ol)");
    if (log && next) {
      patch(log.querySelector("ol"), next.querySelector("ol"));
      next.remove();
      while (board.firstChild !== log) board.firstChild.remove();
      while (log.nextSibling) log.nextSibling.remove();
      log.before(fresh.content);
    } else board.replaceChildren(fresh.content);
    floor.all("[hx-post]").forEach((form) => window.htmx.process(form));
    document.dispatchEvent(new CustomEvent("floor:shown"));
  };
})();
