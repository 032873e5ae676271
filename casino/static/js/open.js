// Opening a game: chips are added to what is staked, points are shown in money; one tap opens it, a
// second does no harm.
(() => {
  "use strict";
  const form = document.querySelector("[data-opening]");
  const { coins } = window;
  if (!form) return;

  form.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (!step) return;
    const field = form.elements[step.closest("[data-steps]").dataset.steps];
    const fresh = field.value === field.defaultValue && !field.dataset.stepped;
    field.value = step.dataset.step ? coins.typed((fresh ? 0 : coins.read(field.value) || 0) + Number(step.dataset.step)) : "";
    field.dataset.stepped = "1";
  });

  form.addEventListener("input", () => {
    const field = form.elements["option-unit-amount"];
    if (!field) return; // a game that counts no points
    const unit = coins.read(field.value);
    const says = form.querySelector(".opening-point");
    if (says) says.style.visibility = field.value === field.defaultValue ? "" : "hidden"; // its place stays
    form.querySelectorAll("[data-points]").forEach((each) => {
      const amount = Number(each.closest(".with-unit").querySelector("input").value) * unit;
      const worded = amount > 0 && (unit !== 1 || coins.digits);
      each.textContent = worded ? `= ${coins.typed(amount)} ${form.dataset.currency}` : "";
    });
  });

  // The page's command id goes with both taps. Still, one is enough.
  form.addEventListener("submit", (event) => {
    if (["choose", "again"].includes(event.submitter?.name)) return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "1";
  });
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
})();
