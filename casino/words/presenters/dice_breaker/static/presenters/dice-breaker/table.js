// One die thrown, and what it did to others. The face of the thrown die comes last and sends.
//
// A die that was hit is tapped where it lies, then its new face, "out", or who caught it. Keys: a
// seat's letter and a number name a die, T the trump, L and a number a latent one.
(() => {
  "use strict";
  const { floor, taps } = window;
  const { find, all } = floor;

  let hits = new Map(); // die that was hit: {face}, {out} or {by}, in the order entered
  let chosen = ""; // the die that was hit and waits for its fate
  let thrown = ""; // the die that is thrown, where it is not the next one
  let by = ""; // who throws a latent die
  let fate = null; // of the thrown die; it sends
  let breaker = ""; // who breaks the starting die
  let row = ""; // a letter was typed: the number of one of its dice comes next
  let catching = false; // K was typed: the letter of who caught it comes next

  const form = () => find("[data-entry-breaker]");
  const starts = () => form()?.dataset.askStart !== undefined;
  const dies = () => all("[data-die]");
  const die = (name) => dies().find((each) => each.dataset.die === name);
  const own = () => (die(thrown) ? thrown : form()?.dataset.next ?? "");
  const isLatent = (name) => die(name)?.dataset.latent !== undefined;
  const whose = () => (starts() ? "" : isLatent(own()) ? by : form().dataset.thrower);
  const spins = () => Boolean(find("#spins")?.checked);
  const latentLive = () => form()?.dataset.latentLive !== undefined && (form().dataset.spinning !== undefined || spins());
  const due = () => all("button[data-breaks]");
  const mayThrow = (each) => each.dataset.throw !== undefined || (each.dataset.latent !== undefined && latentLive());
  const mayHit = (each) => each.dataset.hit !== undefined;
  const missesThrower = () => !starts() && (!own() || (isLatent(own()) && !by));

  // --- What it looks like -----------------------------------------------------------------------

  const sayIn = (line, sentence, name) => {
    const [before, after] = sentence.split("##");
    const strong = document.createElement("b");
    strong.textContent = name;
    line.replaceChildren(before, ...(after === undefined ? [] : [strong, after]));
  };

  const question = () => {
    const { dataset } = form();
    if (starts()) return [dataset.askStart, breaker];
    if (row === "l") return [dataset.askWhichLatent, ""];
    if (row) return [dataset.askWhich, seatOf(row)];
    const asked = chosen || own();
    const called = die(asked)?.dataset.called ?? "";
    if (catching) return [dataset.askCatch, called];
    if (!own()) return [dataset.askLatent, ""];
    if (isLatent(own()) && !by) return [dataset.askBy, called];
    return [chosen ? dataset.askHit : dataset.askThrown, called];
  };

  const drawDie = (each) => {
    const name = each.dataset.die;
    const hit = hits.get(name);
    each.classList.toggle("is-chosen", name === chosen);
    each.classList.toggle("is-thrown", !chosen && name === own());
    each.classList.toggle("is-hit", Boolean(hit));
    each.classList.toggle("is-named", each.dataset.called !== undefined && Boolean(row) && inRow(each));
    if (isLatent(name)) each.disabled = !latentLive();
    const face = each.dataset.face;
    const drawn = each.querySelector("use");
    if (face) drawn.setAttribute("href", `#die-6-${hit?.out || hit?.by ? "out" : "plain"}-${hit?.face ?? face}`);
    const note = each.querySelector("[data-note]");
    if (note) note.textContent = hit ? (hit.face ? `${face} \u2192` : hit.out ? form().dataset.wordOut : hit.by) : "";
    each.setAttribute("aria-pressed", String(name === chosen || name === own()));
  };

  const inRow = (each) => (row === "l" ? each.dataset.latent !== undefined : each.dataset.die.slice(0, -1) === seatOf(row));
  const seatOf = (letter) => find(`[data-seat][data-letter="${letter}"]`)?.dataset.seat;

  const draw = () => {
    if (!form()) return;
    if (starts() && !due().some((each) => each.dataset.breaks === breaker)) breaker = due()[0]?.dataset.breaks ?? "";
    hits.forEach((_fate, name) => { if (!die(name)) hits.delete(name); });
    if (chosen && !die(chosen)) chosen = "";
    dies().forEach(drawDie);
    due().forEach((each) => {
      each.classList.toggle("is-thrown", each.dataset.breaks === breaker);
      each.setAttribute("aria-pressed", String(each.dataset.breaks === breaker));
    });
    sayIn(find("[data-asked]"), ...question());
    const colour = die(chosen || own())?.dataset.colour;
    find(".breaker-keys").dataset.colour = colour ?? "";
    find(".breaker-keys").className = `breaker-keys${colour ? ` own-${colour}` : ""}`;
    const waits = Boolean(floor.flying);
    all(".entry-breaker .key, [data-die]").forEach((key) => key.setAttribute("aria-disabled", waits));
    all(".entry-breaker [data-face], [data-out]").forEach((key) => { key.disabled = missesThrower(); });
    all("[data-who]").forEach((key) => { key.disabled = !starts() && !own(); });
    const word = find("[data-who-word]");
    if (word) word.textContent = isLatent(own()) && !by ? form().dataset.wordThrown : form().dataset.wordCaught;
    const undo = find("[data-undo-word]");
    if (undo && dirty()) undo.textContent = undo.dataset.dieWord;
  };

  // --- What is entered --------------------------------------------------------------------------

  const forget = () => {
    hits = new Map();
    [chosen, thrown, by, breaker, row] = ["", "", "", "", ""];
    catching = false;
    fate = null;
  };
  const dirty = () => Boolean(fate || hits.size || chosen || thrown || row || catching);

  const choose = (each) => {
    if (!each) return false;
    if (floor.flying) return taps.refuse("sayUntakenSending") ?? true;
    taps.rest();
    row = "";
    catching = false;
    const name = each.dataset.die;
    if (mayThrow(each)) {
      thrown = name === thrown ? "" : name;
      by = "";
      chosen = "";
    } else if (mayHit(each)) chosen = name === chosen ? "" : name;
    else return false;
    floor.closeMenus();
    floor.say("");
    draw();
    return true;
  };

  // What became of the die that is asked for: of one that was hit, or of the thrown one, which sends.
  const decide = (became) => {
    if (floor.flying) {
      taps.refuse("sayUntakenSending");
      return;
    }
    if (!form() || missesThrower()) {
      taps.refuse("sayUntakenFace");
      return;
    }
    taps.rest();
    floor.closeMenus();
    floor.say("");
    [row, catching] = ["", false];
    if (chosen) {
      hits.delete(chosen);
      hits.set(chosen, became);
      chosen = "";
      draw();
      return;
    }
    fate = became;
    form().requestSubmit();
  };

  const who = (name) => {
    if (isLatent(own()) && !by && !chosen && !floor.flying) {
      taps.rest();
      by = name;
      catching = false;
      draw();
    } else decide({ by: name });
  };

  const takeBack = () => {
    if (fate && !floor.flying) { // it was about to be looked at
      fate = null;
      floor.say("");
    } else if (row || catching) [row, catching] = ["", false];
    else if (chosen) chosen = "";
    else if (hits.size) hits.delete([...hits.keys()].at(-1));
    else if (by) by = "";
    else if (thrown) thrown = "";
    else return false;
    draw();
    return true;
  };

  const pick = (number) => {
    const named = dies().find((each) => inRow(each) && each.dataset.number === String(number) && !each.disabled);
    row = "";
    if (named) choose(named);
    else {
      draw();
      taps.refuse("sayUntakenFace");
    }
  };

  const letter = (key) => {
    if (!form()) return false;
    if (floor.flying) return taps.refuse("sayUntakenSending") ?? true;
    taps.rest();
    const seat = seatOf(key);
    if (starts()) {
      const button = due().find((each) => each.dataset.breaks === seat);
      if (button) [breaker] = [seat];
      draw();
      return Boolean(button);
    }
    if (key === "t" && die("trump")) return choose(die("trump"));
    if (key === "k") catching = !catching && !missesThrower();
    else if (seat && (catching || (isLatent(own()) && !by && !chosen))) who(seat);
    else if (seat || (key === "l" && latentLive())) row = key;
    else return false;
    draw();
    return true;
  };

  // --- What is sent -----------------------------------------------------------------------------

  const fields = () => {
    if (starts()) return [["player", breaker], ["value", fate.face]];
    const name = own();
    const all = [...hits, [name, fate]];
    const said = [["player", whose()], ["die", name], ["value", fate.face ?? 1]]; // of no account where the die has left
    all.forEach(([each, became]) => {
      if (became.out) said.push(["out", each]);
      else if (became.by) said.push(["caught.die", each], ["caught.by", became.by]);
      else if (each !== name) said.push(["breaks.die", each], ["breaks.value", became.face]);
    });
    const told = form().dataset.spinning !== undefined;
    if (spins() || (isLatent(name) && !told)) said.push(["spinning", "true"]);
    return said;
  };

  const hidden = ([name, value]) => Object.assign(document.createElement("input"), { type: "hidden", name, value });

  floor.entries.push({
    draw,
    dirty,
    half: () => dirty() && !fate,
    reset: (refused) => {
      fate = null;
      if (!refused) forget();
    },
    keep: () => (dirty() ? { hits: [...hits], chosen, thrown, by, breaker, row, catching } : null),
    restore: (kept) => {
      if (!form()) return;
      hits = new Map(kept.hits);
      ({ chosen, thrown, by, breaker, row, catching } = kept);
    },
    owns: (sent) => sent === form(),
    ready: () => fate !== null && (starts() ? Boolean(breaker) : Boolean(own() && whose())),
    fill: (sent) => {
      if (sent === form()) sent.querySelector("[data-breaker-fields]").replaceChildren(...fields().map(hidden));
    },
    digit: (figure) => {
      if (!form()) return false;
      if (figure < 1 || figure > 6) taps.refuse("sayUntakenFace");
      else if (row) pick(figure);
      else decide({ face: figure });
      return true;
    },
    letter,
    back: takeBack,
  });

  document.addEventListener("click", (event) => {
    const on = (selector) => event.target.closest(`#board ${selector}`);
    const each = on("[data-die]");
    const key = on(".entry-breaker .key");
    const start = on("[data-breaks]");
    if ((each || key || start) && floor.queue?.settle() && !key?.dataset.face) {
      taps.refuse("sayUntakenSending"); // what was sent last is shown first, and dice lie elsewhere now
      return;
    }
    if (!form()) return;
    // A finger leaves no focus behind: a key after it means what it says, not the same die again.
    if ((each || key || start) && event.detail > 0) floor.play().focus({ preventScroll: true });
    if (each) choose(each);
    else if (start && floor.flying) taps.refuse("sayUntakenSending");
    else if (start) {
      breaker = start.dataset.breaks;
      draw();
    } else if (key?.dataset.who) who(key.dataset.who);
    else if (key?.dataset.out !== undefined) decide({ out: true });
    else if (key?.dataset.face) decide({ face: Number(key.dataset.face) });
    else if (on("[data-undo]") && dirty()) {
      event.preventDefault();
      takeBack();
    }
  });
  find(".seat-turn")?.scrollIntoView({ block: "nearest" }); // many seats scroll
  document.addEventListener("change", (event) => {
    if (event.target.matches("#spins")) {
      if (!latentLive() && isLatent(thrown)) [thrown, by] = ["", ""];
      draw();
    }
  });
})();
