"""Chances as fractions: counted, never estimated. What the odds of all games share."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import comb, lcm
from typing import Final, NamedTuple, TypeVar

from games.refusals import Refused

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)

Chances = Mapping[T, Fraction]
NEVER: Final = Fraction(0)
SURE: Final = Fraction(1)


class NoSuchOdds(Refused):
    """What was asked for cannot come up in the game."""

    code = "no_such_odds"


def counted(outcomes: Iterable[T]) -> dict[T, Fraction]:
    """Outcomes that are all equally likely, as often as they stand there."""
    counts: dict[T, int] = {}
    for outcome in outcomes:
        counts[outcome] = counts.get(outcome, 0) + 1
    total = sum(counts.values())
    return {outcome: Fraction(count, total) for outcome, count in counts.items()}


def gathered(pairs: Iterable[tuple[T, Fraction]]) -> dict[T, Fraction]:
    """
    The chances of each outcome added up; what never happens is left out.

    Those with one denominator are added as whole numbers: the sums of fractions take most of the
    time that odds take.
    """
    parts: dict[T, dict[int, int]] = {}
    for outcome, chance in pairs:
        if chance:
            known = parts.setdefault(outcome, {})
            known[chance.denominator] = known.get(chance.denominator, 0) + chance.numerator
    return {outcome: _added(known) for outcome, known in parts.items()}


def _added(parts: Mapping[int, int]) -> Fraction:
    """Numerators by their denominators, as one fraction."""
    whole = lcm(*parts)
    return Fraction(sum(ways * (whole // each) for each, ways in parts.items()), whole)


def seen_as(chances: Chances[T], view: Callable[[T], U]) -> dict[U, Fraction]:
    """The same chances, of what `view` makes of each outcome."""
    return gathered((view(outcome), chance) for outcome, chance in chances.items())


def scaled(chances: Chances[T], by: Fraction) -> list[tuple[T, Fraction]]:
    """The chances of what follows on something that is itself only likely; to be gathered."""
    return [(outcome, each * by) for outcome, each in chances.items()]


def only(chances: Chances[T], holds: Callable[[T], bool]) -> dict[T, Fraction]:
    """
    The chances given that `holds`.

    :raises NoSuchOdds: if it never does.
    """
    kept = {outcome: chance for outcome, chance in chances.items() if holds(outcome)}
    total = sum(kept.values(), NEVER)
    if not total:
        raise NoSuchOdds("This never happens, so there are no chances given that it does.")
    return {outcome: chance / total for outcome, chance in kept.items()}


def chance(chances: Chances[T], holds: Callable[[T], bool]) -> Fraction:
    return sum((each for outcome, each in chances.items() if holds(outcome)), NEVER)


def mean(chances: Chances[int]) -> Fraction:
    return sum((value * each for value, each in chances.items()), NEVER)


class Extreme(NamedTuple):
    """
    The greatest of several draws.

    :param rank: which is the greatest, as an index into the order it was asked in.
    :param size: how many draws it is.
    :param first: whether the first draw is among them.
    """

    rank: int
    size: int
    first: bool


def greatest(
    first: Mapping[int, Fraction], others: Mapping[int, Fraction], count: int
) -> dict[Extreme, Fraction]:
    """
    Who is greatest when one draws from `first` and `count` others each from `others`.

    Neither needs to sum to one: what is missing is that something else came up, and then nothing
    is said. Ranks are compared as numbers.
    """
    parts = lcm(*(each.denominator for each in (*first.values(), *others.values())))
    everything = parts ** (count + 1)
    ways = _greatest(_whole(first, parts), _whole(others, parts), count)
    return {extreme: Fraction(way, everything) for extreme, way in ways if way}


class Tied(NamedTuple):
    """How many draws are the greatest, and whether the first draw is among them."""

    size: int
    first: bool


def tied(
    first: Mapping[int, Fraction], others: Mapping[int, Fraction], count: int
) -> dict[Tied, Fraction]:
    """The same as `greatest`, whichever it is that is the greatest."""
    parts = lcm(*(each.denominator for each in (*first.values(), *others.values())))
    ways: dict[Tied, int] = {}
    for extreme, way in _greatest(_whole(first, parts), _whole(others, parts), count):
        key = Tied(extreme.size, extreme.first)
        ways[key] = ways.get(key, 0) + way
    return {key: Fraction(way, parts ** (count + 1)) for key, way in ways.items() if way}


def _whole(chances: Mapping[int, Fraction], parts: int) -> dict[int, int]:
    """Chances as whole parts: counting in whole numbers is some ten times as fast."""
    return {rank: each.numerator * (parts // each.denominator) for rank, each in chances.items()}


def _greatest(
    first: Mapping[int, int], others: Mapping[int, int], count: int
) -> Iterator[tuple[Extreme, int]]:
    below_first = below_others = 0
    for rank in sorted({*first, *others}):
        mine, theirs = first.get(rank, 0), others.get(rank, 0)
        for size in range(count + 1):
            ways = comb(count, size) * theirs**size * below_others ** (count - size)
            if size:
                yield Extreme(rank, size, first=False), below_first * ways
            yield Extreme(rank, size + 1, first=True), mine * ways
        below_first += mine
        below_others += theirs


def place_in_group(index: int, size: int, places: int) -> list[Fraction]:
    """
    Where the `index`-th of a group of `size` stands among `places`, all groups equally likely.

    All counted from 0.
    """
    groups = comb(places, size)
    return [
        Fraction(comb(place, index) * comb(places - 1 - place, size - 1 - index), groups)
        for place in range(places)
    ]
