// The box that finds everything and says what one may do: Ctrl-K, "/" on a page without a search box of
// its own, or the button in the header. What fits is the house's answer (casino/office/dashboard/palette.py); without
// this script the button is a link to the same answer as a page.
(() => {
  "use strict";
  const dialog = document.getElementById("palette");
  if (!dialog?.showModal) return;
  const AFTER_TYPING = 140; // milliseconds
  const form = dialog.querySelector("form");
  const box = form.elements.q;
  const list = document.getElementById("palette-found");
  const status = dialog.querySelector("[data-palette-status]");
  let timer = 0;
  let flying = null;
  let shown = null; // the words that the list answers
  let entering = false; // Enter came before the answer

  const options = () => [...list.querySelectorAll('[role="option"]')];
  const marked = () => list.querySelector('[aria-selected="true"]');
  const mark = (option) => {
    marked()?.setAttribute("aria-selected", "false");
    option?.setAttribute("aria-selected", "true");
    if (option) box.setAttribute("aria-activedescendant", option.id);
    else box.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  };
  const move = (step) => {
    const all = options();
    const at = all.indexOf(marked());
    mark(all[at < 0 ? (step > 0 ? 0 : all.length - 1) : (at + step + all.length) % all.length]);
  };
  const draw = (html, words) => {
    list.innerHTML = html;
    list.scrollTop = 0;
    shown = words;
    const many = options().length;
    box.setAttribute("aria-expanded", String(many > 0));
    status.textContent = dialog.dataset.many.replace("{n}", many);
    mark(words ? options()[0] : null);
    if (entering && marked()) marked().click();
    entering = false;
  };
  const lost = () => {
    const sentence = document.createElement("p");
    sentence.className = "soft found-nothing";
    sentence.textContent = dialog.dataset.none;
    list.replaceChildren(sentence);
    shown = null;
    entering = false;
    status.textContent = dialog.dataset.none;
  };

  const look = async () => {
    clearTimeout(timer);
    flying?.abort();
    const mine = flying = new AbortController();
    const words = box.value.trim();
    const query = new URLSearchParams({ q: words, as: "fragment" });
    try {
      const answer = await window.askHouse(`${form.action}?${query}`, { signal: mine.signal, redirect: "manual" });
      if (answer.type === "opaqueredirect") location.assign(`${form.action}?${new URLSearchParams({ q: words })}`); // signed out
      else if (!answer.ok) throw new Error(String(answer.status));
      else draw(await answer.text(), words);
    } catch {
      if (!mine.signal.aborted) lost();
    }
    if (flying === mine) flying = null;
  };
  const open = () => {
    if (document.querySelector("dialog[open]")) return; // what is open there may be half written
    document.querySelector("[popover]:popover-open")?.hidePopover();
    dialog.showModal();
    box.focus();
    box.select();
    look();
  };

  box.addEventListener("input", () => {
    clearTimeout(timer);
    flying?.abort();
    entering = false;
    timer = setTimeout(look, AFTER_TYPING);
  });
  const next = (event) => event.key === "ArrowDown";
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (next(event) || event.key === "ArrowUp") move(next(event) ? 1 : -1);
    else if (event.key === "Enter") enter();
    else return;
    event.preventDefault();
  });
  const enter = () => {
    if (shown === box.value.trim()) (marked() ?? options()[0])?.click();
    else {
      entering = true;
      look();
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    enter();
  });
  list.addEventListener("pointermove", (event) => {
    const option = event.target.closest('[role="option"]');
    if (option && option !== marked()) mark(option);
  });
  // To a part of the page that is open already: nothing is loaded, so the box has to go by itself.
  list.addEventListener("click", (event) => { if (event.target.closest("a[href]")) dialog.close(); });
  dialog.addEventListener("close", () => {
    clearTimeout(timer);
    flying?.abort();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("[data-palette-close]")) dialog.close();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-palette]") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });

  window.keyways.on("find", open, { anywhere: true });
  // Where a page has a search box of its own, "/" goes there; at a table it takes the last throw back.
  const { has, on } = window.keyways;
  if (!has("find-here") && !has("undo")) on("find-slash", open);
})();
