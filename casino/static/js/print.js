// The buttons that print the page: tablets hide the browser's own.
(() => {
  "use strict";
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-print]")) print();
  });
})();
