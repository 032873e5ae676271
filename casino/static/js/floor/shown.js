// Puts a board on the page as the house or this device has drawn it.
//
// Lines of the log that are as they were stay where they are, and are not even read: they are most of
// a board, and to lay out the same evening anew at each tap is what would take the time.
(() => {
  "use strict";
  const { floor } = window;
  const { board } = floor;
  const LINES = /(<ol reversed data-keep-scroll="log"[^>]*>)([^]*?)(?=<\/ol>)/;
  const EACH = /(?=<li class="(?:happened|log-rest)[ "])/;

  let known = { list: null, texts: [] }; // what the lines of a list were made from, in its order

  const made = (html) => {
    const fresh = document.createElement("template");
    fresh.innerHTML = html;
    return fresh.content;
  };

  // Newest first: what is new comes in front, what is gone or differs goes.
  const patch = (list, texts) => {
    const [...before] = known.texts;
    let here = list.firstElementChild;
    const goOn = () => {
      const next = here.nextElementSibling;
      here.remove();
      before.shift();
      here = next;
    };
    for (const text of texts) {
      const place = before.indexOf(text);
      if (place < 0) list.insertBefore(made(text), here);
      else {
        for (let gone = 0; gone < place; gone++) goOn();
        before.shift();
        here = here.nextElementSibling;
      }
    }
    while (here) goOn();
    known.texts = texts;
  };

  const replace = (html, texts) => {
    board.replaceChildren(made(html));
    known = { list: floor.find("#log > ol"), texts };
    if (known.list?.childElementCount !== texts.length) known.list = null; // it is no list of lines
  };

  floor.put = (html) => {
    const texts = (LINES.exec(html)?.[2] ?? "").split(EACH).slice(1);
    const log = floor.find("#log");
    if (texts.length && log && known.list && log.contains(known.list)) {
      const fresh = made(html.replace(LINES, "$1"));
      patch(known.list, texts);
      fresh.querySelector("#log").remove();
      while (board.firstChild !== log) board.firstChild.remove();
      while (log.nextSibling) log.nextSibling.remove();
      log.before(fresh);
    } else replace(html, texts);
    floor.all("[hx-post]").forEach((form) => window.htmx.process(form));
    document.dispatchEvent(new CustomEvent("floor:shown"));
  };
})();
