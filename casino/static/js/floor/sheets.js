// Sheets over the table: what is done without leaving the round. The dialog stands outside the
// board, so that news goes on beneath it and what is half entered stays.
//
// A link with data-sheet opens one. A form in it that is a command (data-command) is handed to the
// board and goes the way of all commands; a form with data-sheet-send is answered in the sheet: it
// is a second person's act, and never waits on the device.
(() => {
  "use strict";
  const { floor } = window;
  const { board, taps } = floor;
  const dialog = document.getElementById("sheet");
  const FRAGMENT = { "HX-Request": "true" };
  const ANSWERED_WITHIN = 15000; // milliseconds; a sheet that hears nothing for so long may be asked for anew
  const EXPECTED_WITHIN = 15000; // milliseconds until what was asked for shows on the board
  const SOON = 400; // milliseconds after which a finger that has just left holds nothing up

  let kept = null; // what was typed into a sheet whose command is on its way: {address, fields}
  let opened = null; // the element that opened the sheet: focus goes back to it
  let drawn = null; // the address of the form that changes nothing, as the sheet was drawn
  let expected = null; // what is to be opened once the board shows it: {selector, until}

  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  const focusFirst = () => {
    const first = dialog.querySelector("[role=alert]") ? dialog.querySelector("input[type=password]:not([hidden])") : null;
    const target = first ?? dialog.querySelector("[autofocus], input[type=radio]:checked, #sheet-head");
    target?.focus({ preventScroll: true });
  };

  const show = (html) => {
    dialog.innerHTML = html;
    dialog.scrollTop = 0;
    drawn = addressOf(inquiry());
    putBack();
    if (!dialog.open) dialog.showModal();
    askCode();
    focusFirst();
  };

  // A command may be refused on the board: who opens the sheet again finds their words.
  const keep = () => {
    const fields = [...dialog.querySelectorAll("input[type=text]")].filter((each) => each.value);
    kept = { address: opened?.href, fields: fields.map(({ id, value }) => ({ id, value })) };
  };
  const putBack = () => {
    if (kept && kept.address === opened?.href) {
      kept.fields.forEach(({ id, value }) => {
        const field = dialog.querySelector(`#${CSS.escape(id)}`);
        if (field && !field.value) field.value = value;
      });
    }
    kept = null;
  };

  // Said in the sheet itself; what was typed into it stays.
  const say = (word, sentence) => {
    dialog.querySelector(".sheet-said")?.remove();
    const said = element("p", { className: "sheet-said" },
      element("b", { textContent: word }), " ", element("span", { textContent: sentence }));
    said.setAttribute("role", "alert");
    if (!dialog.open) {
      dialog.replaceChildren(element("div", { className: "sheet-top" },
        element("h2", { id: "sheet-head", textContent: word, tabIndex: -1 }), " ", closing()));
      dialog.showModal();
    }
    dialog.querySelector(".sheet-top")?.after(said);
  };
  const closing = () => {
    const button = element("button", { type: "button", className: "quiet", textContent: dialog.dataset.close });
    button.dataset.sheetClose = "";
    return button;
  };
  const { lost, lostMore, broken, brokenMore, forbidden, waiting } = dialog.dataset;

  const close = () => {
    if (dialog.open) dialog.close();
  };
  dialog.addEventListener("close", () => {
    dialog.replaceChildren();
    const back = opened?.isConnected ? opened : opened?.id && document.getElementById(opened.id);
    (back || floor.play())?.focus({ preventScroll: true });
    opened = null;
  });

  // --- Asking the house ------------------------------------------------------------------------

  const asked = async (address, options = {}, draw = show) => {
    if (dialog.ariaBusy === "true") return undefined;
    dialog.ariaBusy = "true";
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), ANSWERED_WITHIN);
    let answer;
    try {
      answer = await window.askHouse(address, { credentials: "same-origin", headers: FRAGMENT, signal: stop.signal, ...options });
    } catch {
      // What the board itself has of it, with what this device foresees.
      const own = !dialog.open && document.querySelector(`[data-without-line="${CSS.escape(opened?.id ?? "")}"]`);
      return own ? draw(own.innerHTML) : say(lost, lostMore);
    } finally {
      clearTimeout(timer);
      dialog.ariaBusy = "false";
    }
    if (answer.status === 204) return done(answer);
    if (answer.status === 401) return floor.line("signed-out") ?? close();
    if (answer.status === 403) return say(broken, forbidden);
    const html = await answer.text().catch(() => "");
    if (!html.includes('id="sheet-head"')) return say(broken, brokenMore);
    return draw(html);
  };

  const done = (answer) => {
    if (answer.headers.get("Floor-Reload")) return location.reload(); // somebody else's table now
    close();
    floor.announce(answer.headers.get("Floor-Said") ?? "");
    const look = () => window.htmx.trigger(board, "poll");
    look();
    return setTimeout(look, SOON);
  };

  const open = (link) => {
    if (!dialog.open) opened = link;
    floor.closeMenus();
    if (document.body.dataset.log === "open") document.querySelector(".log-close")?.click();
    return asked(link.href);
  };

  // --- Commands of a sheet, handed to the board ------------------------------------------------

  // A copy of the form, with what was entered, where the board's commands are taken up.
  const hand = (form, submitter) => {
    const carrier = form.cloneNode(false);
    carrier.hidden = true;
    carrier.id = "sheet-carrier";
    new FormData(form, submitter).forEach((value, name) =>
      carrier.append(element("input", { type: "hidden", name, value })));
    document.getElementById("sheet-carrier")?.remove();
    keep();
    floor.play().append(carrier);
    window.htmx.process(carrier);
    close();
    carrier.requestSubmit();
  };

  const expect = (form, submitter) => {
    const until = performance.now() + EXPECTED_WITHIN;
    if (form.dataset.backTo) expected = { selector: `[data-asks="${form.dataset.backTo}"]`, until };
    if ("handsOver" in form.dataset) expected = { selector: `[data-offered="${submitter?.value}"]`, until };
  };
  // What was answered elsewhere meanwhile waits here no longer.
  const overtaken = () => {
    const asked = dialog.querySelector("form.answer [name=request]")?.value;
    return asked && !board.querySelector(`a[data-asks][href$="request=${asked}"]`);
  };
  new MutationObserver(() => {
    if (overtaken()) close();
    if (!expected) return;
    const link = board.querySelector(expected.selector);
    if (performance.now() > expected.until) expected = null;
    if (!link || !expected || dialog.open || taps.writing()) return;
    expected = null;
    open(link);
  }).observe(board, { childList: true, subtree: true });

  dialog.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[data-command]")) {
      event.preventDefault();
      if (addressOf(inquiry()) !== drawn) return ask(inquiry()); // nothing is sent that was not shown
      expect(form, event.submitter);
      hand(form, event.submitter);
    } else if (form.matches("[data-sheet-send]")) {
      event.preventDefault();
      if (form.matches("[data-takes-over]") && floor.unsent?.()) return say(lost, waiting);
      asked(form.action, { method: "POST", body: new FormData(form, event.submitter) });
    } else if (form.matches("[data-sheet-ask]")) {
      event.preventDefault();
      ask(form);
    }
  });

  // A form that changes nothing: the sheet is drawn again with what comes of it. What is entered
  // while the house answers stays: an answer to the form as it was is not shown, it asks again.
  const inquiry = () => dialog.querySelector("[data-sheet-ask]");
  const addressOf = (form) => form && `${form.action}?${new URLSearchParams(new FormData(form))}`;
  let asking = null; // the form whose answer is awaited
  const ask = async (form) => {
    const awaited = asking !== null;
    asking = form;
    if (awaited) return;
    let address;
    const stands = () => address === addressOf(asking);
    try {
      do {
        address = addressOf(asking);
        await asked(address, {}, (html) => asking.isConnected && stands() && redraw(html));
      } while (asking.isConnected && !stands());
    } finally {
      asking = null;
    }
  };
  // The field that has the focus, the cursor in it, and where the sheet stood, stay.
  const redraw = (html) => {
    const { id, selectionStart, selectionEnd } = document.activeElement, top = dialog.scrollTop;
    show(html);
    dialog.scrollTop = top;
    const field = id && document.getElementById(id);
    if (!field) return;
    field.focus({ preventScroll: true });
    if (Number.isInteger(selectionStart)) field.setSelectionRange(selectionStart, selectionEnd);
  };
  dialog.addEventListener("change", (event) => {
    const form = event.target.closest("[data-sheet-ask]");
    if (form) ask(form);
  });

  // --- Inside a sheet --------------------------------------------------------------------------

  // The code's field only for whom it is asked of.
  function askCode() {
    const field = dialog.querySelector("[data-code-field]");
    const people = [...dialog.querySelectorAll("input[name=person]")];
    if (!field || !people.length) return;
    const chosen = people.find((each) => each.checked);
    const byName = dialog.querySelector("[data-by-name]")?.open;
    field.hidden = !byName && !(chosen && "code" in chosen.dataset);
  }
  const byNameOnly = (details) => {
    dialog.querySelectorAll("input[name=person]").forEach((each) => { each.checked &&= !details.open; });
    askCode();
  };

  dialog.addEventListener("change", askCode);
  dialog.addEventListener("toggle", (event) => {
    if (event.target.matches("[data-by-name]")) byNameOnly(event.target);
  }, true);
  dialog.addEventListener("click", (event) => {
    const words = event.target.closest("[data-words]");
    if (event.target === dialog) close(); // beside the sheet
    if (!words) return;
    dialog.querySelector(words.dataset.words).value = words.value;
    words.form.requestSubmit();
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.target.matches("input") || event.ctrlKey || event.altKey || event.metaKey || taps.isLost()) return;
    const numbered = dialog.querySelector(`[data-number="${CSS.escape(event.key)}"]`);
    if (!numbered) return;
    event.preventDefault(); // the key is this sheet's alone, though the sheet may be gone when others hear it
    numbered.click();
    if (!dialog.open) taps.pauseKeys();
  });

  // --- Opening and closing ---------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-sheet-close]") && dialog.open) {
      event.preventDefault();
      close();
      return;
    }
    const link = event.target.closest("a[data-sheet]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(link);
  });

  // From the newest entry that can be voided on, back by arrows.
  const voids = () => floor.all(".goes-back").filter((link) => link.checkVisibility());
  const toVoids = () => {
    if (!voids().length) document.querySelector(".log-button")?.click();
    voids()[0]?.focus();
  };
  const step = (by) => () => {
    const at = voids().indexOf(document.activeElement);
    if (at >= 0) voids()[at + by]?.focus();
    return at >= 0;
  };
  const { on } = window.keyways;
  const now = () => floor.all(".goes-back").length > 0;
  on("void", toVoids, { now });
  on("void-further", step(1), { now });
  on("void-nearer", step(-1), { now });
})();
