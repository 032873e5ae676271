// Passwords: shown while one wants to see them; of a new one, how hard it is to guess.
(() => {
  "use strict";
  const words = document.currentScript.dataset;
  const LEAST = 12;

  // Bits, as if each character were drawn from those that occur: words and patterns have fewer.
  const bits = (text) => text.length * Math.log2(Math.max(2, new Set(text).size));
  const strength = (text) => (text.length < LEAST ? Math.min(1, text.length / LEAST) : Math.min(4, bits(text) / 20));

  const button = (field) => {
    const shows = document.createElement("button");
    shows.type = "button";
    shows.className = "quiet quiet-start";
    const told = () => { shows.textContent = field.type === "password" ? words.show : words.hide; };
    shows.addEventListener("click", () => {
      field.type = field.type === "password" ? "text" : "password";
      told();
    });
    field.form?.addEventListener("submit", () => { field.type = "password"; }); // browsers keep what is text
    told();
    return shows;
  };

  const meter = (field) => {
    const shown = document.createElement("meter");
    Object.assign(shown, { min: 0, max: 4, low: 2, high: 3, optimum: 4, value: 0 });
    shown.setAttribute("aria-label", words.strength);
    field.addEventListener("input", () => { shown.value = strength(field.value); });
    return shown;
  };

  for (const field of document.querySelectorAll("input[type=password]:not([inputmode=numeric])")) {
    field.after(button(field));
    if (field.autocomplete === "new-password" && !/again|2$/.test(field.name)) field.after(meter(field));
  }
})();
