// Opening a game: chips are added to what is staked; one tap opens it, a second does no harm.
(() => {
  "use strict";
  const form = document.querySelector("[data-opening]");
  if (!form) return;

  form.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (!step) return;
    const field = form.elements[step.closest("[data-steps]").dataset.steps];
    const fresh = field.value === field.defaultValue && !field.dataset.stepped;
    const { coins } = window;
    field.value = step.dataset.step ? coins.typed((fresh ? 0 : coins.read(field.value) || 0) + Number(step.dataset.step)) : "";
    field.dataset.stepped = "1";
  });

  // The page's command id goes with both taps. Still, one is enough.
  form.addEventListener("submit", (event) => {
    if (["choose", "again"].includes(event.submitter?.name)) return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "1";
  });
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
})();
