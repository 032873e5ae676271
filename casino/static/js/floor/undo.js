// An undo that is possible for some seconds only: its button goes when they are over, by the clock of
// this device where the throw was entered here, else by what the house counted when it drew the board.
// The board that comes then offers to ask a supervisor instead.
(() => {
  "use strict";
  const { floor } = window;
  const SECOND = 1000; // milliseconds

  let timer = 0;

  // More than there ever is: the clock was set back since the throw, and the house's count holds.
  const left = ({ undoSeconds, undoLeft, undoAt }) => {
    const whole = (Number(undoSeconds) + 1) * SECOND;
    const mine = undoAt ? Number(undoAt) * SECOND + whole - Date.now() : Infinity;
    return mine <= whole ? mine : Math.min(Number(undoLeft) * SECOND, whole);
  };

  const anew = () => {
    if (floor.queue.waiting().length) floor.queue.again();
    else floor.askAnew();
  };

  const over = (form) => {
    form.hidden = true;
    floor.find("#undo-what").textContent = ""; // its place stays: nothing moves under a finger
    timer = setTimeout(anew, SECOND); // the house may count a moment longer
  };

  const watch = () => {
    clearTimeout(timer);
    const form = floor.find("[data-undo-seconds]");
    const milliseconds = form ? left(form.dataset) : 0;
    if (form && milliseconds <= 0) over(form);
    else if (form) timer = setTimeout(over, milliseconds, form);
  };

  document.addEventListener("floor:shown", watch);
  watch();
})();
