// River: the seals of all who are left one after another, a jump in the bidding, the hammer price,
// and whose dice are shown.
(() => {
  "use strict";
  const { coins, floor } = window;
  const { find, all } = floor;
  const WAY = "river-way"; // how this device records auctions

  const remembered = () => {
    try {
      return localStorage.getItem(WAY);
    } catch {
      return null; // a browser that keeps nothing: each lot begins with the usual way
    }
  };
  const remember = (way) => {
    try {
      localStorage.setItem(WAY, way);
    } catch {
      // as above
    }
  };

  const choose = (way) => {
    const radio = way && find(`[data-way="${way}"]:enabled`);
    if (!radio) return;
    all("[data-way]").forEach((each) => { each.defaultChecked = each === radio; });
    radio.checked = true;
  };

  // --- Seals: each is a command of its own; a refusal ends it ---

  let sealing = false;

  // That a seal waits for the line is no refusal: the next one waits behind it.
  const refused = () => find("#say.say-alarm b")?.textContent === floor.board.dataset.sayRefused;

  const sealNext = () => {
    const form = find("form[data-seal]");
    if (sealing && !floor.flying && form && !refused()) form.requestSubmit();
    else if (!form || !floor.flying) sealing = false;
  };
  document.addEventListener("floor:shown", () => setTimeout(sealNext));

  // --- Bids: what is typed counts instead of the least ---

  const jump = () => {
    const field = find("#jump");
    const amount = field?.checkVisibility() && field.value.trim() ? coins.read(field.value) : NaN;
    return Number.isNaN(amount) ? null : amount;
  };

  const drawBids = () => all("[data-bid] .taker").forEach((key) => {
    const shown = key.querySelector("[data-bids]");
    const amount = jump() ?? Number(shown.dataset.bids);
    shown.textContent = coins.typed(amount);
  });

  // --- The hammer price ---

  const drawHammer = () => {
    const button = find("#do-hammer");
    if (!button) return;
    const buyer = find("[data-hammer] [name=player]:checked");
    const price = find("#hammer").value;
    const complete = Boolean(buyer) && coins.read(price) > 0;
    button.disabled = !complete || Boolean(floor.flying);
    button.dataset.ownWord ??= button.textContent;
    button.textContent = complete ? button.dataset.sold.replace("++", price).replace("##", buyer.value) : button.dataset.ownWord;
  };

  // --- Whose dice ---

  const drawShows = () => {
    const salt = find("#salt");
    const committed = find(".shows [data-committed]:checked");
    if (!salt || committed || !find(".shows :checked")) return;
    salt.value = ""; // it was another player's
  };

  const draw = () => {
    choose(remembered());
    drawBids();
    drawHammer();
    drawShows();
  };

  floor.entries.push({
    draw,
    fill: (form) => {
      if (form.matches("[data-bid]") && jump() !== null) form.elements.amount.value = coins.typed(jump());
    },
  });

  document.addEventListener("input", (event) => {
    if (event.target.closest(".auction")) draw();
  });
  document.addEventListener("change", (event) => {
    const { way } = event.target.dataset;
    if (way) {
      remember(way);
      choose(way);
    }
    if (event.target.closest("#board")) floor.draw();
  });
  document.addEventListener("click", (event) => {
    const taker = event.target.closest(".taker, .who-one, .way-one");
    // A finger leaves no focus behind: Enter after it means "sold", not the same bid again.
    if (taker && event.detail > 0) setTimeout(() => floor.play().focus({ preventScroll: true }));
    if (!event.target.closest("[data-seal-rest]")) return;
    sealing = true;
    sealNext();
  });
})();
