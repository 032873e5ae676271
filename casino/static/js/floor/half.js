// What is half entered outlives a reload, the back button, and a tab that the device puts away.
//
// It lies in this tab's own store while the page is away, and comes back to the same person at the
// same table, if the game still stands where it stood: dice were tapped for that throw and no other.
// Where the game has moved on it is dropped, and said so. This script comes after all entries.
(() => {
  "use strict";
  const { floor } = window;
  const { board, taps } = floor;
  const KEY = `half-entered.${board.dataset.game}`;

  const stored = (act) => {
    try {
      return act(sessionStorage);
    } catch {
      return null; // a browser that keeps nothing
    }
  };

  // What is on its way is in the queue, and no longer half entered.
  const put = () => {
    const typed = floor.typed().filter(({ id }) => id && document.getElementById(id)?.type !== "password");
    const entries = floor.entries.map((entry) => entry.keep?.() ?? null);
    const { stands } = floor.play()?.dataset ?? {};
    const field = taps.writing();
    if (floor.forgotten || floor.flying || !stands || (!typed.length && !field && entries.every((each) => each === null))) return stored((store) => store.removeItem(KEY));
    const { id: writing, selectionStart: start, selectionEnd: end } = field ?? {};
    return stored((store) => store.setItem(KEY, JSON.stringify({ who: board.dataset.who, at: taps.touched(), stands, entries, typed, doubted: taps.isDoubted(), open: floor.unfolded(), wrote: Boolean(field), writing, start, end })));
  };

  // A table is shown: the form that opened it is done with (half_open.js).
  stored((store) => Object.keys(store)
    .filter((key) => key.startsWith("half-opened.") && JSON.parse(store.getItem(key)).sent)
    .forEach((key) => store.removeItem(key)));

  let waits = stored((store) => JSON.parse(store.getItem(KEY)));
  stored((store) => store.removeItem(KEY));
  if (waits?.wrote) taps.lose(); // until the field is there again

  // Words come back wherever their field still stands, and the menu that they were typed in.
  const restoreWords = (marks) => {
    const { typed, open, writing, start, end } = waits;
    floor.unfold(open);
    floor.putBack(typed, marks);
    const field = writing && document.getElementById(writing);
    field?.focus({ preventScroll: true });
    if (Number.isInteger(start)) field?.setSelectionRange(start, end);
  };
  const restoreDice = () => {
    const { at, entries, doubted } = waits;
    floor.entries.forEach((entry, place) => { if (entries[place]) entry.restore?.(entries[place]); });
    floor.draw();
    if (doubted) taps.doubt();
    taps.rest(at);
    taps.wake();
  };

  const back = () => {
    if (!waits) return;
    if (waits.who !== board.dataset.who || floor.dirty()) {
      waits = null;
      return;
    }
    if (floor.play()?.dataset.stands !== waits.stands) return;
    restoreWords(true);
    restoreDice();
    waits = null;
  };

  // What this device foresees is drawn after the page came, so the game may yet stand where it stood.
  document.addEventListener("floor:shown", () => setTimeout(back));
  board.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (!waits || detail.requestConfig?.verb !== "get" || !detail.xhr?.status) return;
    setTimeout(() => {
      back();
      if (!waits || floor.queue.waiting().length) return;
      restoreWords(false);
      if (waits.entries.some(Boolean)) floor.say(board.dataset.sayMoved, board.dataset.sayMovedMore);
      waits = null;
    });
  });
  addEventListener("pagehide", put);
  document.addEventListener("visibilitychange", () => { if (document.hidden) put(); });
  back();
})();
