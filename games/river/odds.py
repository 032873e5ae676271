"""
The exact odds of River: what five dice make, against how many others it wins, what a lot adds.

The chance that a row *can* be made is counted die by die: a die either shows a value that is still
missing or it does not, so only few states are left of 23 040 outcomes. The best hand of every
outcome is looked up (`games.river.hands`).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Final, Literal

from games.dice import Dice, faces
from games.odds import NEVER, chance, chances_of_view, count_chances, gather
from games.river.hands import (
    OUTCOMES,
    SIDES,
    SIZES,
    TABLE,
    WAYS,
    Hand,
    Made,
    best,
    best_with,
    chance_in_print,
    every_outcome,
)

Tie = Literal["split", "high_value", "rolloff"]
PLAYERS: Final = range(2, 13)
NO_PROBABILITY: Final = (
    "The published figure multiplies, for each value that the hand needs, how many of the five dice"
    " show it on average. So one die is counted for several values at once, the row's other ways"
    " are left out, and so is whether a higher row lies there too: it is no probability. RV8"
)

Need = tuple[tuple[int, int], ...]  # (value, how many dice must still show it)


@dataclass(frozen=True, slots=True)
class Row:
    """
    One of the forty hands.

    :param formed: in how many of 23 040 outcomes it can be made.
    :param best: in how many outcomes it is the best that can be made.
    :param at_least: in how many outcomes the best hand is this or a higher one.
    """

    rank: int
    name: str
    ways: tuple[Dice, ...]
    formed: int
    best: int
    at_least: int
    published: Fraction


@dataclass(frozen=True, slots=True)
class Others:
    """The other players: each holds five hole dice that nobody has seen, and has won nothing."""

    count: int
    tie: Tie = "split"


@dataclass(frozen=True, slots=True)
class HandChances:
    """
    The chances of a hand against others.

    :param wins: the chance to be the highest alone.
    :param shares: the chance to be the highest with others (RV6).
    :param pot: the expected part of the pot.
    """

    wins: Fraction
    shares: Fraction
    pot: Fraction


@dataclass(frozen=True, slots=True)
class Lots:
    """
    What a hand becomes by winning these of the banker's dice.

    :param rows: how many rows it moves up.
    """

    sizes: tuple[str, ...]
    made: Made
    rows: int
    standing: HandChances


@dataclass(frozen=True, slots=True)
class Unseen:
    """
    What a hand would become by winning one die of the banker, before that die is thrown.

    :param ranks: the chance of each best row.
    :param improves: the chance of a higher row than without the die.
    """

    size: str
    ranks: Mapping[int, Fraction]
    improves: Fraction
    pot: Fraction


@cache
def rows() -> tuple[Row, ...]:
    """The forty hands, highest first."""
    bests = Counter(best(dice).rank for dice in every_outcome())
    found, at_least = [], 0
    for rank, (name, ways) in enumerate(TABLE, 1):
        at_least += bests[rank]
        published = chance_in_print(Hand(rank, name, ways[-1]))
        found.append(Row(rank, name, ways, count_outcomes(ways), bests[rank], at_least, published))
    return tuple(found)


def count_outcomes(ways: Iterable[Dice]) -> int:
    """
    In how many outcomes at least one of the ways can be laid.

    Counted by inclusion and exclusion: outcomes that hold several ways hold each value as often as
    the most demanding of these ways.
    """
    known = [Counter(way) for way in ways]
    total = 0
    for several in range(1, len(known) + 1):
        for chosen in combinations(known, several):
            together: Counter[int] = Counter()
            for each in chosen:
                together |= each
            total += (-1) ** (several + 1) * holding(together)
    return total


def holding(need: Mapping[int, int]) -> int:
    """In how many outcomes each value shows at least as often as needed."""
    states: dict[Need, int] = {tuple(sorted(need.items())): 1}
    for sides in SIDES:
        after: dict[Need, int] = {}
        for missing, ways in states.items():
            useful = [value for value, _ in missing if value <= sides]
            after[missing] = after.get(missing, 0) + ways * (sides - len(useful))
            for value in useful:
                fewer = _without(missing, value)
                after[fewer] = after.get(fewer, 0) + ways
        states = after
    return states.get((), 0)


def _without(missing: Need, value: int) -> Need:
    less = ((each, count - (each == value)) for each, count in missing)
    return tuple((each, count) for each, count in less if count)


def order(hand: Hand, tie: Tie) -> int:
    """
    The place of a hand, lower is better: by row, or with `high_value` by its own dice within the
    row (RV6).
    """
    return WAYS.index(hand) if tie == "high_value" else hand.rank


@cache
def orders(tie: Tie) -> Mapping[int, Fraction]:
    """The chance of each place in that order, for five hole dice."""
    counts = Counter(best(dice) for dice in every_outcome())
    return gather((order(hand, tie), Fraction(count, OUTCOMES)) for hand, count in counts.items())


def standing(hand: Hand, against: Others) -> HandChances:
    """
    How a hand does at the reveal.

    A roll-off of equal rows is won by each of them equally often, so it gives the same part of the
    pot as splitting.
    """
    place, others = order(hand, against.tie), against.count
    equal = orders(against.tie).get(place, NEVER)
    worse = chance(orders(against.tie), lambda other: other > place)
    shared = [
        comb(others, many) * equal**many * worse ** (others - many) for many in range(others + 1)
    ]
    pot = sum((each / (many + 1) for many, each in enumerate(shared)), NEVER)
    return HandChances(wins=shared[0], shares=sum(shared[1:], NEVER), pot=pot)


def auction(hole: Dice, banker: Dice, against: Others) -> list[Lots]:
    """What each lot and each combination of lots adds; the first entry is the hand without any."""
    return [_lots(hole, banker, taken, against) for taken in _combinations()]


def _combinations() -> Iterator[tuple[int, ...]]:
    for many in range(len(SIZES) + 1):
        yield from combinations(range(len(SIZES)), many)


def _lots(hole: Dice, banker: Dice, taken: Sequence[int], against: Others) -> Lots:
    made = best_with(hole, [face if lot in taken else None for lot, face in enumerate(banker)])
    return Lots(
        sizes=tuple(SIZES[lot] for lot in taken),
        made=made,
        rows=best(hole).rank - made.hand.rank,
        standing=standing(made.hand, against),
    )


def unseen(hole: Dice, against: Others) -> list[Unseen]:
    """What each lot would add before the banker has thrown."""
    return [_unseen(hole, lot, against) for lot in range(len(SIZES))]


def _unseen(hole: Dice, lot: int, against: Others) -> Unseen:
    none: list[int | None] = [None] * len(SIZES)
    hands = count_chances(
        best_with(hole, [*none[:lot], face, *none[lot + 1 :]]).hand for face in faces(SIDES[lot])
    )
    return Unseen(
        size=SIZES[lot],
        ranks=chances_of_view(hands, lambda hand: hand.rank),
        improves=chance(hands, lambda hand: hand.rank < best(hole).rank),
        pot=sum((each * standing(hand, against).pot for hand, each in hands.items()), NEVER),
    )
