// The screen stays lit while somebody works at the table: a tablet that sleeps between two throws costs
// each of them a code. After a while without a touch it may sleep: nobody sits there.
//
// Browsers grant it on HTTPS and on localhost, to a page that is seen, and take it back when the page
// is not; then it is asked for anew.
(() => {
  "use strict";
  const { floor } = window;
  const IDLE_AFTER = 15 * 60 * 1000; // milliseconds without a touch or a key
  if (!("wakeLock" in navigator)) return;

  let lock = null;
  let asking = false;
  let timer = 0;

  const plays = () => !floor.find(".over") // nor closed, nor paused, nor only watched;

  const light = async () => {
    if (lock || asking || document.hidden || !plays()) return;
    asking = true;
    try {
      lock = await navigator.wakeLock.request("screen");
      lock.addEventListener("release", () => { lock = null; });
    } catch {
      // a battery that runs low: the device decides
    } finally {
      asking = false;
    }
  };
  const dim = () => lock?.release();

  const touched = () => {
    clearTimeout(timer);
    timer = setTimeout(dim, IDLE_AFTER);
    light();
  };
  for (const input of ["pointerdown", "keydown"]) document.addEventListener(input, touched, { passive: true });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) touched(); });
  document.addEventListener("floor:shown", () => { if (lock && !plays()) dim(); });
  touched();
})();
