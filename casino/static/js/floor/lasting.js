// Whether this browser keeps what the floor's pages take down, or throws it away when it sees fit.
//
// Safari does so seven days after anybody has last opened the page, any browser does when its disk is
// full, and a private window when it is closed; but not what stands on the home screen, nor where a
// browser has promised otherwise. Nobody can tell a private window from a usual one, so whoever works
// here is told both.
(() => {
  "use strict";
  const { floor } = window;
  const TOLD = "home-throw-told-to-install"; // when
  const AGAIN_AFTER = 30 * 24 * 3600 * 1000; // milliseconds
  const ON_HOME_SCREEN = "(display-mode: standalone), (display-mode: fullscreen)";

  const installed = () => matchMedia(ON_HOME_SCREEN).matches || navigator.standalone === true;

  // Asked each time: a promise is given to whoever comes often.
  const promised = async () => {
    const { storage } = navigator; // absent on plain HTTP
    try {
      return Boolean(await storage?.persisted() || await storage?.persist());
    } catch {
      return false;
    }
  };

  const toldLately = () => {
    try {
      const ago = Date.now() - Number(localStorage.getItem(TOLD) ?? 0);
      return ago >= 0 && ago < AGAIN_AFTER; // said in the future: by a clock that was set back since
    } catch {
      return true; // it keeps nothing at all, and says so
    }
  };

  floor.lasting = {
    // "": for good; "tab": as long as this browser likes
    known: "",
    ask: async () => {
      floor.lasting.known = installed() || await promised() ? "" : "tab";
      return floor.lasting.known;
    },
    isToBeTold: () => floor.lasting.known === "tab" && !toldLately(),
    wasTold: () => {
      try {
        localStorage.setItem(TOLD, String(Date.now()));
      } catch {
        // as above
      }
    },
  };
})();
