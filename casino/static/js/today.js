// The start page: kept up to date by itself. Whoever stands on a link stays on it.
(() => {
  "use strict";
  const root = document.documentElement;
  const today = document.getElementById("today");

  const shown = (html) => {
    const known = (link) => `${link.getAttribute("href")} ${link.textContent}`;
    const stood = document.activeElement?.closest("#today a[href]");
    const focused = stood && known(stood);
    const kept = window.charts.kept(today);
    today.innerHTML = html;
    kept();
    if (focused) [...today.querySelectorAll("a[href]")].find((link) => known(link) === focused)?.focus({ preventScroll: true });
  };
  window.live({
    address: () => today.dataset.live,
    etag: today.dataset.etag,
    shown,
    line: (state) => { root.dataset.line = state === "gone" ? "offline" : state; },
  });
})();
