// What a table page asks of its bundle: compiled rules, presenters, board and templates of one ruleset.
//
// start(told), learn(told)   what the house says of the game (casino/floor/tables/offline/device_data.py)
// foresee(entries)           {seq, at, form} not answered yet, in order ->
//   {html, version, sentence, commands: event number -> command id, refused: null | {seq, code, sentence}}
// look(entries, entry)       what one more entry pays, where that takes a second look, else ""
(() => {
  "use strict";
  const { offline, python } = window;
  const { rules, presenter, update_known: updateKnown, put, board, second_look: secondLook, Entry, Form, shortened } = offline.compiled;
  python.shortened(shortened);

  let known = null; // as the house has said it
  let clock = null; // a moment as the house's clock writes it
  let done = { entries: [], reached: null }; // what was foreseen last, so that one more costs one

  const clockOf = ({ zone }, { name, time }) => new Intl.DateTimeFormat(name, {
    hour: "2-digit", minute: "2-digit", hourCycle: /[GH]/.test(time) ? "h23" : "h12", timeZone: zone,
  });

  const learn = (told) => {
    const { events, given, words = null } = told;
    known = updateKnown(known, python.json({ events, given, words }), rules, presenter);
    done = { entries: [], reached: known };
  };

  const entered = ({ at, form }) => Entry(Form([...new URLSearchParams(form)]), at, clock.format(new Date(at)));

  // Those that were foreseen before are not put again.
  const reach = (entries) => {
    const before = done.entries;
    const goesOn = before.length <= entries.length && before.every(({ seq, form }, place) => seq === entries[place].seq && form === entries[place].form);
    if (!goesOn) done = { entries: [], reached: known };
    for (const entry of entries.slice(done.entries.length)) {
      const told = put(done.reached, entered(entry));
      if (told.code) return { seq: entry.seq, code: told.code, sentence: told.sentence };
      done = { entries: [...done.entries, entry], reached: told.known };
    }
    return null;
  };

  offline.start = (told) => {
    known = null;
    python.speak(told.words.messages);
    offline.locale = told.locale;
    clock = clockOf(told.given.house, told.locale);
    learn(told);
  };
  offline.learn = learn;
  offline.foresee = (entries) => {
    const refused = reach(entries);
    const { reached } = done;
    const shown = board(reached, done.entries.length, Math.floor(Date.now() / 1000));
    const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
    const commands = Object.fromEntries(reached.commands.map((command, place) => [place + 1, command]).slice(reached.decided));
    return {
      html: offline.templates["floor/tables/_board.html"]({ board: shown, refused: null, csrf_token: token }),
      version: reached.facts.length,
      sentence: shown.get("next").get("sentence"),
      commands,
      refused,
    };
  };
  offline.look = (entries, entry) => {
    if (reach(entries)) return "";
    const told = put(done.reached, entered(entry));
    return told.code ? "" : secondLook(done.reached, told.known);
  };
  document.dispatchEvent(new Event("offline:ready")); // the page did not wait for it
})();
