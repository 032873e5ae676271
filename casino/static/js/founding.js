// Founding a house: its time zone is proposed as the browser has it, and the currency of the country
// where it lies. Both may be changed; what somebody has sent once is left as it is.
(() => {
  "use strict";
  const zone = document.querySelector("[data-currencies]");
  if (!zone) return;
  const choose = (select, value) => {
    const known = [...select.options].some((each) => each.value === value);
    if (known) select.value = value;
    return known;
  };
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!choose(zone, here)) return;
  const currency = document.querySelector("[data-currency]");
  const code = JSON.parse(zone.dataset.currencies)[here];
  if (currency && code) choose(currency, code);
})();
