// Seats on the form that opens a game: filled, moved by finger, mouse or keys, taken away. Their
// order is the order of play.
(() => {
  "use strict";
  const list = document.querySelector("[data-seats]");
  if (!list) return;
  const form = list.closest("form");
  const LEAST = 2;
  const SHOWN = 3;
  const SLACK = 6; // pixels that a finger trembles
  const EDGE = 72; // pixels from the window's edge where the page moves along
  const PACE = 0.6; // pixels a millisecond, however many frames the device draws
  const STRIDE = 100; // milliseconds: longer frames move the page no further

  const rows = () => [...list.children];
  const row = (inside) => inside.closest(".seat-row");
  const name = (of) => of.querySelector('input[name="player"]');
  const place = (of) => rows().indexOf(of) + 1;
  const ownHomes = () => form.querySelector('[name="home_throw"][value="players"]:checked') !== null;
  const said = (words) => { form.querySelector("[data-seats-said]").textContent = words; };

  const number = () => {
    rows().forEach((each, at) => {
      each.querySelectorAll('input[name="first"]').forEach((choice) => { choice.value = at; }); // not in every game
      each.querySelectorAll("[data-numbered]").forEach((thing) => {
        thing.setAttribute("aria-label", thing.getAttribute("aria-label").replace(/\d+/, at + 1));
      });
    });
    const seated = rows().map((each) => name(each).value.trim().toLowerCase());
    form.querySelectorAll("[data-seat-name]").forEach((each) => {
      each.hidden = seated.includes(each.dataset.seatName.trim().toLowerCase());
    });
  };

  const open = (tools, of) => {
    rows().forEach((each) => {
      const shown = tools && each === of;
      each.querySelector(".seat-moves").hidden = !shown;
      each.querySelector("[data-seat-grip]").setAttribute("aria-expanded", shown);
    });
  };

  const clear = (of) => {
    of.querySelectorAll('input[type="text"]').forEach((field) => { field.value = ""; });
    of.querySelectorAll('input[name="first"]').forEach((choice) => { choice.checked = false; });
  };

  const add = () => {
    const made = list.lastElementChild.cloneNode(true);
    clear(made);
    made.querySelector(".picker-list")?.remove(); // there is one, and it goes where it is needed
    made.querySelector(".picker-note").textContent = "";
    name(made).removeAttribute("autofocus");
    list.append(made);
    open(false);
    number();
    return made;
  };

  const takeAway = (of) => {
    const was = place(of);
    if (rows().length > LEAST) of.remove();
    else clear(of);
    open(false);
    number();
    said(list.dataset.saidAway.replace("##", was));
    return rows()[Math.min(was, rows().length) - 1];
  };

  // --- Moved -------------------------------------------------------------------------------------

  // What it passes goes round it: the row itself stays where it is in the page, with finger and focus.
  const past = (moved, by) => {
    const other = by < 0 ? moved.previousElementSibling : moved.nextElementSibling;
    if (!other) return false;
    if (by < 0) moved.after(other);
    else moved.before(other);
    return true;
  };

  const tell = (moved) => {
    number();
    const who = name(moved).value.trim() || list.dataset.nobody;
    said(list.dataset.saidMoved.replace("%name%", who).replace("##", place(moved)).replace("++", rows().length));
  };

  const move = (moved, by) => {
    if (past(moved, by)) tell(moved);
    moved.scrollIntoView({ block: "nearest" });
  };

  let drag = null; // {row, grip, pointer, from: where the finger lies on the page, y: in the window, moved}

  const top = (of) => of.getBoundingClientRect().top + scrollY;
  const middle = (of) => top(of) + of.offsetHeight / 2;

  const settle = () => {
    const { row: held } = drag;
    held.style.translate = "none";
    const shift = () => drag.y + scrollY - drag.from;
    for (;;) {
      const now = middle(held) + shift();
      const before = held.previousElementSibling;
      const after = held.nextElementSibling;
      const by = before && now < middle(before) ? -1 : after && now > middle(after) ? 1 : 0;
      if (!by) break;
      const was = top(held);
      past(held, by);
      drag.from += top(held) - was;
      number(); // the order is read while it is still in the hand
    }
    held.style.translate = `0 ${shift()}px`;
  };

  const along = (now) => {
    if (!drag) return;
    const way = drag.y < EDGE ? -1 : drag.y > innerHeight - EDGE ? 1 : 0;
    const passed = Math.min(now - (drag.drawn ?? now), STRIDE);
    if (way && drag.moved) {
      scrollBy(0, way * PACE * passed);
      settle();
    }
    drag.drawn = now;
    drag.frame = requestAnimationFrame(along);
  };

  const drop = (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    const { row: held, moved, frame } = drag;
    drag = null;
    cancelAnimationFrame(frame);
    held.style.translate = "";
    held.classList.remove("seat-held");
    if (moved) {
      held.dataset.dropped = "1"; // the click that follows is none
      setTimeout(() => { delete held.dataset.dropped; });
      tell(held);
    }
  };

  list.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest("[data-seat-grip]");
    if (!grip || event.button !== 0 || drag) return;
    grip.setPointerCapture(event.pointerId);
    drag = { row: row(grip), pointer: event.pointerId, from: event.clientY + scrollY, y: event.clientY, moved: false };
  });
  list.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    drag.y = event.clientY;
    if (!drag.moved && Math.abs(drag.y + scrollY - drag.from) > SLACK) {
      drag.moved = true;
      open(false);
      drag.row.classList.add("seat-held");
      drag.frame = requestAnimationFrame(along);
    }
    if (drag.moved) settle();
  });
  ["pointerup", "pointercancel", "lostpointercapture"].forEach((end) => list.addEventListener(end, drop));

  // --- By keys -----------------------------------------------------------------------------------

  const onward = (from) => {
    const next = from.nextElementSibling ?? add();
    name(next).focus();
  };
  const entered = (field) => {
    if (!field.value.trim()) form.querySelector("#stake, .opening-go").focus();
    else if (ownHomes()) row(field).querySelector('input[name="home"]').focus();
    else onward(row(field));
  };

  list.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const here = row(target);
    const by = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (by && (event.altKey || target.matches("[data-seat-grip]"))) move(here, by);
    else if (key === "Enter" && target.name === "player") entered(target);
    else if (key === "Enter" && target.name === "home") onward(here);
    else if (key === "Backspace" && target.name === "player" && !target.value && place(here) > LEAST) {
      name(here.previousElementSibling).focus();
      takeAway(here);
    } else return;
    event.preventDefault();
  });
  list.addEventListener("input", number);
  list.addEventListener("picked", (event) => {
    number();
    entered(event.target);
  });

  // --- By taps -----------------------------------------------------------------------------------

  const seat = (who) => {
    const free = rows().find((each) => !name(each).value.trim()) ?? add();
    name(free).value = who;
    number();
    said(list.dataset.saidMoved.replace("%name%", who).replace("##", place(free)).replace("++", rows().length));
  };

  form.addEventListener("click", (event) => {
    const on = (selector) => event.target.closest(selector);
    if (on("[data-seat-more]")) name(add()).focus();
    else if (on("[data-seat-name]")) seat(on("[data-seat-name]").dataset.seatName);
    else if (on("[data-seat-grip]")) {
      const held = row(event.target);
      if (!held.dataset.dropped) open(held.querySelector(".seat-moves").hidden, held);
    } else if (on("[data-seat-up]")) move(row(event.target), -1);
    else if (on("[data-seat-down]")) move(row(event.target), 1);
    else if (on("[data-seat-away]")) name(takeAway(row(event.target))).focus();
  });

  // Tapped again, nobody is named to throw first.
  let chosen = null;
  list.addEventListener("pointerdown", (event) => {
    const choice = event.target.closest(".seat-first")?.querySelector("input");
    chosen = choice?.checked ? choice : null;
  });
  list.addEventListener("click", (event) => {
    if (event.target.name !== "first" || event.target !== chosen) return;
    event.target.checked = false;
    chosen = null;
  });

  // The page comes with seats to spare for browsers without scripts; here they are made when wanted.
  rows().slice(SHOWN).reverse().forEach((each) => { if (!name(each).value) each.remove(); });
  number();
  window.seats = { number, atLeast: (many) => { while (rows().length < many) add(); } };
})();
