// Charts: the figures of the spot under the pointer or the keyboard, said below the plot.
// Arrow keys go from spot to spot, Home and End to the ends, Enter follows a spot's link, Escape
// leaves it. Listens at the document, since pages that update themselves replace their charts.
(() => {
  "use strict";
  const LEFT = new Set(["ArrowLeft", "ArrowUp"]);
  const RIGHT = new Set(["ArrowRight", "ArrowDown"]);

  const spotsOf = (plot) => [...plot.querySelectorAll(".plot-spot")];
  const placeOf = (spots) => spots.findIndex((spot) => spot.classList.contains("is-at"));
  // The words of a spot. As a tooltip they would cover the plot and say the same a second time.
  const told = (spot) => {
    const title = spot.querySelector("title");
    if (title) {
      spot.dataset.told = title.textContent;
      spot.querySelector("a")?.setAttribute("aria-label", title.textContent);
      title.remove();
    }
    return spot.dataset.told;
  };
  const lineOf = (plot) => plot.closest("[data-charts], .chart")?.querySelector("[data-chart-told]");
  const leave = (plot) => {
    spotsOf(plot).forEach((spot) => spot.classList.remove("is-at"));
    const line = lineOf(plot);
    if (line) line.textContent = "";
  };
  const go = (plot, spot) => {
    if (spot.classList.contains("is-at")) return;
    spotsOf(plot).forEach((each) => { told(each); each.classList.toggle("is-at", each === spot); });
    const line = lineOf(plot);
    if (line) line.textContent = told(spot);
  };

  document.addEventListener("pointerover", (event) => {
    const spot = event.target.closest?.(".plot-spot");
    const plot = spot?.closest("[data-chart]");
    if (plot) go(plot, spot);
  });
  document.addEventListener("pointerout", (event) => {
    const plot = event.target.closest?.("[data-chart]");
    const gone = plot && !plot.contains(event.relatedTarget);
    if (gone && event.pointerType === "mouse" && plot !== document.activeElement) leave(plot);
  });
  document.addEventListener("focusin", (event) => {
    const plot = event.target;
    if (!plot.matches?.("[data-chart]") || !plot.matches(":focus-visible")) return;
    const spots = spotsOf(plot);
    if (spots.length && placeOf(spots) < 0) go(plot, spots.at(-1));
  });
  document.addEventListener("focusout", (event) => {
    if (event.target.matches?.("[data-chart]")) leave(event.target);
  });
  document.addEventListener("keydown", (event) => {
    const plot = event.target;
    if (!plot.matches?.("[data-chart]") || event.ctrlKey || event.altKey || event.metaKey) return;
    const spots = spotsOf(plot);
    const at = placeOf(spots);
    if (!spots.length) return;
    if (event.key === "Escape") return void leave(plot);
    const address = spots[at]?.querySelector("a[href]")?.getAttribute("href");
    if (event.key === "Enter") return void (address && location.assign(address));
    let next = -1;
    if (LEFT.has(event.key)) next = at < 0 ? spots.length - 1 : Math.max(at - 1, 0);
    if (RIGHT.has(event.key)) next = at < 0 ? 0 : Math.min(at + 1, spots.length - 1);
    if (event.key === "Home") next = 0;
    if (event.key === "End") next = spots.length - 1;
    if (next < 0) return;
    event.preventDefault();
    go(plot, spots[next]);
  });

  // What is open and looked at in `root`, to be called once its content was replaced.
  window.charts = {
    kept: (root) => {
      const open = [...root.querySelectorAll("details[data-kept][open]")].map((each) => each.dataset.kept);
      const plots = () => [...root.querySelectorAll("[data-chart]")];
      const focused = plots().indexOf(document.activeElement);
      const at = focused < 0 ? plots().findIndex((plot) => placeOf(spotsOf(plot)) >= 0) : focused;
      const place = at < 0 ? -1 : placeOf(spotsOf(plots()[at]));
      return () => {
        root.querySelectorAll("details[data-kept]").forEach((each) => { each.open = open.includes(each.dataset.kept); });
        const plot = plots()[at];
        if (!plot) return;
        if (focused >= 0) plot.focus({ preventScroll: true });
        const spot = spotsOf(plot)[place];
        if (spot) go(plot, spot);
      };
    },
  };
})();
