"""Python of the subset that is compiled for devices: what each gives is compared (0041)."""

# ruff: noqa: C408, C901, E501, FURB171, N818, PIE800, PIE804, PLR0133, PLR0911, RUF005, SIM222, SIM223, TC003, UP031
# What a linter would write otherwise is here to be compiled.

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, partial, reduce
from itertools import combinations, groupby, pairwise, product
from typing import Any, Final, Literal, NamedTuple, get_args

from games.characters import invisible, name_character

Word = Literal["one", "two"]
WORDS: Final = get_args(Word)
SQUARES: Final = {number: number**2 for number in range(4)}


class Base:
    __slots__ = ()
    kind = "base"

    @property
    def told(self) -> str:
        return f"{self.kind} of {type(self).__name__}"

    def twice(self, number: int, *, more: int = 0) -> int:
        return 2 * number + more


@dataclass(frozen=True, slots=True)
class Die(Base):
    sides: int
    face: int | None = None
    marks: tuple[str, ...] = ()
    seen: tuple[str, ...] = field(default_factory=tuple)

    def __str__(self) -> str:
        return f"d{self.sides}"


class Loud(Die):
    kind = "loud"

    def twice(self, number: int, *, more: int = 0) -> int:
        return super().twice(number, more=more) + self.sides


class Pair(NamedTuple):
    one: int
    other: str = "none"


class Trouble(Exception):
    code = "trouble"

    def __init__(self, sentence: str, *, where: str = "") -> None:
        super().__init__(sentence)
        self.where = where


class Worse(Trouble):
    code = "worse"


def variadic(first: int, *more: int, sign: int = 1, **named: int) -> list[Any]:
    return [first, list(more), sign, sorted(named.items())]


def matched(value: Any) -> Any:
    match value:
        case None:
            return "nothing"
        case True | False as truth:
            return f"truth {truth}"
        case Loud(sides=sides) if sides > 6:
            return f"loud {sides}"
        case Die(sides, face=None):
            return f"die of {sides}"
        case Die(6 | 8 as sides, face=int(face)):
            return [sides, face]
        case Pair(one=1):
            return "pair of one"
        case [1, *rest, last]:
            return [rest, last]
        case [] | [_]:
            return "short"
        case str(word) if word in WORDS:
            return word.upper()
        case int() | str():
            return value
        case _:
            return "other"


def tried(what: Callable[[], Any]) -> Any:
    try:
        return what()
    except Worse as worse:
        return ["worse", worse.code, str(worse), worse.where]
    except (Trouble, KeyError):
        return "trouble"
    except ValueError:
        return "value"


def raising(kind: type[Trouble]) -> Any:
    raise kind("It went wrong.", where="here")


def missing() -> int:
    nothing: dict[str, int] = {}
    return nothing["no"]


def counted() -> Iterator[int]:
    number = 0
    while True:
        number += 1
        if number == 3:
            continue
        if number > 6:
            break
        yield number
    yield from (10, 20)


@cache
def slow(number: int) -> int:
    return number if number < 2 else slow(number - 1) + slow(number - 2)


def closures() -> list[int]:
    steps: list[Callable[[], int]] = [partial(lambda a, b=1: a + b, number) for number in range(3)]
    total = 0

    def added(by: int) -> int:
        return total + by

    total = 5
    return [*(step() for step in steps), added(2)]


def tables() -> list[Any]:
    found: dict[Any, list[int]] = {}
    for number, each in enumerate(["a", "b", "a", (1, 2), (1, 2), None, Die(6), Die(6)]):
        found.setdefault(each, []).append(number)
    found["gone"] = []
    del found["gone"]
    merged = {**{"a": 1, "b": 2}, **dict(b=3), "c": 4} | {"d": 5}
    return [list(found.values()), merged, {"x", "y"} - {"y"}, len({1, 2} | {2, 3}), (1, 2) in found]


def numbers() -> list[Any]:
    half, third = Fraction(1, 2), Fraction("1/3")
    whole, part = divmod(Fraction(7, 2), 1)
    return [
        7 // 2, -7 // 2, -7 % 3, divmod(-7, 2), 2**10, 1 << 60 & 1 << 60 == 1 << 60, 6 & 3, 6 | 3,
        str(half + third), str(half * 2), half < third, half == Fraction(2, 4), whole, str(part),
        sum([half, third], Fraction()) == Fraction(5, 6), max(3, 1, 2), min([(2, "a"), (1, "b")]),
        sum([True, False, True]), abs(-3), bool(Fraction()), int("12"), (5).bit_length(), -3 + True,
    ]  # fmt: skip


