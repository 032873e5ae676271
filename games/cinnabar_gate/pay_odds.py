"""
How the pay moves in the course of a round (CG2, CG5), exactly.

Without a cap show-ups may raise the pay for ever. So it is followed value by value up to `MOST`;
for pays above that, only their total chance and their sum are kept. That suffices: a taken score, 8
at most, brings such a pay down to the score or (`by_one`) takes one off, and in as many steps as
there are players no pay above `MOST` comes back to a value up to `SHOWN`. So every chance shown and
the mean are exact.

Chances are counted in whole numbers of equal parts, which is about ten times as fast as fractions.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Final

from games.cinnabar_gate.hands import PAY_AT_START, RAISES, lower_pay
from games.cinnabar_gate.odds import Taken, Throws
from games.cinnabar_gate.options import Options
from games.odds import NEVER, SURE, chances_of_view, gather
from games.stone import Hand

PLAYERS: Final = range(2, 9)
SHOWN: Final = 12  # higher pays are shown as one
MOST: Final = SHOWN + PLAYERS[-1]
CAP_MAX: Final = MOST + 1

Key = int | str  # what matters of a hand for the pay: its score, or the name of a hand without one


@dataclass(frozen=True, slots=True)
class Pay:
    """
    The chances of each pay. If the parts do not add up to all, the pay stands jointly with
    something else.

    :param exact: the parts for each value up to `MOST`.
    :param above: the parts for pays above `MOST`; `above_sum`: the sum of the pays over these
        parts.
    """

    parts: int
    exact: Mapping[int, int] = field(default_factory=dict)
    above: int = 0
    above_sum: int = 0

    @property
    def mass(self) -> Fraction:
        return Fraction(sum(self.exact.values()) + self.above, self.parts)

    @property
    def sum(self) -> Fraction:
        """The mean pay, times the mass."""
        known = sum(pay * ways for pay, ways in self.exact.items())
        return Fraction(known + self.above_sum, self.parts)

    def listed_chances(self) -> dict[int, Fraction]:
        """The chances of the pays up to `SHOWN`; what is missing of the mass are higher pays."""
        return {
            pay: Fraction(ways, self.parts)
            for pay, ways in sorted(self.exact.items())
            if pay <= SHOWN
        }


START: Final = Pay(parts=1, exact={PAY_AT_START: 1})


@dataclass(frozen=True, slots=True)
class Move:
    """
    A hand that is taken, and by how much show-ups raised the pay before it.

    :param ways: the parts in which show-ups raised the pay by 0, 1, 2, ... up to `MOST`.
    :param every: the parts of this hand, whatever the raise.
    :param raised: the sum of the raises over these parts.
    """

    hand: Hand
    ways: tuple[int, ...]
    every: int
    raised: int


@dataclass(frozen=True, slots=True)
class Moves:
    """What a player's turn may do to the pay, by the hand that is taken."""

    parts: int
    moves: tuple[Move, ...]


def moves(turn: Mapping[Taken, Fraction], up: "Raises") -> Moves:
    """What some hands of a player's turn do to the pay; they need not be all hands of the turn."""
    taken = gather(((_key(each.hand), each.throws), likely) for each, likely in turn.items())
    rows = {key: _row(key, taken, up) for key in dict.fromkeys(key for key, _ in taken)}
    parts = lcm(*(each.denominator for row in rows.values() for each in row))
    return Moves(parts, tuple(_move(key, row, parts) for key, row in rows.items()))


def _key(hand: Hand) -> Key:
    return hand.name if hand.score is None else hand.score


def _row(key: Key, taken: Mapping[tuple[Key, int], Fraction], up: "Raises") -> tuple[Fraction, ...]:
    """The chance of each raise, then the chance of any, then the sum of the raises."""
    here = {many: likely for (other, many), likely in taken.items() if other == key}
    ways = [
        sum((likely * up.by(many)[raise_] for many, likely in here.items()), NEVER)
        for raise_ in range(MOST + 1)
    ]
    raised = sum((likely * many * up.mean for many, likely in here.items()), NEVER)
    return (*ways, sum(here.values(), NEVER), raised)


