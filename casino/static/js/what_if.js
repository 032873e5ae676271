// What if: what differs from what holds is marked and named, while it is filled in. Without this the
// same form says so when it is sent.
(() => {
  "use strict";
  const form = document.querySelector("[data-what-if]");
  if (!form) return;
  const told = form.querySelector("[data-changes]");

  const differs = (control) =>
    control.type === "checkbox" ? control.checked : control.value.trim() !== control.dataset.usual;
  const seen = (control) => control.type !== "hidden" && control.checkVisibility();

  const tell = () => {
    const names = [];
    for (const control of form.querySelectorAll("[data-usual]")) {
      const field = control.closest(".field");
      if (!field) continue;
      const another = seen(control) && differs(control);
      field.classList.toggle("field-changed", another);
      if (another && !control.closest(".date-field")) names.push(field.querySelector("label").textContent.trim());
    }
    told.textContent = names.length ? `${told.dataset.some} ${names.join("; ")}` : told.dataset.none;
  };

  form.addEventListener("input", tell);
  form.addEventListener("change", tell);
  addEventListener("pageshow", tell);
  tell();
})();
