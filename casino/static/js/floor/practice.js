// A practice game sends each entry as a plain form, and the house draws the board anew: nothing is
// kept on the device, and nothing waits for a line.
(() => {
  "use strict";
  const { floor } = window;

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("#board form");
    if (!form) return;
    if (floor.flying) {
      event.preventDefault();
      floor.taps.refuse("sayUntakenSending");
      return;
    }
    if (floor.entries.some((entry) => entry.owns?.(form) && !entry.ready(form))) {
      event.preventDefault();
      return;
    }
    floor.entries.forEach((entry) => entry.fill?.(form));
    floor.flying = { form };
    floor.draw();
  });
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
})();