def _move(key: Key, row: tuple[Fraction, ...], parts: int) -> Move:
    *ways, every, raised = (each.numerator * (parts // each.denominator) for each in row)
    hand = Hand("junk", key) if isinstance(key, int) else Hand("home" if key == "home" else "empty")
    return Move(hand, tuple(ways), every, raised)


class Raises:
    """By how much show-ups raise the pay before a number of other throws (CG5)."""

    def __init__(self, throws: Throws) -> None:
        self._by = chances_of_view(throws.single, lambda hand: RAISES.get(hand.name, 0))
        settles = self._by[0]
        self.mean = sum((by * each for by, each in self._by.items()), NEVER) / settles
        self._known = [(SURE, *[NEVER] * MOST)]

    def by(self, throws: int) -> tuple[Fraction, ...]:
        while len(self._known) <= throws:
            self._known.append(self._one_more(self._known[-1]))
        return self._known[throws]

    def _one_more(self, before: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """
        The chances of each raise after one more throw, before which any number of show-ups may
        fall.
        """
        found: list[Fraction] = []
        for raised, settled in enumerate(before):
            up = (each * found[raised - by] for by, each in self._by.items() if 0 < by <= raised)
            found.append(self._by[0] * settled + sum(up, NEVER))
        return tuple(found)


@dataclass(frozen=True)
class Path:
    """
    The pay after one, two, three ... players, each of whom takes one of certain hands.

    :param first, others: the moves of the first thrower, and of each player after.
    """

    options: Options
    first: Moves
    others: Moves
    _known: list[Pay] = field(default_factory=lambda: [START], compare=False)

    def after(self, players: int) -> Pay:
        while len(self._known) <= players:
            by = self.others if self._known[1:] else self.first
            self._known.append(move_pay(self._known[-1], by, self.options))
        return self._known[players]


def move_pay(pay: Pay, by: Moves, options: Options) -> Pay:
    """The pay after a turn."""
    after = _Tally(options)
    for move in by.moves:
        for here, ways in pay.exact.items():
            after.turn(here, ways, move)
        raised = pay.above_sum * move.every + pay.above * move.raised
        after.high(move.hand, pay.above * move.every, raised)
    return Pay(pay.parts * by.parts, after.exact, after.above, after.above_sum)


class _Tally:
    """The chances of each pay after a turn, added up."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self.exact: dict[int, int] = {}
        self.above = self.above_sum = 0

    def turn(self, here: int, ways: int, move: Move) -> None:
        """Add what one hand makes of one value of the pay."""
        counted = counted_sum = 0
        for after, each in self._pays_after_show_ups(here, move):
            self._stands(after, ways * each, move.hand)
            counted += each
            counted_sum += after * each
        rest = move.every - counted
        if self._options.pay_cap == "none":
            rest_sum = here * move.every + move.raised - counted_sum
            self.high(move.hand, ways * rest, ways * rest_sum)
        else:
            self._stands(max(here, self._options.pay_cap), ways * rest, move.hand)

    def _pays_after_show_ups(self, here: int, move: Move) -> Iterator[tuple[int, int]]:
        """The pays after show-ups, value by value: below the cap, or up to `MOST`."""
        cap = self._options.pay_cap
        below = MOST + 1 if cap == "none" else cap
        return zip(range(here, below), move.ways, strict=False)

    def _stands(self, pay: int, ways: int, hand: Hand) -> None:
        stands = lower_pay(pay, hand, self._options)
        self.exact[stands] = self.exact.get(stands, 0) + ways

    def high(self, hand: Hand, ways: int, total: int) -> None:
        """Add pays that are above `MOST` before this hand is taken; `total` is their sum."""
        if hand.score is not None and self._options.pay_lowering == "to_score":
            self.exact[hand.score] = self.exact.get(hand.score, 0) + ways
            return
        self.above += ways
        self.above_sum += total - (0 if hand.score is None else ways)
