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

  // --- What somebody writes in stays where it is: the field, with focus and cursor in it, what belongs
  // to it, and what it lies in. All else around it is new.

  const unit = (field) => field.closest("[data-picker], [data-amount], .field") ?? field;

  // From the board inwards: each with what stands for it in the fresh one; none, if it is not the same.
  const chain = (field, fresh) => {
    const twin = field.id && fresh.querySelector(`#${CSS.escape(field.id)}`);
    if (!twin || twin.getAttribute("aria-label") !== field.getAttribute("aria-label")) return [];
    const links = [];
    let [old, its] = [unit(field), unit(twin)];
    for (; old !== board && its; [old, its] = [old.parentElement, its.parentElement]) {
      if (old.tagName !== its.tagName || old.id !== its.id) return [];
      links.unshift([old, its]);
    }
    return old === board && !its ? links : [];
  };

  const dress = (old, its) => {
    for (const { name } of [...old.attributes]) if (name !== "open" && !its.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of its.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  };

  // stays: in their order, each with what stands for it.
  const around = (parent, fresh, stays) => {
    const [old, twins] = [stays.map(([each]) => each), stays.map(([, its]) => its)];
    for (const each of [...parent.childNodes]) if (!old.includes(each)) each.remove();
    let here = parent.firstChild;
    for (const each of [...fresh.childNodes]) {
      if (twins.includes(each)) here = here.nextSibling;
      else parent.insertBefore(each, here);
    }
  };

  const keepLinks = ([[old, its], ...inner]) => {
    if (!inner.length) return;
    dress(old, its);
    around(old, its, [inner[0]]);
    keepLinks(inner);
  };

  floor.put = (html, field = null) => {
    const texts = (LINES.exec(html)?.[2] ?? "").split(EACH).slice(1);
    const log = floor.find("#log");
    const goesOn = texts.length > 0 && log && known.list && log.contains(known.list);
    const fresh = made(goesOn ? html.replace(LINES, "$1") : html);
    const links = field ? chain(field, fresh) : [];
    if (goesOn) patch(known.list, texts);
    around(board, fresh, [...links.slice(0, 1), ...(goesOn ? [[log, fresh.querySelector("#log")]] : [])]);
    if (links.length) keepLinks(links);
    if (!goesOn) known = { list: floor.find("#log > ol"), texts };
    if (known.list?.childElementCount !== texts.length) known.list = null; // it is no list of lines
    floor.all("[hx-post]").forEach((form) => window.htmx.process(form));
    document.dispatchEvent(new CustomEvent("floor:shown"));
  };
})();
