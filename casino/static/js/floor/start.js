// Has the browser keep this page, where it may: worker.js. On plain HTTP in the house's own network
// no browser does, and nothing else rests on it.
(() => {
  "use strict";
  const address = document.querySelector("[data-worker]")?.dataset.worker;
  if (!address || !window.isSecureContext || !("serviceWorker" in navigator)) return;
  const OF_PAGES = /^(?:link|script|css|img|other)$/;
  const workers = navigator.serviceWorker;

  const told = async (message) => (await workers.ready).active?.postMessage(message);
  const made = () => performance.getEntriesByType("resource")
    .filter(({ name, initiatorType }) => OF_PAGES.test(initiatorType) && name.startsWith(location.origin))
    .map(({ name }) => name);

  window.addEventListener("load", async () => {
    const first = !workers.controller;
    await workers.register(address).catch(() => {}); // a browser that is told not to: as without
    if (first) await told({ files: [...new Set(made())], address: location.href });
  });
  document.addEventListener("floor:line", ({ detail }) => { if (detail === "signed-out") told({ signedOut: true }); });
})();
