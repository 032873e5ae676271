// What a finger feels: a key gives way the moment it is touched, before anything is decided, and a
// device that can trembles shortly. Nobody who asked for less motion is shaken.
(() => {
  "use strict";
  const { board } = window.floor;
  const KEYS = ".key, .slot, .lies, .spot, .taker, .who-one, .pad .button, .button-main, [data-undo], [data-stand]";
  const SHORT = 10; // milliseconds
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  board.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch" || still.matches) return;
    const key = event.target.closest(KEYS);
    if (key && !key.disabled && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(SHORT);
  }, { passive: true });
})();
