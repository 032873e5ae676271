// A count sheet: what each row is worth, and all of them, while it is filled in; pieces by the tap.
(() => {
  "use strict";
  const pieces = (row) => Number(row.querySelector("input").value.replace(/\D/g, "")) || 0;

  const sum = (sheet) => {
    const { coin, locale } = sheet.dataset;
    const digits = Number(sheet.dataset.digits ?? 0);
    const spelled = new Intl.NumberFormat(locale || undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits });
    const figures = { format: (coins) => spelled.format(coins / 10 ** digits) };
    let all = 0;
    for (const row of sheet.querySelectorAll("[data-value]")) {
      const worth = pieces(row) * Number(row.dataset.value);
      all += worth;
      row.querySelector("[data-worth]").textContent = worth ? `${figures.format(worth)}\u00a0${coin}` : "";
    }
    sheet.querySelector("[data-total]").textContent = `${figures.format(all)}\u00a0${coin}`;
  };

  for (const sheet of document.querySelectorAll("[data-sheet]")) {
    sheet.addEventListener("input", () => sum(sheet));
    sheet.addEventListener("click", (event) => {
      const key = event.target.closest("[data-step]");
      if (!key) return;
      const row = key.closest("[data-value]");
      row.querySelector("input").value = Math.max(0, pieces(row) + Number(key.dataset.step)) || "";
      sum(sheet);
    });
    sum(sheet);
  }
})();