def texts() -> list[Any]:
    word = "Ada Lovelace"
    return [
        word.split(), word.lower(), word[::-1], word[-4:], word[:3], word.partition(" "),
        word.startswith(("Bo", "Ad")), "-".join(map(str, (1, 2))), f"{word!r} {None} {True}",
        "%(name)s has %(n)s of 100 %%" % {"name": word, "n": 3}, "it's", repr("it's"), "7".isdigit(),
        " x ".strip(), word.replace("a", "o"), word.removeprefix("Ada "), word.count("a"), "a" < "b",
        "rest" in word, word.capitalize(), "".join(reversed("abc")),
    ]  # fmt: skip


def sequences() -> list[Any]:
    first, *middle, last = range(5)
    (a, b), c = (1, 2), 3
    rows = sorted(["bb", "a", "cc"], key=len, reverse=True)
    counter = Counter("abracadabra")
    return [
        first, middle, last, a, b, c, rows, list(zip("ab", (1, 2), strict=True)), [1, 2] * 2,
        [x * y for x in range(3) for y in range(x) if y or x > 1], list(range(10))[8:2:-2],
        {len(word): word for word in rows}, sorted({3, 1, 2}), any(x > 1 for x in (0, 2)), all([]),
        next((x for x in (1, 5, 9) if x > 4), None), next(iter(()), "none"), list(counted()),
        counter["a"], counter["z"], counter.most_common(1), list(Counter("aab") - Counter("a")),
        list(product("ab", (1, 2)))[-1], list(combinations("abc", 2)), list(pairwise((1, 2, 3))),
        [(key, list(group)) for key, group in groupby((1, 1, 2))], reduce(lambda x, y: x - y, (9, 2, 1)),
        [1, 2, 3].index(2), (1, 2) + (3,), 1 < 2 <= 2, not [], [] or "else", 0 and 1, (x := 3) + x,
        list(map(lambda x, y: x + y, (1, 2), (3, 4))), list(filter(None, (0, 1, ""))), 5 in range(0, 9, 5),
    ]  # fmt: skip


def objects() -> list[Any]:
    die = Die(6, marks=("kept",))
    same, other = Die(6, marks=("kept",)), replace(die, face=3)
    pair = Pair(1)
    one, text = pair
    return [
        die == same, die == other, die in {same}, str(die), die.told, Loud(8).told, Loud(8).twice(4, more=1),
        other.face, other.marks, isinstance(Loud(4), Die), isinstance(die, Loud | Pair), one, text,
        pair == (1, "none"), pair.other, getattr(die, "none", "no"), len(Die(4).seen), Die.kind,
        list(map(die.twice, (1, 2))), variadic(1, 2, 3, sign=-1, b=2, a=1), variadic(1), SQUARES[3],
        variadic(*(1, 2), **{"z": 3}), Worse.code, [slow(20), slow(5)],
    ]  # fmt: skip


def matches() -> list[Any]:
    values = [
        None, True, Loud(8), Loud(4), Die(10), Die(8, 2), Die(10, 2), Pair(1), Pair(2), (1, 2, 3, 4),
        [1], [], "one", "three", 7, {"a": 1},
    ]  # fmt: skip
    return [matched(value) for value in values]


def troubles() -> list[Any]:
    return [
        tried(lambda: raising(Worse)), tried(lambda: raising(Trouble)), tried(missing),
        tried(lambda: int("x")), tried(lambda: 3),
    ]  # fmt: skip


UNSEEN: Final = (
    "Ada", "A\u202eda", "Ad\u200ba", "\ufeffAda", "Ada\u00ad", "A\u2066da", "Ada\x07", "Ada\u2028", "Ad\u0301a",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u200c", "A\u200dda", "\u3164", "A\u2800", "\U0001f3b2 Ada",
    "A\ufe0fda", "\u2660\ufe0f Ada", "\u845b\U000e0100\u57ce", "Ada\ufe0e", "\ufe0f",
    "\u2d30\u2d7f\u2d31", "\U0001107fAda",
)  # fmt: skip


def unseen() -> list[Any]:
    found = [invisible(each) for each in UNSEEN]
    return [(char and name_character(char)) for char in found]


SAMPLES: Final = (
    closures, tables, numbers, texts, sequences, objects, matches, troubles, unseen,
)  # fmt: skip


# --- What is not of the subset ----------------------------------------------------------------


def with_with() -> None:
    with open("x"):  # noqa: PTH123
        pass


def with_global() -> None:
    global WORDS  # noqa: PLW0603
    WORDS = ()  # type: ignore[misc]


def with_float() -> float:
    return 1.5


def with_format(number: int) -> str:
    return f"{number:>5}"


def with_decorator() -> None:
    @partial
    def inner() -> None: ...

    inner()
