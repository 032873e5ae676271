// How things stood: the slider and the links beside it put another moment in the place of this one,
// and its address into the address bar. Without this the same form and links load a page each.
(() => {
  "use strict";
  const PAUSE = 120; // milliseconds in which a slider that moves asks for nothing
  let timer = 0;
  let asked = 0;

  const show = async (address) => {
    const mine = ++asked;
    let answer;
    try {
      answer = await window.askHouse(address, { headers: { Accept: "text/html" } });
    } catch {
      location.assign(address);
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = document.getElementById("at");
    const then = page.getElementById("at");
    if (mine !== asked) return; // somebody has gone on meanwhile
    if (!answer.ok || !then || !now) {
      location.assign(address);
      return;
    }
    const held = document.activeElement;
    const again = held?.id ? `#${CSS.escape(held.id)}` : held?.rel ? `a[rel="${held.rel}"]` : "";
    const opened = [...now.querySelectorAll("details")].map((each) => each.open);
    swap(now, document.adoptNode(then), held);
    document.querySelectorAll("#at details").forEach((each, place) => { each.open = opened[place] ?? each.open; });
    document.title = page.title;
    history.replaceState(null, "", answer.url);
    if (again && document.activeElement !== held) document.querySelector(again)?.focus();
    ready();
  };

  // A slider that somebody holds stays where it is, or it would slip out of the hand.
  const swap = (now, then, held) => {
    const mine = held?.matches("[data-at]") && held.form.parentNode === now ? held.form : null;
    const place = [...then.children].find((each) => each.matches("[data-at-form]"));
    if (!mine || !place) {
      now.replaceWith(then);
      return;
    }
    now.className = then.className;
    for (const each of [...now.childNodes]) if (each !== mine) each.remove();
    let behind = false;
    for (const each of [...then.childNodes]) {
      if (each === place) behind = true;
      else if (behind) now.append(each);
      else mine.before(each);
    }
  };

  const ready = () => document.querySelector("[data-at-form]")?.classList.add("at-goes");

  const named = (slider) => {
    const form = slider.form;
    const address = new URL(form.action);
    address.search = new URLSearchParams({ [slider.name]: slider.value });
    return address;
  };

  document.addEventListener("input", (event) => {
    if (!event.target.matches("[data-at]")) return;
    const slider = event.target;
    slider.form.querySelector("output").textContent = slider.value;
    clearTimeout(timer);
    timer = setTimeout(() => show(named(slider)), PAUSE);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-at-link]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(link.href);
  });
  // The event before and after; in the slider the same keys move the slider.
  for (const [way, rel] of [["step-before", "prev"], ["step-next", "next"]]) {
    window.keyways.on(way, () => {
      const link = document.querySelector(`#at a[rel="${rel}"]`);
      if (link) show(link.href);
      return Boolean(link);
    });
  }
  ready();
})();
