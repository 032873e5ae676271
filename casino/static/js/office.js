// Tables in the office: a click anywhere in a row opens what it is about; j, k and Enter do the same.
// On a phone the sections of a group lie in one line: the one that is open is brought into sight.
(() => {
  "use strict";
  const line = document.querySelector(".rail-here");
  const here = line?.querySelector('[aria-current="page"]')?.getBoundingClientRect();
  if (here) line.scrollLeft += here.left + here.width / 2 - innerWidth / 2;

  addEventListener("beforeprint", () => {
    for (const time of document.querySelectorAll("[data-printed]")) {
      const { zone, locale } = time.dataset;
      const figures = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" };
      time.textContent = new Date().toLocaleString(locale, { ...figures, timeZone: zone }).replace(",", "");
    }
  });

  const rows = () => [...document.querySelectorAll("tr[data-href]")];
  const link = (row) => row.querySelector("a[href]");

  document.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-href]");
    if (row && !event.target.closest("a, button") && !String(getSelection())) location.assign(row.dataset.href);
  });

  const go = (step) => {
    const all = rows();
    const here = all.indexOf(document.activeElement.closest("tr"));
    const next = all[here < 0 ? 0 : Math.max(0, Math.min(all.length - 1, here + step))];
    if (next) link(next)?.focus();
  };
  if (rows().length) {
    window.keyways.on("row-next", () => go(1));
    window.keyways.on("row-before", () => go(-1));
    window.keyways.way("row-open"); // the link that has the focus
  }
})();
