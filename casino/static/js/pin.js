// The number pad of a floor tablet: a tap on a name, digits, OK. Without it the field itself does.
(() => {
  "use strict";
  const form = document.querySelector("[data-pin-pad]");
  const field = form?.querySelector("input[name=pin]");
  if (!field) return;
  field.readOnly = matchMedia("(hover: none) and (pointer: coarse)").matches; // the pad, no keyboard over it
  const focus = () => { if (!field.readOnly) field.focus(); };

  form.addEventListener("change", (event) => {
    if (event.target.name !== "person") return;
    field.value = "";
    focus();
  });
  form.addEventListener("click", (event) => {
    const digit = event.target.closest("[data-digit]")?.dataset.digit;
    if (!digit) return;
    field.value = digit === "back" ? field.value.slice(0, -1) : (field.value + digit).slice(0, field.maxLength);
    focus();
  });
})();
