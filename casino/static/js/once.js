// A form that changes something is sent once: a second tap before the answer sends nothing. Its
// command id makes a second one harmless in any case; this spares people the page that says so.
(() => {
  "use strict";
  const AGAIN_AFTER = 15_000; // milliseconds: a request that was stopped, or a file that was sent back

  const sent = new Set();
  const free = (form) => {
    sent.delete(form);
    form.removeAttribute("aria-busy");
  };

  // Last of all: a script that sends the form itself has prevented the browser from it.
  addEventListener("submit", (event) => {
    const form = event.target;
    const way = event.submitter?.getAttribute("formmethod") ?? form.method;
    if (event.defaultPrevented || way !== "post") return;
    if (sent.has(form)) {
      event.preventDefault();
      return;
    }
    sent.add(form);
    form.setAttribute("aria-busy", "true");
    setTimeout(() => free(form), AGAIN_AFTER);
  });
  // Back again, as the browser had kept the page: it may be sent anew.
  addEventListener("pageshow", () => sent.forEach(free));
})();
