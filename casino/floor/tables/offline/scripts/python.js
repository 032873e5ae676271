// What compiled Python stands on (casino/floor/tables/offline/compiling/): values compared and hashed by what they
// are, keywords, classes, and the parts of the standard library that rules use.
//
// None is null, a list or a tuple is an array, a class is the function that makes its objects.
//
// One file on purpose: what is equal, hashed, ordered and written as text knows every kind of value
// (numbers, dicts, sets, ranges, text), and each kind knows that in turn.
window.python = (() => {
  "use strict";
  const $ = {};

  // --- Classes and exceptions ---

  let classes = 0;

  // kind: "plain", "data" (a dataclass), "same" (equal to itself alone), "tuple" (a NamedTuple).
  // fields: [name, default(), reader(value)], the last two where there are any.
  $.cls = (name, bases, kind, fields, members) => {
    const make = (...given) => {
      const made = Object.create(make.prototype);
      if (made.__init__) made.__init__(...given);
      else make.$begin(made, given);
      return made;
    };
    const [base] = bases;
    if (base) Object.setPrototypeOf(make, base);
    make.prototype = Object.create(base ? base.prototype : Object.prototype);
    make.$number = classes++;
    make.$kind = kind === "plain" && base ? base.$kind : kind;
    const known = new Map((base?.$fields ?? []).map((field) => [field[0], field]));
    for (const field of fields) known.set(field[0], field); // in its base's place, as in Python
    make.$fields = [...known.values()];
    make.$p = make.$fields.map(([field]) => field);
    make.__name__ = name;
    make.$begin = base?.$kind === "error" ? base.$begin : (made, given) => {
      make.$fields.forEach(([field, value], place) => {
        if (given[place] !== undefined) made[field] = given[place];
        else if (value) made[field] = value();
        else throw $.TypeError(`${name}: ${field} is missing`);
      });
    };
    for (const [key, value] of Object.entries(members)) {
      if (value instanceof Getter) Object.defineProperty(make.prototype, key, value.of(key));
      else Object.defineProperty(make.prototype, key, { value, writable: true });
      if (typeof value !== "function" && !(value instanceof Getter)) {
        Object.defineProperty(make, key, { value, writable: true, configurable: true });
      }
    }
    Object.defineProperty(make.prototype, "$cls", { value: make });
    make.$p = make.prototype.__init__?.$p ?? make.$p;
    for (const [field] of fields) { // a field stands in front of a property of the same name
      if (field in make.prototype) Object.defineProperty(make.prototype, field, { value: undefined, writable: true });
    }
    if (make.$kind === "tuple") {
      make.prototype[Symbol.iterator] = function* () {
        for (const [field] of make.$fields) yield this[field];
      };
    }
    return make;
  };

  class Getter {
    constructor(get, kept) {
      this.get = get;
      this.kept = kept;
    }

    of(key) {
      const { get, kept } = this;
      if (!kept) return { get };
      return {
        get() {
          const value = get.call(this);
          Object.defineProperty(this, key, { value });
          return value;
        },
      };
    }
  }
  $.getter = (get, kept) => new Getter(get, kept);
  $.super_ = (here, self, name) => bound(self, Object.getPrototypeOf(here.prototype)[name]);

  $.Exception = $.cls("Exception", [], "error", [], {
    __init__(...given) {
      this.args = given;
      this.stack = new Error().stack; // where it was raised: for whoever mends a bundle
    },
    __str__() { return this.args.length ? $.str(this.args[0]) : ""; },
    toString() { return `${this.$cls.__name__}: ${$.str(this)}\n${this.stack}`; },
  });
  for (const name of ["TypeError", "ValueError", "KeyError", "IndexError", "ArithmeticError", "AssertionError", "OverflowError", "StopIteration", "RuntimeError"]) {
    $[name] = $.cls(name, [$.Exception], "error", [], {});
  }
  $.raised = (what) => (typeof what === "function" ? what() : what);
  // What the browser itself throws is no exception of Python: nobody here has meant it.
  $.caught = (what) => {
    if ($.isinstance(what, $.Exception)) return what;
    throw what;
  };

  // --- Calls with keywords ---

  class Keywords {
    constructor(given) {
      Object.assign(this, given);
    }
  }
  $.kw_ = (given) => new Keywords(given);
  // The keywords that a function of the runtime was given last, taken from its arguments.
  const taken = (given) => (given.at(-1) instanceof Keywords ? given.pop() : {});

  $.method = (fn, parameters) => Object.assign(fn, { $p: parameters });
  $.variadic = (fn, parameters) => {
    const called = function (...given) { return fn.call(this, {}, ...given); };
    return Object.assign(called, { $p: parameters, $v: fn });
  };
  $.kw = (given, name, otherwise) => {
    const value = name in given ? given[name] : otherwise;
    delete given[name];
    return value;
  };
  $.kwrest = (given) => $.dict_(Object.entries(given));

  const placed = (fn, given, keywords) => {
    const left = { ...keywords };
    const places = [...given];
    (fn.$p ?? []).forEach((name, place) => {
      if (name in left) {
        places[place] = left[name];
        delete left[name];
      }
    });
    return [places, left];
  };
  const called = (fn, self, given, keywords) => {
    if (fn.$kw) return fn.apply(self, [...given, $.kw_(keywords)]);
    const [places, left] = placed(fn, given, keywords);
    if (fn.$v) return fn.$v.call(self, left, ...places);
    const [unknown] = Object.keys(left);
    if (unknown !== undefined) throw $.TypeError(`no parameter ${unknown}`);
    return fn.apply(self, places);
  };
  $.k = (fn, given, keywords) => called(fn, undefined, given, keywords);
  $.km = (of, name, given, keywords) =>
    (typeof of === "string" || Array.isArray(of) ? $.c(of, name, ...given, $.kw_(keywords)) : called(of[name], of, given, keywords));
  // A method that is passed on knows whose it is.
  $.attr = (of, name) => {
    if (typeof of === "string" || Array.isArray(of)) return (...given) => $.c(of, name, ...given);
    const value = of[name];
    return typeof value !== "function" || typeof of === "function" || Object.hasOwn(of, name) ? value : bound(of, value);
  };
  const bound = (of, method) => {
    const its = (...given) => method.apply(of, given);
    if (method.$p) its.$p = method.$p;
    if (method.$v) its.$v = method.$v.bind(of);
    return its;
  };

  // --- Equal, hashed, ordered, true ---

  const isData = (value) => value !== null && typeof value === "object" && value.$cls !== undefined;

  $.eq = (a, b) => {
    if (a === b) return true;
    if (a === null || b === null || a === undefined || b === undefined) return a == b;
    if (typeof a === "boolean" || typeof b === "boolean") return typeof a !== "object" && typeof b !== "object" && Number(a) === Number(b) && typeof a !== "string" && typeof b !== "string";
    if (typeof a !== "object" && typeof b !== "object") return false;
    if (a instanceof Lazy || b instanceof Lazy) return $.str(a) === $.str(b);
    if (a instanceof Fraction || b instanceof Fraction) return isNumber(a) && isNumber(b) && compare(a, b) === 0;
    if (Array.isArray(a) || Array.isArray(b)) {
      const [one, other] = [asArray(a), asArray(b)];
      return one !== null && other !== null && one.length === other.length && one.every((each, place) => $.eq(each, other[place]));
    }
    if (a instanceof Dict && b instanceof Dict) return a.size === b.size && a.items().every(([key, value]) => b.has(key) && $.eq(b.get(key), value));
    if (a instanceof PySet && b instanceof PySet) return a.size === b.size && [...a].every((each) => b.has(each));
    if (isData(a) && isData(b) && a.$cls === b.$cls && a.$cls.$kind !== "same") return a.$cls.$fields.every(([field]) => $.eq(a[field], b[field]));
    return false;
  };
  const asArray = (value) => (Array.isArray(value) ? value : isData(value) && value.$cls.$kind === "tuple" ? [...value] : null);

  // What a value is called in a Map: the same for equal values.
  const hashed = (value) => {
    switch (typeof value) {
      case "string": return `s${value}`;
      case "boolean": return Number(value);
      case "object": break;
      default: return value;
    }
    if (value === null) return null;
    const list = asArray(value);
    if (list) return `t(${list.map(hashed).join("\u0000")})`;
    if (value instanceof Fraction) return value.below === 1 ? value.above : `f${value.above}/${value.below}`;
    if (value instanceof PySet) return `e{${[...value].map(hashed).map(String).sort().join("\u0000")}}`;
    if (value instanceof Lazy) return `s${$.str(value)}`;
    if (isData(value) && value.$cls.$kind === "data") {
      return `d${value.$cls.$number}(${value.$cls.$fields.map(([field]) => hashed(value[field])).join("\u0000")})`;
    }
    return value;
  };

  const compare = (a, b) => {
    if (a instanceof Fraction || b instanceof Fraction) {
      const [one, other] = [fraction(a), fraction(b)];
      return one.above * other.below - other.above * one.below;
    }
    const [left, right] = [asArray(a), asArray(b)];
    if (left && right) {
      for (let place = 0; place < Math.min(left.length, right.length); place++) {
        if (!$.eq(left[place], right[place])) return compare(left[place], right[place]);
      }
      return left.length - right.length;
    }
    if (a instanceof PySet && b instanceof PySet) {
      if (![...a].every((each) => b.has(each))) return b.size < a.size && [...b].every((each) => a.has(each)) ? 1 : NaN;
      return a.size - b.size;
    }
    if (a instanceof Lazy || b instanceof Lazy) return compare($.str(a), $.str(b));
    if (a === null || b === null || typeof a === "object" || typeof b === "object") throw $.TypeError("these have no order");
    return a < b ? -1 : a > b ? 1 : 0;
  };
  $.lt = (a, b) => compare(a, b) < 0;
  $.le = (a, b) => compare(a, b) <= 0;
  $.gt = (a, b) => compare(a, b) > 0;
  $.ge = (a, b) => compare(a, b) >= 0;

  $.b = (value) => {
    if (typeof value !== "object") return Boolean(value);
    if (value === null) return false;
    if (Array.isArray(value)) return value.length > 0;
    if (value instanceof Dict || value instanceof PySet) return value.size > 0;
    if (value instanceof Fraction) return value.above !== 0;
    if (value instanceof Lazy) return $.str(value) !== "";
    if (value.__len__) return value.__len__() > 0;
    return true;
  };
  $.andalso = (first, rest) => ($.b(first) ? rest() : first);
  $.orelse = (first, rest) => ($.b(first) ? first : rest());
  $.bool = (value = false) => $.b(value);
  $.bound = () => true;

  $.in = (value, whole) => {
    if (typeof whole === "string") return whole.includes(value);
    if (whole instanceof Dict || whole instanceof PySet || whole instanceof Range) return whole.has(value);
    for (const each of $.it(whole)) if ($.eq(each, value)) return true;
    return false;
  };

  // --- Numbers ---

  const isNumber = (value) => typeof value === "number" || typeof value === "boolean" || value instanceof Fraction;
  const divisor = (a, b) => (b === 0 ? Math.abs(a) : divisor(b, a % b));

  class Fraction {
    constructor(above, below) {
      const by = (divisor(above, below) || 1) * Math.sign(below);
      this.above = above / by + 0;
      this.below = below / by;
      Object.freeze(this);
    }

    get numerator() { return this.above; }
    get denominator() { return this.below; }
  }
  const fraction = (value) => (value instanceof Fraction ? value : new Fraction(Number(value), 1));
  $.fractions_Fraction = (above = 0, below = 1) => {
    if (typeof above === "string") {
      const [one, other = "1"] = above.split("/");
      return new Fraction(Number(one), Number(other));
    }
    const [one, other] = [fraction(above), fraction(below)];
    if (other.above === 0) throw $.ArithmeticError("division by zero");
    return new Fraction(one.above * other.below, one.below * other.above);
  };
  $.readFraction = (value) => (value === null ? null : $.fractions_Fraction(value));

  // An integer beyond 2**53 is a BigInt as long as it is that large: sets of bits are.
  const fit = (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value);
  const counted = (a, b, plain, exact) => {
    if (a instanceof Fraction || b instanceof Fraction) return exact(fraction(a), fraction(b));
    if (typeof a === "bigint" || typeof b === "bigint") return fit(plain(BigInt(a), BigInt(b)));
    return plain(Number(a), Number(b));
  };
  const byZero = (b) => {
    if (!$.b(b)) throw $.ArithmeticError("division by zero");
  };
  $.add = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a + b;
    if (a instanceof Lazy || b instanceof Lazy || typeof a === "string") return $.str(a) + $.str(b);
    if (asArray(a)) return [...a, ...b];
    if (a instanceof Counter) return a.plus(b);
    return counted(a, b, (x, y) => x + y, (x, y) => new Fraction(x.above * y.below + y.above * x.below, x.below * y.below));
  };
  $.sub = (a, b) => {
    if (a instanceof PySet) return new PySet([...a].filter((each) => !$.in(each, b)));
    if (a instanceof Counter) return a.without(b);
    if (a instanceof Moment) return { total_seconds: () => (a.at - b.at) / 1000 };
    return counted(a, b, (x, y) => x - y, (x, y) => new Fraction(x.above * y.below - y.above * x.below, x.below * y.below));
  };
  $.mul = (a, b) => {
    if (typeof a === "string") return a.repeat(Math.max(0, b));
    if (Array.isArray(a)) return Array.from({ length: Math.max(0, Number(b)) }, () => a).flat();
    if (Array.isArray(b) || typeof b === "string") return $.mul(b, a);
    return counted(a, b, (x, y) => x * y, (x, y) => new Fraction(x.above * y.above, x.below * y.below));
  };
  $.div = (a, b) => {
    byZero(b);
    return counted(a, b, (x, y) => x / y, (x, y) => new Fraction(x.above * y.below, x.below * y.above));
  };
  $.floordiv = (a, b) => {
    byZero(b);
    return counted(a, b, (x, y) => Math.floor(x / y), (x, y) => Math.floor((x.above * y.below) / (x.below * y.above)));
  };
  $.mod = (a, b) => {
    if (typeof a === "string" || a instanceof Lazy) return formatted($.str(a), b);
    byZero(b);
    return $.sub(a, $.mul($.floordiv(a, b), b));
  };
  $.pow = (a, b) => a ** b;
  $.shl = (a, b) => fit(BigInt(a) << BigInt(b));
  $.neg = (a) => $.sub(0, a);
  $.abs = (a) => {
    if (typeof a === "string") throw $.TypeError("this is no number");
    return compare(a, 0) < 0 ? $.neg(a) : a;
  };
  $.divmod = (a, b) => [$.floordiv(a, b), $.mod(a, b)];
  $.int = (value = 0) => {
    if (typeof value === "string" && !/^\s*[+-]?\d+\s*$/.test(value)) throw $.ValueError(`no number: ${value}`);
    return value instanceof Fraction ? Math.trunc(value.above / value.below) : Math.trunc(Number(value));
  };
  $.float = Number;
  $.math_floor = (value) => $.floordiv(value, 1);
  $.math_isfinite = Number.isFinite;
  $.math_prod = (values) => [...$.it(values)].reduce($.mul, 1);
  $.math_gcd = divisor;

  // JavaScript's own operators know 32 bits.
  const bits = (a, b, of) => (Math.min(Number(a), Number(b)) < 0 || Math.max(Number(a), Number(b)) > 2 ** 31 - 1 ? fit(of(BigInt(a), BigInt(b))) : of(a, b));

  // Unions of types, of sets, of dicts.
  $.or = (a, b) => {
    if (typeof a === "function" || a?.$union || a === null) return Object.assign([...(a?.$union ? a : [a]), ...(b?.$union ? b : [b])], { $union: true });
    if (a instanceof Dict) return new Dict([...a.items(), ...b.items()]);
    if (a instanceof PySet) return new PySet([...a, ...$.it(b)]);
    return typeof a === "boolean" && typeof b === "boolean" ? a || b : bits(a, b, (x, y) => x | y);
  };
  $.and = (a, b) => {
    if (a instanceof PySet) return new PySet([...a].filter((each) => $.in(each, b)));
    return typeof a === "boolean" && typeof b === "boolean" ? a && b : bits(a, b, (x, y) => x & y);
  };

  // --- Dicts, sets, sequences ---

  class Dict {
    constructor(entries = []) {
      this.kept = new Map();
      for (const [key, value] of entries) this.put(key, value);
    }

    get size() { return this.kept.size; }
    put(key, value) {
      const name = hashed(key);
      const before = this.kept.get(name);
      if (before) before[1] = value;
      else this.kept.set(name, [key, value]);
    }
    has(key) { return this.kept.has(hashed(key)); }
    get(key, otherwise = null) {
      const found = this.kept.get(hashed(key));
      return found ? found[1] : otherwise;
    }
    keys() { return [...this.kept.values()].map(([key]) => key); }
    values() { return [...this.kept.values()].map(([, value]) => value); }
    items() { return [...this.kept.values()].map(([key, value]) => [key, value]); }
    pop(key, otherwise) {
      const found = this.kept.get(hashed(key));
      if (!found && otherwise === undefined) throw $.KeyError(key);
      this.kept.delete(hashed(key));
      return found ? found[1] : otherwise;
    }
    setdefault(key, value = null) {
      if (!this.has(key)) this.put(key, value);
      return this.get(key);
    }
    update(more) { for (const [key, value] of $.entries(more)) this.put(key, value); }
    copy() { return new Dict(this.items()); }
    clear() { this.kept.clear(); }
    [Symbol.iterator]() { return this.keys()[Symbol.iterator](); }
  }

  class Counter extends Dict {
    constructor(values = []) {
      super();
      for (const each of $.it(values)) this.put(each, this.get(each) + 1);
    }

    get(key, otherwise = 0) { return super.get(key, otherwise); }
    most_common(most = null) {
      const found = this.items().sort(([, one], [, other]) => other - one);
      return most === null ? found : found.slice(0, most);
    }
    elements() { return this.items().flatMap(([key, times]) => Array.from({ length: times }, () => key)); }
    total() { return this.values().reduce((sum, each) => sum + each, 0); }
    without(other) {
      const left = new Counter();
      for (const [key, times] of this.items()) if (times > other.get(key)) left.put(key, times - other.get(key));
      return left;
    }
    plus(other) {
      const sum = new Counter(this.elements());
      for (const [key, times] of other.items()) sum.put(key, sum.get(key) + times);
      return sum;
    }
  }

  class PySet {
    constructor(values = []) {
      this.kept = new Map();
      for (const each of $.it(values)) this.add(each);
    }

    get size() { return this.kept.size; }
    add(value) { this.kept.set(hashed(value), value); }
    has(value) { return this.kept.has(hashed(value)); }
    discard(value) { this.kept.delete(hashed(value)); }
    remove(value) {
      if (!this.kept.delete(hashed(value))) throw $.KeyError(value);
    }
    update(more) { for (const each of $.it(more)) this.add(each); }
    union(...more) { return new PySet([...this, ...more.flatMap((each) => [...$.it(each)])]); }
    intersection(other) { return $.and(this, other); }
    difference(other) { return $.sub(this, other); }
    isdisjoint(other) { return ![...$.it(other)].some((each) => this.has(each)); }
    issubset(other) { return [...this].every((each) => $.in(each, other)); }
    issuperset(other) { return [...$.it(other)].every((each) => this.has(each)); }
    copy() { return new PySet(this); }
    [Symbol.iterator]() { return this.kept.values(); }
  }

  $.dict_ = (entries) => new Dict(entries);
  $.dict = (...given) => {
    const keywords = taken(given);
    return new Dict([...(given.length ? $.entries(given[0]) : []), ...Object.entries(keywords)]);
  };
  $.dict.$kw = true;
  $.dict_fromkeys = (keys, value = null) => new Dict([...$.it(keys)].map((key) => [key, value]));
  $.set_ = (values) => new PySet(values);
  $.set = (values = []) => new PySet(values);
  $.frozenset = (values = []) => new PySet(values);
  $.collections_Counter = (values = []) => new Counter(values);
  $.entries = (of) => (of instanceof Dict ? of.items() : [...$.it(of)]);
  $.plain = (of) => (of instanceof Dict ? Object.fromEntries(of.items()) : of);

  $.it = (of) => {
    if (of === null || of === undefined || of[Symbol.iterator] === undefined) throw $.TypeError("this has no parts");
    return of;
  };
  $.list = (of = []) => [...$.it(of)];
  $.tuple = (of) => $.list(of);
  $.bytes = (of) => $.list(of);
  $.len = (of) => of.length ?? of.size ?? of.__len__?.() ?? [...of].length;

  const place = (of, index) => (index < 0 ? index + of.length : Number(index));
  $.get = (of, index) => {
    if (of instanceof Counter) return of.get(index);
    if (of instanceof Dict) {
      if (!of.has(index)) throw $.KeyError(index);
      return of.get(index);
    }
    const whole = typeof of === "string" ? of : asArray(of);
    const at = place(whole, index);
    if (!(at in Object(whole))) throw $.IndexError("out of range");
    return whole[at];
  };
  const put = (of, index, value) => {
    if (of instanceof Dict) of.put(index, value);
    else of[place(of, index)] = value;
  };
  $.put = put;
  $.del = (of, index) => {
    if (of instanceof Dict) of.pop(index);
    else of.splice(place(of, index), 1);
  };
  $.slice = (of, from, to, step) => {
    const whole = typeof of === "string" ? of : asArray(of);
    if (step === null || step === 1) return whole.slice(from ?? 0, to ?? undefined);
    const found = [];
    const length = whole.length;
    const least = step > 0 ? 0 : -1;
    const bound = (end, otherwise) => (end === null ? otherwise : end < 0 ? Math.max(least, end + length) : Math.min(end, length));
    if (step > 0) for (let at = bound(from, 0); at < bound(to, length); at += step) found.push(whole[at]);
    else for (let at = Math.min(bound(from, length - 1), length - 1); at > bound(to, -1); at += step) found.push(whole[at]);
    return typeof of === "string" ? found.join("") : found;
  };
  $.isseq = (of, length, more = false) => {
    const list = asArray(of);
    return list !== null && (more ? list.length >= length : list.length === length);
  };
  $.at = (of, number) => of[of.$cls.$fields[number][0]];

  // --- Builtin functions ---

  $.iter = (of) => $.it(of)[Symbol.iterator]();
  $.next = (over, ...otherwise) => {
    const { done, value } = over.next();
    if (!done) return value;
    if (otherwise.length) return otherwise[0];
    throw $.StopIteration();
  };
  class Range {
    constructor(first, end, step) {
      this.first = first;
      this.step = step;
      this.length = Math.max(0, Math.ceil((end - first) / step));
    }

    has(value) {
      const at = (value - this.first) / this.step;
      return Number.isInteger(at) && at >= 0 && at < this.length;
    }

    * [Symbol.iterator]() {
      for (let at = 0; at < this.length; at++) yield this.first + at * this.step;
    }
  }
  $.range = (from, to, step = 1) => (to === undefined ? new Range(0, from, step) : new Range(from, to, step));
  $.enumerate = (over, ...given) => {
    const { start = 0 } = taken(given);
    const first = given[0] ?? start;
    return $.list(over).map((each, number) => [number + first, each]);
  };
  $.zip = (...lists) => {
    const { strict } = taken(lists);
    const rows = lists.map($.list);
    const lengths = rows.map((row) => row.length);
    if (strict && new Set(lengths).size > 1) throw $.ValueError("zip() of different lengths");
    return Array.from({ length: lists.length ? Math.min(...lengths) : 0 }, (_, number) => rows.map((row) => row[number]));
  };
  $.map = (fn, ...lists) => $.iter($.zip(...lists).map((row) => fn(...row)));
  $.filter = (fn, list) => $.iter($.list(list).filter((each) => (fn === null ? $.b(each) : $.b(fn(each)))));
  $.reversed = (list) => $.iter($.list(list).reverse());
  $.sorted = (list, ...given) => {
    const { key = null, reverse = false } = taken(given);
    const keyed = $.list(list).map((each) => [key === null ? each : key(each), each]);
    keyed.sort(([one], [other]) => (reverse ? compare(other, one) : compare(one, other)));
    return keyed.map(([, each]) => each);
  };
  const most = (sign) => (...given) => {
    const { key = (each) => each, ...keywords } = taken(given);
    const list = given.length === 1 ? $.list(given[0]) : given;
    if (!list.length && "default" in keywords) return keywords.default;
    if (!list.length) throw $.ValueError("nothing to choose from");
    return list.reduce((best, each) => (compare(key(each), key(best)) * sign > 0 ? each : best));
  };
  $.max = most(1);
  $.min = most(-1);
  $.sum = (list, ...given) => {
    const { start = 0 } = taken(given);
    return $.list(list).reduce($.add, given[0] ?? start);
  };
  $.any = (list) => {
    for (const each of $.it(list)) if ($.b(each)) return true;
    return false;
  };
  $.all = (list) => {
    for (const each of $.it(list)) if (!$.b(each)) return false;
    return true;
  };
  $.callable = (value) => typeof value === "function";
  $.type = (value) => value?.$cls ?? [$.bool, $.str, $.int, $.list, $.dict].find((each) => each.$test?.(value));
  $.getattr = (of, name, ...otherwise) => {
    if (of !== null && of !== undefined && name in Object(of)) return $.attr(of, name);
    if (otherwise.length) return otherwise[0];
    throw $.TypeError(`no ${name}`);
  };
  $.hasattr = (of, name) => of !== null && of !== undefined && name in Object(of);

  $.isinstance = (value, kind) => {
    if (Array.isArray(kind)) return kind.some((each) => $.isinstance(value, each));
    if (kind === null) return value === null;
    if (kind.$test) return kind.$test(value);
    return value instanceof kind;
  };
  $.issubclass = (one, other) => one === other || other.prototype.isPrototypeOf(one.prototype);

  // --- Text ---

  class Lazy {
    constructor(say) {
      this.say = say;
    }

    toString() { return this.say(); }
    toJSON() { return this.say(); }
  }

  $.str = (value = "") => {
    if (typeof value === "string") return value;
    if (value === null || value === undefined) return "None";
    if (typeof value === "boolean") return value ? "True" : "False";
    if (typeof value === "number") return String(value);
    if (value instanceof Lazy) return value.say();
    if (value instanceof Fraction) return value.below === 1 ? String(value.above) : `${value.above}/${value.below}`;
    if (value.__str__) return value.__str__();
    return $.repr(value);
  };
  $.repr = (value) => {
    if (typeof value === "string") {
      const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
      const escaped = value.replace(/\\/g, "\\\\").replace(/\n/g, "\\n").replace(/\r/g, "\\r").replace(/\t/g, "\\t");
      return quote + (quote === "'" ? escaped.replace(/'/g, "\\'") : escaped) + quote;
    }
    if (Array.isArray(value)) return `(${value.map($.repr).join(", ")}${value.length === 1 ? "," : ""})`;
    if (value instanceof Dict) return `{${value.items().map(([key, each]) => `${$.repr(key)}: ${$.repr(each)}`).join(", ")}}`;
    if (isData(value) && value.$cls.$kind === "data") return `${value.$cls.__name__}(${value.$cls.$fields.map(([field]) => `${field}=${$.repr(value[field])}`).join(", ")})`;
    return $.str(value);
  };
  // "%(name)s" and "%s", as gettext's sentences have them.
  const formatted = (pattern, given) => {
    const rest = Array.isArray(given) ? [...given] : [given];
    return pattern.replace(/%(?:\((\w+)\))?([sd%])/g, (_, name, kind) => (kind === "%" ? "%" : $.str(name === undefined ? rest.shift() : $.get(given, name))));
  };

  const around = (text, chars, [left, right]) => {
    const strip = chars === undefined || chars === null ? (char) => /\s/.test(char) : (char) => chars.includes(char);
    let [from, to] = [0, text.length];
    while (left && from < to && strip(text[from])) from++;
    while (right && to > from && strip(text[to - 1])) to--;
    return text.slice(from, to);
  };
  const strings = {
    join: (text, list) => $.list(list).map($.str).join(text),
    split: (text, by = null, times = -1) => {
      if (by === null) return text.split(/\s+/).filter(Boolean);
      const parts = text.split(by);
      return times < 0 || parts.length <= times + 1 ? parts : [...parts.slice(0, times), parts.slice(times).join(by)];
    },
    strip: (text, chars) => around(text, chars, [true, true]),
    lstrip: (text, chars) => around(text, chars, [true, false]),
    rstrip: (text, chars) => around(text, chars, [false, true]),
    lower: (text) => text.toLowerCase(),
    upper: (text) => text.toUpperCase(),
    casefold: (text) => text.toLowerCase(),
    capitalize: (text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase(),
    startswith: (text, what) => (Array.isArray(what) ? what : [what]).some((each) => text.startsWith(each)),
    endswith: (text, what) => (Array.isArray(what) ? what : [what]).some((each) => text.endsWith(each)),
    replace: (text, what, by) => text.replaceAll(what, by),
    removeprefix: (text, what) => (text.startsWith(what) ? text.slice(what.length) : text),
    removesuffix: (text, what) => (what && text.endsWith(what) ? text.slice(0, -what.length) : text),
    partition: (text, by) => {
      const at = text.indexOf(by);
      return at < 0 ? [text, "", ""] : [text.slice(0, at), by, text.slice(at + by.length)];
    },
    rpartition: (text, by) => {
      const at = text.lastIndexOf(by);
      return at < 0 ? ["", "", text] : [text.slice(0, at), by, text.slice(at + by.length)];
    },
    isdigit: (text) => /^\p{Nd}+$/u.test(text),
    isalpha: (text) => /^\p{L}+$/u.test(text),
    isdecimal: (text) => /^\p{Nd}+$/u.test(text),
    isascii: (text) => [...text].every((char) => char.codePointAt(0) < 128),
    isupper: (text) => text !== text.toLowerCase() && text === text.toUpperCase(),
    islower: (text) => text !== text.toUpperCase() && text === text.toLowerCase(),
    count: (text, what) => text.split(what).length - 1,
    index: (text, what) => text.indexOf(what),
    zfill: (text, width) => text.padStart(width, "0"),
    rjust: (text, width, char = " ") => text.padStart(width, char),
    encode: (text) => new TextEncoder().encode(text),
  };
  const lists = {
    append: (list, value) => { list.push(value); },
    extend: (list, more) => { list.push(...$.it(more)); },
    insert: (list, at, value) => { list.splice(at, 0, value); },
    pop: (list, at = -1) => {
      if (!list.length) throw $.IndexError("empty");
      return list.splice(place(list, at), 1)[0];
    },
    index: (list, value) => {
      const at = list.findIndex((each) => $.eq(each, value));
      if (at < 0) throw $.ValueError("not there");
      return at;
    },
    count: (list, value) => list.filter((each) => $.eq(each, value)).length,
    remove: (list, value) => { list.splice(lists.index(list, value), 1); },
    sort: (list, ...given) => { list.splice(0, list.length, ...$.sorted(list, ...given)); },
    copy: (list) => [...list],
    clear: (list) => { list.length = 0; },
  };
  $.c = (of, name, ...given) => {
    if (typeof of === "string") return strings[name](of, ...given);
    if (of instanceof Lazy) return strings[name]($.str(of), ...given);
    if (Array.isArray(of)) return lists[name](of, ...given);
    if (name === "bit_length") return of === 0 ? 0 : of.toString(2).length;
    return of[name](...given);
  };

  $.ord = (char) => char.codePointAt(0);
  $.hexadecimal = (value, digits) => value.toString(16).toUpperCase().padStart(digits, "0");
  // Of the categories only those that the rules tell apart; the others are some letter.
  const CATEGORIES = ["Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "So", "Sm", "M"].map((name) => [name, new RegExp(`^\\p{${name}}$`, "u")]);
  $.unicodedata_category = (char) => CATEGORIES.find(([, of]) => of.test(char))?.[0] ?? "L";
  // What nobody sees and people paste all the same. A name that is not here is said by the house.
  const NAMES = {
    0xad: "soft hyphen", 0x200b: "zero width space", 0x200c: "zero width non-joiner", 0x200d: "zero width joiner",
    0x200e: "left-to-right mark", 0x200f: "right-to-left mark", 0x202a: "left-to-right embedding",
    0x202b: "right-to-left embedding", 0x202c: "pop directional formatting", 0x202d: "left-to-right override",
    0x202e: "right-to-left override", 0x2060: "word joiner", 0x2066: "left-to-right isolate",
    0x2067: "right-to-left isolate", 0x2068: "first strong isolate", 0x2069: "pop directional isolate",
    0x2028: "line separator", 0x2029: "paragraph separator", 0xfeff: "zero width no-break space", 0x34f: "combining grapheme joiner", 0x2d7f: "tifinagh consonant joiner",
    0x1107f: "brahmi number joiner", 0x115f: "hangul choseong filler",
    0x1160: "hangul jungseong filler", 0x2800: "braille pattern blank", 0x3164: "hangul filler", 0xffa0: "halfwidth hangul filler",
    0xfe0e: "variation selector-15", 0xfe0f: "variation selector-16",
  };
  $.unicodedata_name = (char, otherwise) => (NAMES[char.codePointAt(0)] ?? otherwise).toUpperCase();
  $.re_IGNORECASE = "i";
  $.re_DOTALL = "s";
  $.re_compile = (pattern, flags = "") => {
    const source = pattern.replaceAll("(?P<", "(?<");
    const [whole, part] = [`^(?:${source})$`, source].map((each) => new RegExp(each, `u${flags}`));
    return {
      fullmatch: (text) => {
        const found = whole.exec(text);
        return found && Object.assign(found, { groupdict: () => new Dict(Object.entries(found.groups)) });
      },
      split: (text) => text.split(part).map((each) => each ?? null),
    };
  };

  // --- Translation: maps from what is written here to the reader's language ---

  // How the house spells amounts (casino/words/languages/spelling.py); given with the game, as words are.
  $.casino_words_languages_spelling_spelling = () => window.offline?.locale?.coins ?? ["", 0, ".", ",", false, null];

  const speech = { words: {}, plural: (number) => Number(number !== 1) };
  $.speak = (words) => { speech.words = words; };
  const translated = (text) => speech.words[text] ?? text;
  const plural = (one, many, number) => {
    const found = speech.words[`${one}\u0001${many}`];
    return found ? found[speech.plural(number)] : number === 1 ? one : many;
  };
  const within = (context, text) => speech.words[`${context}\u0004${text}`] ?? text;
  const spoken = { gettext: translated, ngettext: plural, pgettext: within };
  for (const name of ["gettext", "ngettext", "pgettext"]) {
    $[`django_utils_translation_${name}`] = spoken[name];
    $[`django_utils_translation_${name}_lazy`] = (...given) => new Lazy(() => spoken[name](...given));
  }

  // --- functools, itertools, dataclasses, datetime, hashlib ---

  $.elsewhere = () => { throw $.RuntimeError("this is decided at the house alone"); };
  $.typing_get_args = (literal) => literal;
  $.functools_reduce = (fn, list, ...first) => (first.length ? $.list(list).reduce((a, b) => fn(a, b), first[0]) : $.list(list).reduce((a, b) => fn(a, b)));
  $.functools_partial = (fn, ...given) => {
    const keywords = taken(given);
    const partial = (...more) => {
      const last = taken(more);
      const all = { ...keywords, ...last };
      return Object.keys(all).length ? $.k(fn, [...given, ...more], all) : fn(...given, ...more);
    };
    partial.$kw = true;
    return partial;
  };
  $.functools_partial.$kw = true;
  $.functools_cache = (fn) => {
    const known = new Dict();
    return (...given) => {
      if (!known.has(given)) known.put(given, fn(...given));
      return known.get(given);
    };
  };
  $.itertools_chain = (...lists) => lists.flatMap((each) => [...$.it(each)]);
  $.itertools_product = (...given) => {
    const { repeat = 1 } = taken(given);
    const rows = Array.from({ length: repeat }, () => given.map($.list)).flat();
    return rows.reduce((found, row) => found.flatMap((one) => row.map((each) => [...one, each])), [[]]);
  };
  $.itertools_combinations = (list, length) => {
    const all = $.list(list);
    const from = (start, left) => (left === 0 ? [[]] : [...$.range(start, all.length)].flatMap((at) => from(at + 1, left - 1).map((rest) => [all[at], ...rest])));
    return from(0, length);
  };
  $.itertools_pairwise = (list) => {
    const all = $.list(list);
    return all.slice(1).map((each, number) => [all[number], each]);
  };
  $.itertools_islice = (list, to) => {
    const found = [];
    if (to > 0) for (const each of $.it(list)) if (found.push(each) >= to) break;
    return found;
  };
  $.itertools_takewhile = function* (fn, list) {
    for (const each of $.it(list)) {
      if (!$.b(fn(each))) return;
      yield each;
    }
  };
  $.itertools_accumulate = (list) => {
    let sum = null;
    return $.list(list).map((each) => (sum = sum === null ? each : $.add(sum, each)));
  };
  $.itertools_zip_longest = (...given) => {
    const { fillvalue = null } = taken(given);
    const rows = given.map($.list);
    return [...$.range(Math.max(0, ...rows.map((row) => row.length)))].map((at) => rows.map((row) => (at < row.length ? row[at] : fillvalue)));
  };
  $.itertools_groupby = (list, ...given) => {
    const { key = given[0] ?? ((each) => each) } = taken(given);
    const groups = [];
    for (const each of $.it(list)) {
      const name = key(each);
      if (groups.length && $.eq(groups.at(-1)[0], name)) groups.at(-1)[1].push(each);
      else groups.push([name, [each]]);
    }
    return groups;
  };

  $.dataclasses_replace = (of, ...given) => {
    const changed = taken(given);
    return of.$cls(...of.$cls.$fields.map(([field]) => (field in changed ? changed[field] : of[field])));
  };
  $.dataclasses_replace.$kw = true;
  $.dataclasses_fields = (of) => (of.$fields ?? of.$cls.$fields).map(([name, value]) => ({ name, default: value?.() }));
  $.dataclasses_is_dataclass = (of) => isData(of) && of.$cls.$kind === "data";

  class Moment {
    constructor(at) {
      this.at = at;
    }
  }
  $.datetime_UTC = null;
  $.datetime_datetime = (year, month, day) => new Moment(Date.UTC(year, month - 1, day));
  $.datetime_datetime_fromisoformat = (text) => {
    const at = Date.parse(text);
    if (Number.isNaN(at) || !/[zZ]$|[+-]\d\d:?\d\d$/.test(text)) throw $.ValueError("no time with an offset");
    return new Moment(at);
  };

  // FIPS 180-4, for what lies sealed: browsers have it over HTTPS alone, and only with a promise.
  const PRIMES = [];
  for (let number = 2; PRIMES.length < 64; number++) if (PRIMES.every((prime) => number % prime)) PRIMES.push(number);
  const root = (number, by) => Math.floor((number ** (1 / by) % 1) * 2 ** 32);
  $.hashlib_sha256 = (bytes) => {
    const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
    padded.set(bytes);
    padded[bytes.length] = 128;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
    view.setUint32(padded.length - 4, bytes.length << 3);
    const turned = (word, by) => (word >>> by) | (word << (32 - by));
    const state = PRIMES.slice(0, 8).map((prime) => root(prime, 2));
    const words = new Uint32Array(64);
    for (let block = 0; block < padded.length; block += 64) {
      for (let at = 0; at < 64; at++) {
        if (at < 16) words[at] = view.getUint32(block + at * 4);
        else {
          const [x, y] = [words[at - 15], words[at - 2]];
          words[at] = words[at - 16] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + words[at - 7] + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
        }
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let at = 0; at < 64; at++) {
        const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + root(PRIMES[at], 3) + words[at]) | 0;
        const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((word, at) => { state[at] = (state[at] + word) >>> 0; });
    }
    return { hexdigest: () => state.map((word) => word.toString(16).padStart(8, "0")).join("") };
  };

  // --- The wire: JSON values as what Python reads them as, and back ---

  $.json = (value) => {
    if (Array.isArray(value)) return value.map($.json);
    if (value !== null && typeof value === "object") return new Dict(Object.entries(value).map(([key, each]) => [key, $.json(each)]));
    return value;
  };
  $.json_loads = (text) => $.json(JSON.parse(text));
  $.bare = (value) => {
    if (value === undefined) return null;
    if (value === null || typeof value !== "object") return value;
    if (value instanceof Lazy || value instanceof Fraction) return $.str(value);
    if (value instanceof Dict) return Object.fromEntries(value.items().map(([key, each]) => [$.str(key), $.bare(each)]));
    if (isData(value) && value.$cls.$kind === "data") return Object.fromEntries(value.$cls.$fields.map(([field]) => [field, $.bare(value[field])]));
    return [...value].map($.bare);
  };
  $.many = (read) => (values) => (values === null ? null : values.map(read));
  $.each = (...reads) => (values) => (values === null ? null : values.map((value, number) => (reads[number] ? reads[number](value) : value)));
  $.record = (kind) => (value) => (value === null ? null : $.reader(kind())(value));
  // short(class, field): what a field is called on the wire.
  let short = (_, field) => field;
  $.shortened = (fn) => { short = fn; };
  $.reader = (kind) => (data) => kind(...kind.$fields.map(([field, , read]) => {
    const name = short(kind, field);
    if (!data.has(name)) return undefined;
    return read ? read(data.get(name)) : data.get(name);
  }));

  // --- What `isinstance` asks of values that are no objects of a compiled class ---

  const tests = {
    str: (value) => typeof value === "string" || value instanceof Lazy,
    int: (value) => typeof value === "boolean" || Number.isInteger(value),
    float: (value) => typeof value === "number" && !Number.isInteger(value),
    bool: (value) => typeof value === "boolean",
    list: Array.isArray,
    tuple: (value) => asArray(value) !== null,
    dict: (value) => value instanceof Dict,
    set: (value) => value instanceof PySet,
    frozenset: (value) => value instanceof PySet,
    range: (value) => value instanceof Range,
    fractions_Fraction: (value) => value instanceof Fraction,
  };
  $.object = () => ({});
  for (const [name, test] of Object.entries(tests)) $[name].$test = test;
  for (const name of ["Mapping", "MutableMapping"]) $[`collections_abc_${name}`] = Object.assign(() => null, { $test: tests.dict });
  for (const name of ["Sequence", "Collection", "Iterable"]) $[`collections_abc_${name}`] = Object.assign(() => null, { $test: (value) => value?.[Symbol.iterator] !== undefined });
  return $;
})();
