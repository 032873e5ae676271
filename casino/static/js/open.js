// Seating people: Enter goes on to the next seat and makes one when there is none left.
(() => {
  "use strict";
  const form = document.querySelector("[data-opening]");
  if (!form) return;
  const list = form.querySelector("[data-seats]");
  const names = () => [...list.querySelectorAll('input[name="player"]')];

  const ownHomes = () => form.querySelector('[name="home_throw"][value="players"]:checked') !== null;

  const number = () => {
    list.querySelectorAll(".seat-row").forEach((row, place) => {
      row.querySelectorAll('input[name="first"]').forEach((choice) => { choice.value = place; }); // not in every game
      row.querySelectorAll("input[aria-label]").forEach((field) => {
        field.setAttribute("aria-label", field.getAttribute("aria-label").replace(/\d+/, place + 1));
      });
    });
  };

  const add = () => {
    const row = list.lastElementChild.cloneNode(true);
    row.querySelectorAll('input[type="text"]').forEach((field) => { field.value = ""; });
    row.querySelector('input[name="player"]').removeAttribute("autofocus");
    row.querySelectorAll('input[name="first"]').forEach((choice) => { choice.checked = false; });
    list.append(row);
    number();
    return row.querySelector('input[name="player"]');
  };

  // The page comes with seats to spare for browsers without scripts; here they are made when wanted.
  names().slice(3).reverse().forEach((name) => {
    if (!name.value) name.closest(".seat-row").remove();
  });
  number();

  list.addEventListener("keydown", (event) => {
    if (event.target.name === "home" && event.key === "Enter") {
      event.preventDefault();
      const row = event.target.closest(".seat-row").nextElementSibling;
      (row ? row.querySelector('input[name="player"]') : add()).focus();
      return;
    }
    if (event.target.name !== "player") return;
    const all = names();
    const here = all.indexOf(event.target);
    if (event.key === "Enter") {
      event.preventDefault();
      if (!event.target.value.trim()) form.querySelector("#stake, .opening-go").focus();
      else if (ownHomes()) event.target.closest(".seat-row").querySelector('input[name="home"]').focus();
      else (all[here + 1] || add()).focus();
    } else if (event.key === "Backspace" && !event.target.value && here > 1) {
      event.preventDefault();
      event.target.closest(".seat-row").remove();
      number();
      all[here - 1].focus();
    }
  });

  form.addEventListener("click", (event) => {
    if (event.target.closest("[data-seat-more]")) add().focus();
    const away = event.target.closest("[data-seat-away]");
    if (!away) return;
    if (names().length > 2) away.closest(".seat-row").remove();
    else away.closest(".seat-row").querySelectorAll('input[type="text"]').forEach((field) => { field.value = ""; });
    number();
    names().at(-1).focus();
  });

  // A second tap is harmless: the page's command id goes with both. Still, one is enough.
  form.addEventListener("submit", (event) => {
    if (event.submitter?.name === "choose") return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "1";
  });
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
})();
