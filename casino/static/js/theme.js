// Day or night: what the person chose on this device, remembered apart for the floor and the office.
// Loaded in the head, before the page is drawn, so that nothing flashes.
(() => {
  "use strict";
  const root = document.documentElement;
  const key = `home-throw-theme-${root.dataset.place || "office"}`;
  const remembered = () => {
    try { return localStorage.getItem(key); } catch { return null; }
  };
  const remember = (theme) => {
    try { localStorage.setItem(key, theme); } catch { /* a private window forgets: that is its point */ }
  };
  const isDark = () =>
    root.dataset.theme === "dark" ||
    (root.dataset.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);

  root.classList.add("js");
  const chosen = remembered();
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-theme-toggle]");
    if (!button) return;
    root.dataset.theme = isDark() ? "light" : "dark";
    remember(root.dataset.theme);
  });
})();
