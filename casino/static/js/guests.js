// A guests' page goes on by itself while somebody looks: nobody is to miss a call from the waiting
// list. Only the parts that say so are replaced; forms stay as they are being filled in.
(() => {
  "use strict";
  const EVERY = 20_000; // milliseconds; caches keep the public page for 15 seconds

  const parts = () => document.querySelectorAll("[data-news]");
  const line = (lost) => { document.documentElement.dataset.line = lost ? "offline" : "online"; };
  // Forms have a new id each time.
  const shown = (part) => {
    const copy = part.cloneNode(true);
    copy.querySelectorAll("input[type=hidden]").forEach((field) => field.remove());
    return copy.innerHTML;
  };
  const focusable = (part) => [...part.querySelectorAll("a, button, summary")];

  const show = (page) => {
    for (const part of parts()) {
      const now = page.getElementById(part.id);
      if (!now || shown(now) === shown(part)) continue;
      const at = focusable(part).indexOf(document.activeElement);
      part.innerHTML = now.innerHTML;
      focusable(part)[at]?.focus({ preventScroll: true });
    }
  };
  const look = async () => {
    if (document.hidden) return;
    const answer = await window.askHouse.itself(location.href).catch(() => null);
    line(!answer);
    if ([404, 410].includes(answer?.status)) location.reload(); // a code that ended, a page that is no more
    if (answer?.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html"));
  };
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
})();
