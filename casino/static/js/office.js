// Tables in the office: a click anywhere in a row opens what it is about; j, k and Enter do the same.
// On a phone the sections lie in one line: the one that is open is brought into sight.
(() => {
  "use strict";
  const rail = document.querySelector(".rail");
  const here = rail?.querySelector('[aria-current="page"]')?.getBoundingClientRect();
  if (here) rail.scrollLeft += here.left + here.width / 2 - innerWidth / 2;

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

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    const step = { j: 1, k: -1 }[event.key];
    if (!step) return;
    const all = rows();
    const here = all.indexOf(document.activeElement.closest("tr"));
    const next = all[here < 0 ? 0 : Math.max(0, Math.min(all.length - 1, here + step))];
    if (next) link(next)?.focus();
  });
})();
