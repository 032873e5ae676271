// What a screen shows, kept up to date by conditional requests: asked again a second after each
// answer, 304 where nothing happened. For pages that only look: the hall of tables, wall boards.
//
//   live({address, etag, shown(html, answer), line(state), hidden})
//     address()   where to ask; may change from one request to the next
//     etag        of what the page shows already
//     shown       is given what is new, and the answer it came with
//     line        hears "online", "offline", "signed-out" or "gone" (there is nothing any more)
//     hidden      milliseconds between requests while nobody looks; without it none are sent
//   returns {ask(): at once, forget(): what was asked for is shown no more}
//
// It is polite: slower where nothing happens, where the house is slow to answer and where it fails.
// A lost line is told within three seconds of the last answer, whatever the request is doing.
window.live = (options) => {
  "use strict";
  const { address, etag, shown, line, hidden = 0 } = options;
  const PAUSE = 1000; // milliseconds from an answer to the next request
  const QUIET_PAUSE = 2000; // where nothing has happened for a while
  const QUIET_AFTER = 60_000;
  const SILENCE = 2900; // after which the line counts as lost
  const PATIENCE = 4000; // for an answer
  const SLOWEST = 5000;
  const SHARE = 10; // the house works for this screen a tenth of the time, if it can be had

  let seen = etag || "";
  let news = performance.now();
  let failures = 0;
  let timer = 0;
  let watch = 0;
  let flying = null;

  const later = (milliseconds) => {
    clearTimeout(timer);
    timer = setTimeout(ask, milliseconds);
  };
  // So long that an answer as slow as the last one still comes before the line counts as lost.
  const pause = (took) => {
    if (document.hidden) return hidden;
    const quiet = performance.now() - news > QUIET_AFTER;
    const wished = Math.max(quiet ? QUIET_PAUSE : PAUSE, SHARE * took);
    return Math.max(PAUSE / 2, Math.min(wished, SILENCE - 400 - 2 * took));
  };
  // After a failure at once every second, then less often; not all screens at the same moment.
  const again = () => Math.min(SLOWEST, PAUSE * Math.max(1, failures - 5)) * (0.8 + Math.random() * 0.4);
  const lost = () => { if (!document.hidden) line("offline"); };
  const answered = () => {
    failures = 0;
    clearTimeout(watch);
    watch = setTimeout(lost, SILENCE);
  };

  const heard = async (answer, began) => {
    if (answer.status === 200) {
      const html = await answer.text();
      seen = answer.headers.get("ETag") || "";
      news = performance.now();
      shown(html, answer);
    } else if (answer.status === 401 || answer.status === 403 || answer.status === 404) {
      clearTimeout(watch);
      line(answer.status === 404 ? "gone" : "signed-out");
      return QUIET_PAUSE;
    } else if (answer.status !== 304) {
      throw new Error(`${answer.status}`);
    }
    answered();
    line("online");
    return pause(performance.now() - began);
  };

  async function ask() {
    clearTimeout(timer);
    if (document.hidden && !hidden) return;
    flying?.abort();
    const mine = new AbortController();
    flying = mine;
    const patience = setTimeout(() => mine.abort(), PATIENCE);
    const began = performance.now();
    let next = PAUSE;
    try {
      const headers = { "HX-Request": "true" };
      if (seen) headers["If-None-Match"] = seen;
      next = await heard(await window.askHouse.itself(address(), { headers, signal: mine.signal, cache: "no-store", redirect: "error" }), began);
    } catch {
      if (flying !== mine) return; // asked anew meanwhile
      failures += 1;
      line("offline");
      next = again();
    } finally {
      clearTimeout(patience);
    }
    if (flying === mine) {
      flying = null;
      if (next) later(next);
    }
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(watch);
    if (!document.hidden || hidden) ask();
  });
  window.addEventListener("pageshow", ({ persisted }) => { if (persisted) ask(); });
  window.addEventListener("online", () => { failures = 0; ask(); });
  window.addEventListener("offline", () => line("offline"));
  watch = setTimeout(lost, SILENCE + PAUSE);
  later(PAUSE);
  return { ask, forget: () => { seen = ""; } };
};
