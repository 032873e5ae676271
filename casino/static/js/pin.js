// The number pad of a floor tablet: a tap on a name, digits, OK; or digits, and then the name, which
// sends them. Without it the field itself does.
(() => {
  "use strict";
  const coarse = matchMedia("(hover: none) and (pointer: coarse)").matches;
  const padOf = (event) => event.target.closest("[data-pin-pad]");
  const fieldOf = (form) => form?.querySelector("input[name=pin]");
  const focus = (field) => { if (!coarse) field.focus(); };

  const typed = (field, digit) => {
    field.value = digit === "back" ? field.value.slice(0, -1) : (field.value + digit).slice(0, field.maxLength);
  };
  const complete = (field) => field.value.length >= field.minLength;

  // A finger has the pad: no keyboard of the device's own comes up over it.
  document.addEventListener("pointerdown", (event) => {
    if (coarse && event.target.matches("input[name=pin]")) event.target.inputMode = "none";
  }, true);

  let byPointer = false; // how the name was chosen: arrows go on choosing
  document.addEventListener("pointerdown", () => { byPointer = true; }, true);
  document.addEventListener("keydown", () => { byPointer = false; }, true);

  document.addEventListener("change", (event) => {
    const field = fieldOf(padOf(event));
    if (field && byPointer && event.target.name === "person") focus(field);
  });

  document.addEventListener("click", (event) => {
    const form = padOf(event);
    const field = fieldOf(form);
    if (!field) return;
    const digit = event.target.closest("[data-digit]")?.dataset.digit;
    const name = byPointer && event.target.closest("label")?.querySelector("input[name=person]");
    if (digit) {
      typed(field, digit);
      focus(field);
    } else if (name && form.hasAttribute("data-name-sends") && complete(field)) {
      event.preventDefault();
      name.checked = true;
      form.requestSubmit();
    }
  });

  // Digits typed while a name has the focus belong to the PIN.
  document.addEventListener("keydown", (event) => {
    const field = fieldOf(padOf(event));
    if (!field || !event.target.matches("input[name=person]") || !/^[0-9]$/.test(event.key)) return;
    typed(field, event.key);
    field.focus();
    event.preventDefault();
  });
})();
