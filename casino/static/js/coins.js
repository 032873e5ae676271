// Amounts in fields: as they are typed with keys, and as whole numbers of the smallest coin. The page
// says how many decimals the house's coin has, and the mark before them; the house itself reads what
// people write in any other way (casino/words/languages/amounts.py).
(() => {
  "use strict";
  const { coinDigits, coinPoint } = document.documentElement.dataset;
  const digits = Number(coinDigits ?? 0);
  const point = coinPoint ?? "";

  // NaN where it is no amount as these keys type it.
  const read = (text) => {
    const [whole, decimals = "", ...more] = point ? text.trim().split(point) : [text.trim()];
    if (more.length || !/^\d*$/.test(whole) || !/^\d*$/.test(decimals) || decimals.length > digits) return NaN;
    return Number(whole + decimals.padEnd(digits, "0"));
  };

  const typed = (amount) => {
    if (!digits) return String(amount);
    const coins = String(amount).padStart(digits + 1, "0");
    return coins.slice(0, -digits) + point + coins.slice(-digits);
  };

  // What a key adds to what is typed; null where nothing can be added.
  const press = (text, key) => {
    const next = (text + key).replace(/^0+(?=\d)/, "");
    const started = next === point ? `0${point}` : next;
    return Number.isNaN(read(started)) ? null : started;
  };

  window.coins = { digits, point, read, typed, press };
})();
