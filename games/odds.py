"""Chances as fractions, counted and never estimated: what the odds of all games share."""

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


def count_chances(outcomes: Iterable[T]) -> dict[T, Fraction]:
    """
    The chance of each outcome, from a list of equally likely ones in which an outcome may occur
    several times.
    """
    counts: dict[T, int] = {}
    for outcome in outcomes:
        counts[outcome] = counts.get(outcome, 0) + 1
    total = sum(counts.values())
    return {outcome: Fraction(count, total) for outcome, count in counts.items()}


def gather(pairs: Iterable[tuple[T, Fraction]]) -> dict[T, Fraction]:
    """
    The chances of each outcome added up; outcomes that never happen are left out.

    Fractions with the same denominator are added as whole numbers, because adding fractions takes
    most of the time that odds take.
    """
    parts: dict[T, dict[int, int]] = {}
    for outcome, chance in pairs:
        if chance:
            known = parts.setdefault(outcome, {})
            known[chance.denominator] = known.get(chance.denominator, 0) + chance.numerator
    return {outcome: _add(known) for outcome, known in parts.items()}


def _add(parts: Mapping[int, int]) -> Fraction:
    """The sum of fractions, which are given as denominator -> sum of numerators."""
    whole = lcm(*parts)
    return Fraction(sum(ways * (whole // each) for each, ways in parts.items()), whole)


def chances_of_view(chances: Chances[T], view: Callable[[T], U]) -> dict[U, Fraction]:
    """The chances of what `view` makes of each outcome."""
    return gather((view(outcome), chance) for outcome, chance in chances.items())


def scale(chances: Chances[T], by: Fraction) -> list[tuple[T, Fraction]]:
    """Chances of what follows on something with the chance `by`; to be added by `gather`."""
    return [(outcome, each * by) for outcome, each in chances.items()]


def only(chances: Chances[T], holds: Callable[[T], bool]) -> dict[T, Fraction]:
    """
    The chances given that `holds`.

    :raises NoSuchOdds: if `holds` is true of no outcome.
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

    :param rank: the greatest rank, as the mappings of chances name it.
    :param size: how many draws have it.
    :param first: whether the first draw is among them.
    """

    rank: int
    size: int
    first: bool


def greatest(
    first: Mapping[int, Fraction], others: Mapping[int, Fraction], count: int
) -> dict[Extreme, Fraction]:
    """
    The chance of each greatest rank when one draws from `first` and `count` others each from
    `others`.

    Neither mapping needs to sum to one: what is missing is the chance that something else is drawn,
    and cases with such a draw are not in the result. Ranks are compared as numbers.
    """
    parts = lcm(*(each.denominator for each in (*first.values(), *others.values())))
    everything = parts ** (count + 1)
    ways = _greatest(_whole(first, parts), _whole(others, parts), count)
    return {extreme: Fraction(way, everything) for extreme, way in ways if way}


class Tied(NamedTuple):
    """How many draws are the greatest, and whether the first draw is among them."""

    size: int
    first: bool


def chances_of_ties(
    first: Mapping[int, Fraction], others: Mapping[int, Fraction], count: int
) -> dict[Tied, Fraction]:
    """The chances of `greatest`, added up over all ranks."""
    parts = lcm(*(each.denominator for each in (*first.values(), *others.values())))
    ways: dict[Tied, int] = {}
    for extreme, way in _greatest(_whole(first, parts), _whole(others, parts), count):
        key = Tied(extreme.size, extreme.first)
        ways[key] = ways.get(key, 0) + way
    return {key: Fraction(way, parts ** (count + 1)) for key, way in ways.items() if way}


def _whole(chances: Mapping[int, Fraction], parts: int) -> dict[int, int]:
    """Chances as whole numbers of `parts`: counting in whole numbers is about ten times as fast."""
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
    For each of `places`, the chance that the `index`-th of a group of `size` stands there, if all
    groups are equally likely.

    Places and indices count from 0.
    """
    groups = comb(places, size)
    return [
        Fraction(comb(place, index) * comb(places - 1 - place, size - 1 - index), groups)
        for place in range(places)
    ]
