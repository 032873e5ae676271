// What templates stand on once casino/floor/tables/offline/compiling/templates.py has made JavaScript of them. Text
// is escaped, tested, counted and cut as Django does it. Names of one letter stand in a bundle
// hundreds of times. Values are those of python.js, which is loaded before; what a context does not
// have is `undefined`, Python's None is `null`.
window.offline = window.offline || {};
(() => {
  "use strict";
  const { offline, python } = window;

  // Text that is markup already: a literal of a template, a translation.
  class Safe {
    constructor(text) { this.text = text; }
  }
  const s = (text) => new Safe(text);
  // The value alone: markup and translations as plain text.
  const u = (value) => {
    if (value === undefined) return "";
    if (value instanceof Safe) return value.text;
    return value !== null && value.say ? String(value) : value;
  };
  const o = (value) => (value === undefined ? "" : value);
  const r = (value) => {
    if (value === undefined) throw new TypeError("A filter is given what the context does not have.");
    return value;
  };

  const SIGNS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  const text = (value) => {
    if (typeof value === "string") return value;
    if (value === null) return "None";
    if (typeof value === "boolean") return value ? "True" : "False";
    if (Number.isInteger(value)) return String(value);
    throw new TypeError(`A page is made of text and whole numbers, not of ${JSON.stringify(value)}.`);
  };
  // A value as it stands in the page.
  const e = (value) => {
    if (value instanceof Safe) return value.text;
    const said = typeof value === "string" ? value : text(u(value));
    return /[&<>"']/.test(said) ? said.replace(/[&<>"']/g, (sign) => SIGNS[sign]) : said;
  };

  const whole = (bit) => (/^\d+$/.test(bit) ? Number(bit) : -1);
  const step = (holder, bit) => {
    if (typeof holder === "string") return [...holder][whole(bit)];
    if (Array.isArray(holder)) return holder[whole(bit)];
    if (typeof holder !== "object" || holder === null) return undefined;
    if (!holder.kept) return Object.hasOwn(holder, bit) ? holder[bit] : undefined; // `forloop`
    return holder.has(bit) ? holder.get(bit) : bit === "items" ? holder.items() : undefined;
  };
  // What lies at the end of a path: g(c.board, "own", "sale").
  const g = (holder, ...path) => path.reduce((found, bit) => step(u(found), bit), holder);

  const many = (values) => {
    const found = u(values);
    if (Array.isArray(found)) return found;
    if (found === null) return [];
    if (found[Symbol.iterator]) return [...found];
    throw new TypeError(`${found} has no parts.`);
  };
  const sized = (value) => typeof value === "string" || (typeof value === "object" && value !== null);
  const count = (value) => many(value).length;
  const t = (value) => {
    const said = u(value);
    return typeof said === "object" && said !== null ? count(said) > 0 : Boolean(said);
  };

  const bare = (value) => (typeof value === "boolean" ? Number(value) : value);
  const equal = (one, other) => {
    const [a, b] = [bare(u(one ?? null)), bare(u(other ?? null))];
    if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, place) => equal(each, b[place]));
    return a === b;
  };
  // Whether an item is in something; undefined where that holds nothing, which is neither in nor not in.
  const within = (item, holder) => {
    const [a, b] = [u(item ?? null), u(holder ?? null)];
    if (typeof b === "string") return typeof a === "string" ? b.includes(a) : undefined;
    if (Array.isArray(b)) return b.some((each) => equal(each, a));
    return sized(b) ? b.has(a) : undefined;
  };
  // The difference of two numbers; what cannot be compared is NaN, neither more nor less.
  const apart = (one, other) => {
    const [a, b] = [bare(u(one)), bare(u(other))];
    if (typeof a === "string" && a && typeof b === "string" && b) throw new TypeError("Templates do not order texts.");
    return typeof a === "number" && typeof b === "number" ? a - b : NaN;
  };

  // A context in a context: what is set in it does not outlive it. Copied, not inherited: names are
  // looked up far more often than contexts are made.
  const p = (context, values) => ({ ...context, ...values });
  const f = (context, names, values, body, empty, backwards) => {
    const items = many(values);
    const inner = { ...context };
    const length = items.length;
    if (!length) return empty ? empty(inner) : "";
    const loop = { parentloop: context.forloop ?? {}, counter0: 0, counter: 0, revcounter: 0, revcounter0: 0, first: true, last: false };
    inner.forloop = loop;
    const unpacked = (item) => {
      const parts = many(item);
      if (parts.length !== names.length) throw new TypeError(`${names.length} names for ${parts.length} values.`);
      return p(inner, Object.fromEntries(names.map((name, place) => [name, parts[place]])));
    };
    let all = "";
    for (let place = 0; place < length; place++) {
      const item = items[backwards ? length - 1 - place : place];
      loop.counter0 = place;
      loop.counter = place + 1;
      loop.revcounter = length - place;
      loop.revcounter0 = length - place - 1;
      loop.first = place === 0;
      loop.last = place === length - 1;
      if (typeof names === "string") inner[names] = item;
      all += body(typeof names === "string" ? inner : unpacked(item));
    }
    return all;
  };
  // {% include %} of what the context names: a template, or the first of several that is there.
  const i = (context, named) => {
    const names = [u(named)].flat();
    const found = names.find((name) => Object.hasOwn(offline.templates, name));
    if (found === undefined) throw new TypeError(`No template ${names.join(", ")} has come along.`);
    return offline.templates[found](context);
  };
  const first = (...values) => values.find(t);
  const csrf = (token) => (token ? `<input type="hidden" name="csrfmiddlewaretoken" value="${e(token)}">` : "");

  const _ = python.django_utils_translation_gettext;
  const plural = python.django_utils_translation_ngettext;
  const filled = (sentence, values) => {
    let sound = true;
    const all = sentence.replace(/%(?:\((\w+)\)s|(%))?/g, (_whole, name, percent) => {
      if (percent) return "%";
      if (name === undefined || !Object.hasOwn(values, name)) sound = false;
      return sound ? values[name] : "";
    });
    return sound ? all : null;
  };
  // {% blocktranslate %}; a translation whose holes do not fit gives way to what it translates.
  const b = (msgid, values, more, number) => {
    if (more !== undefined && typeof number !== "number") throw new TypeError(`${number} is no count for "${more}".`);
    const said = more === undefined ? _(msgid) : plural(msgid, more, number);
    return filled(said, values) ?? filled(more !== undefined && number !== 1 ? more : msgid, values);
  };

  const int = (value) => {
    if (typeof value === "string") return /^\s*[-+]?\d+\s*$/.test(value) ? Number(value) : undefined;
    return typeof value === "number" || typeof value === "boolean" ? Math.trunc(value) : undefined;
  };
  const letters = (value) => text(u(value));
  const kept = (value, made) => (value instanceof Safe ? s(made) : made); // safe in, safe out

  const filters = {
    add: (value, more) => {
      const [a, b] = [u(value), u(more)];
      if (int(a) !== undefined && int(b) !== undefined) return int(a) + int(b);
      if (typeof a === "string" && typeof b === "string") {
        return value instanceof Safe && more instanceof Safe ? s(a + b) : a + b;
      }
      return Array.isArray(a) && Array.isArray(b) ? [...a, ...b] : "";
    },
    capfirst: (value) => {
      const [head = "", ...rest] = letters(value);
      return kept(value, head.toUpperCase() + rest.join(""));
    },
    otherwise: (value, instead) => (t(value) ? value : instead),
    default_if_none: (value, instead) => (value === null ? instead : value),
    length: (value) => (sized(u(value)) ? count(u(value)) : 0),
    slice: (value, from, to) => {
      const parts = u(value);
      if (typeof parts === "string") return kept(value, [...parts].slice(from, to).join(""));
      return Array.isArray(parts) ? parts.slice(from, to) : parts;
    },
    digits: (value) => (typeof value === "number" || typeof value === "boolean" ? String(Math.trunc(value)) : ""),
    upper: (value) => letters(value).toUpperCase(),
  };

  offline.templates = offline.templates || {};
  offline.template = {
    s, u, o, r, e, g, t, p, f, i, b, _, equal, within, apart, first, csrf, ...filters,
  };
})();
