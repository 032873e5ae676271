// Keys that do something, by the list that "?" opens: a script asks for a way by its name and gets the
// keys that stand in the list, and only what some script asked for, and does now, is shown there.
//
//   keyways.way(name)       a function: whether a key, or the event of one, is that way's
//   keyways.way(name, does) the same; it is shown in the list only while does() finds something to do
//   keyways.has(name)       whether some script asked for it
//   keyways.on(name, does)  does it on that key, where nobody writes and nothing lies above the page;
//                           a handler that returns false leaves the key to the browser
//
// The list is templates/kit/web/_keyways.html, from the table casino/kit/web/templatetags/office.py.
window.keyways = (() => {
  "use strict";
  const list = document.getElementById("help");
  const handlers = [];

  const written = (event) => {
    const before = event.ctrlKey ? "Control+" : event.metaKey ? "Meta+" : "";
    // A letter with the capitals locked is the same key.
    return before + (event.key.length === 1 && !event.shiftKey ? event.key.toLowerCase() : event.key);
  };
  const asked = new Map(); // name -> whether it does something now
  const way = (name, does = () => true) => {
    const row = list?.querySelector(`[data-way="${name}"]`);
    if (!row) return () => false;
    asked.set(name, does);
    const keys = row.dataset.keys.split(" ");
    return (key) => keys.includes(key) || (typeof key === "object" && !key.altKey && keys.includes(written(key)));
  };
  const has = (name) => asked.has(name);
  const on = (name, does, { anywhere = false, now } = {}) => handlers.push({ is: way(name, now), does, anywhere });
  // In a box to tick nobody writes: letters are for the page, arrows and the space bar are the box's own.
  const writes = ({ target, key }) => {
    const field = target.closest?.("input, select, textarea, [contenteditable]");
    return field && !(field.matches("[type=radio], [type=checkbox]") && key.length === 1 && key !== " ");
  };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented) return;
    const above = document.querySelector("dialog[open]");
    const handler = handlers.find(({ is, anywhere }) => is(event) && (anywhere || !(above || writes(event))));
    if (handler && handler.does(event) !== false) event.preventDefault();
  });

  const show = () => {
    list.querySelectorAll("[data-way]").forEach((row) => { row.hidden = !asked.get(row.dataset.way)?.(); });
    list.querySelectorAll("[data-keyset]").forEach((set) => { set.hidden = !set.querySelector("[data-way]:not([hidden])"); });
    list.showModal();
  };
  if (list) {
    way("close");
    on("keys", show);
    document.addEventListener("click", (event) => {
      if (event.target.closest("[data-keys-list]")) show();
      else if (event.target === list) list.close(); // beside the sheet
    });
  }
  return { way, has, on };
})();
