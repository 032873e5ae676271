"""
The exact odds of a round of Cinnabar Gate: how the pay moves, who pays, and how much.

In tie throws nobody has an advantage (CG7), so each of those who tie is equally likely to win or to
lose. Who throws first matters where any hand may be thrown again (CG10), and in a pool, where a
home throw or an empty hand stops the others (CG11).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import comb, lcm
from typing import TYPE_CHECKING, Final, NamedTuple

from games.cinnabar_gate.hands import PAY_AT_START, RAISES, lower_pay
from games.odds import (
    NEVER,
    SURE,
    Chances,
    Extreme,
    Tied,
    chance,
    chances_of_ties,
    chances_of_view,
    gather,
    greatest,
    scale,
)
from games.stone import Hand

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from games.cinnabar_gate.messages import Options
    from games.cinnabar_gate.odds import Taken, Throws

Ranks = dict[int, Fraction]  # the chance of each hand, by its place in Throws.ranked
NOBODY: Final = 0


@dataclass(frozen=True, slots=True)
class Round:
    """
    The odds of a round. Chances of hands and of the pay are joint with the round being paid, not
    void.

    :param pays: what each payer owes; of pays above `pay_odds.SHOWN` only the missing chance is
        known.
    :param pay_sum: the mean pay times the chance that the round is paid; None if the cap is too
        high to be followed.
    :param best, worst: the best and the worst hand; no best in a pool. Whoever threw empty is
        worst.
    :param tied_best, tied_worst: the chances that several share the best or the worst hand.
    :param payers: how many pay; `NOBODY` if the round is void.
    :param wins: by turn, the expected part of the winnings.
    :param loses: by turn, the chance to pay.
    :param restarted: the chance that a home throw restarts the round (CG11).
    """

    pays: Chances[int]
    pay_sum: Fraction | None
    best: Chances[Hand]
    worst: Chances[Hand]
    tied_best: Fraction
    tied_worst: Fraction
    payers: Chances[int]
    wins: tuple[Fraction, ...]
    loses: tuple[Fraction, ...]
    restarted: Fraction

    @property
    def paid(self) -> Fraction:
        return SURE - self.payers.get(NOBODY, NEVER)


@dataclass(frozen=True)
class Deal:
    """
    The hands of a round in which the first thrower threw any hand again a given number of times
    (CG10).

    :param first, others: the chances of the first thrower's turn, jointly with that number, and of
        each other player's turn.
    """

    throws: Throws
    up: Raises
    first: Mapping[Taken, Fraction]
    others: Mapping[Taken, Fraction]
    _paths: dict[str | Hand, Path] = field(default_factory=dict, compare=False)

    def turn(self, place: int) -> Mapping[Taken, Fraction]:
        return self.others if place else self.first

    def ranks(self, place: int, *kinds: str) -> Ranks:
        """
        The chances of the hand of the player at this place, if it is of one of these kinds; without
        kinds, of any hand.
        """
        rank, turn = self.throws.rank, self.turn(place)
        return gather(
            (rank[t.hand], p) for t, p in turn.items() if not kinds or _kind(t.hand) in kinds
        )

    def falls(self, place: int, kind: str) -> Fraction:
        return chance(self.turn(place), lambda taken: _kind(taken.hand) == kind)

    def moves(self, place: int, what: str | Hand) -> Moves:
        """
        What a hand of this player does to the pay, if it is the given hand or kind; ``any``: of all
        hands.
        """
        turn = self.turn(place)
        kept = {t: p for t, p in turn.items() if what in {t.hand, _kind(t.hand), "any"}}
        return moves(kept, self.up)

    def path(self, what: str | Hand) -> Path:
        """The pay, player by player, as long as all take the given hand or kind."""
        if what not in self._paths:
            first, others = self.moves(0, what), self.moves(1, what)
            self._paths[what] = Path(self.throws.options, first, others)
        return self._paths[what]

    def alike(self, players: int) -> Iterator[tuple[Hand, Pay]]:
        """For each hand, the pay if all hold that hand, which makes the round void (CG6, CG7)."""
        for hand in self.throws.ranked:
            yield hand, self.path(hand).after(players)


class Bill(NamedTuple):
    """How many pay (CG6). :param first: the chance that the first thrower pays."""

    payers: int
    first: Fraction
    tied: bool


@dataclass
class Sums:
    """A round that is being added up, case by case."""

    players: int
    pays: list[tuple[int, Fraction]] = field(default_factory=list)
    pay_sum: Fraction = NEVER
    best: list[tuple[Hand, Fraction]] = field(default_factory=list)
    worst: list[tuple[Hand, Fraction]] = field(default_factory=list)
    tied_best: Fraction = NEVER
    tied_worst: Fraction = NEVER
    payers: list[tuple[int, Fraction]] = field(default_factory=list)
    wins: list[Fraction] = field(default_factory=list)
    loses: list[Fraction] = field(default_factory=list)
    restarted: Fraction = NEVER

    def __post_init__(self) -> None:
        self.wins, self.loses = [NEVER] * self.players, [NEVER] * self.players

    def pay(self, pay: Pay, times: int = 1) -> None:
        self.pays += ((value, times * each) for value, each in pay.listed_chances().items())
        self.pay_sum += times * pay.sum

    def split(self, among: list[Fraction], first: Fraction, everything: Fraction) -> None:
        """Add `first` to the first thrower, and the rest in equal parts to the others."""
        among[0] += first
        for other in range(1, self.players):
            among[other] += (everything - first) / (self.players - 1)

    def add(self, fewer: Round, likely: Fraction, out: int) -> None:
        """Add the round of the others, when the player whose turn is `out` sits out."""
        self.pays += scale(fewer.pays, likely)
        self.pay_sum += likely * (fewer.pay_sum or NEVER)
        self.worst += scale(fewer.worst, likely)
        self.payers += scale(fewer.payers, likely)
        self.tied_worst += likely * fewer.tied_worst
        for other, each in enumerate(fewer.loses):
            self.loses[other + (other >= out)] += likely * each

    def round(self, *, mean_known: bool) -> Round:
        return Round(
            pays=gather(self.pays),
            pay_sum=self.pay_sum if mean_known else None,
            best=gather(self.best),
            worst=gather(self.worst),
            tied_best=self.tied_best,
            tied_worst=self.tied_worst,
            payers=gather(self.payers),
            wins=tuple(self.wins),
            loses=tuple(self.loses),
            restarted=self.restarted,
        )


@dataclass(frozen=True)
class Rounds:
    throws: Throws
    _known: dict[int, Round] = field(default_factory=dict, compare=False)

    def among(self, players: int) -> Round:
        """The odds of a round of so many players; only restarts in a pool leave fewer than two."""
        if players not in self._known:
            pool = self.throws.options.variant == "pool"
            sums = Sums(players)
            if players == 0:
                sums.payers.append((NOBODY, SURE))
            for deal in self._deals if players else ():
                (self._pool if pool else self._table)(deal, sums)
            self._known[players] = sums.round(mean_known=not self._high_cap)
        return self._known[players]

    @cached_property
    def _high_cap(self) -> bool:
        """Whether the cap is so high that it changes no chance that is shown, only the mean."""
        cap = self.throws.options.pay_cap
        return cap != "none" and cap > CAP_MAX

    @cached_property
    def _followed(self) -> Throws:
        if not self._high_cap:
            return self.throws
        return replace(self.throws, options=replace(self.throws.options, pay_cap="none"))

    @cached_property
    def _deals(self) -> tuple[Deal, ...]:
        """
        A deal for each number of times that the first thrower threw again; the others may do so as
        often (CG10).
        """
        throws, opal = self._followed, self.throws.options.opal
        up = Raises(throws)
        return tuple(
            Deal(throws, up, first, throws.turn(again))
            for again in range(opal + 1)
            if (first := {t: p for t, p in throws.turn(opal).items() if t.again == again})
        )

    # --- At a table and in the arcade: the best hand is paid ---

    def _table(self, deal: Deal, sums: Sums) -> None:
        players = sums.players
        first, others = deal.ranks(0), deal.ranks(1)
        best = _hands(greatest(_reverse(first), _reverse(others), players - 1), players)
        worst = _hands(greatest(first, others, players - 1), players)
        sums.best += ((self.throws.ranked[-rank], likely) for rank, likely in best.items())
        sums.worst += ((self.throws.ranked[rank], likely) for rank, likely in worst.items())
        ties = chances_of_ties(_reverse(first), _reverse(others), players - 1)
        paid = {end: likely for end, likely in ties.items() if end.size < players}
        sums.tied_best += chance(paid, lambda end: end.size > 1)
        sums.split(sums.wins, _first_of(paid), sum(paid.values(), NEVER))
        for bill, likely in self._bills(deal, players):
            sums.payers.append((bill.payers, likely))
            sums.tied_worst += likely * bill.tied
            sums.split(sums.loses, bill.first * likely, bill.payers * likely)
        sums.pay(deal.path("any").after(players))
        for _, alike in deal.alike(players):
            sums.pay(alike, times=-1)

    def _bills(self, deal: Deal, players: int) -> Iterator[tuple[Bill, Fraction]]:
        """Who pays (CG6), by how many threw empty and who is worst of the rest."""
        first, others = (deal.ranks(place, "score", "home") for place in (0, 1))
        first_empty, empty = (deal.falls(place, "empty") for place in (0, 1))
        for empties in range(players):
            ways = comb(players - 1, empties) * empty**empties
            rest = players - 1 - empties
            for worst, likely in self._worst(first, others, rest, alone=empties > 0):
                yield self._bill(empties, NEVER, worst, rest + 1), ways * likely
            if not rest:
                yield Bill(NOBODY, NEVER, tied=False), ways * first_empty
                continue
            for worst, likely in self._worst(others, others, rest - 1, alone=True):
                bill = self._bill(empties + 1, SURE, worst._replace(first=False), rest)
                yield bill, ways * first_empty * likely

    def _worst(
        self, first: Ranks, others: Ranks, count: int, *, alone: bool
    ) -> Iterable[tuple[Tied, Fraction]]:
        """
        The worst of those who did not throw empty; if only empties pay (`alone`), it does not
        matter who.
        """
        if alone and self.throws.options.empty == "only":
            held = sum(first.values(), NEVER) * sum(others.values(), NEVER) ** count
            return [(Tied(1, first=False), held)]
        return chances_of_ties(first, others, count).items()

    def _bill(self, empties: int, first: Fraction, worst: Tied, held: int) -> Bill:
        """:param first: the chance that the first threw empty. :param held: how many did not."""
        options = self.throws.options
        alike = worst.size == held
        if alike and not empties:
            return Bill(NOBODY, NEVER, tied=False)
        if empties and (alike or options.empty == "only"):
            return Bill(empties, first, tied=False)
        split = options.ties == "split"
        also = (SURE if split else Fraction(1, worst.size)) if worst.first else NEVER
        payers = empties + (worst.size if split else 1)
        return Bill(payers, first + also, tied=worst.size > 1)

    # --- In a pool: a home throw restarts, an empty hand ends it, else the worst pays ---

    def _pool(self, deal: Deal, sums: Sums) -> None:
        for place in range(sums.players):
            pay = deal.path("score").after(place)
            self._end(move_pay(pay, deal.moves(place, "empty"), deal.throws.options), place, sums)
            self._add_restarted(pay.mass * deal.falls(place, "home"), place, sums)
        first, others = deal.ranks(0, "score"), deal.ranks(1, "score")
        worst = greatest(first, others, sums.players - 1)
        for end, likely in worst.items():
            self._add_lost(end, likely, sums)
        sums.pay(deal.path("score").after(sums.players))
        for hand, alike in deal.alike(sums.players):
            if hand.score is not None and sums.players > 1:
                sums.pay(alike, times=-1)

    def _end(self, pay: Pay, place: int, sums: Sums) -> None:
        """Add the rounds that end because somebody threw empty and pays at once (CG11)."""
        if pay.mass:
            sums.pay(pay)
            sums.payers.append((1, pay.mass))
            sums.worst.append((self.throws.ranked[-1], pay.mass))
            sums.loses[place] += pay.mass

    def _add_restarted(self, likely: Fraction, place: int, sums: Sums) -> None:
        if likely:
            sums.restarted += likely
            sums.add(self.among(sums.players - 1), likely, place)

    def _add_lost(self, worst: Extreme, likely: Fraction, sums: Sums) -> None:
        """
        Add the rounds that the worst hand loses (CG7): all alike make the round void; of tied worst
        one loses, or (`split`) all pay.
        """
        if worst.size == sums.players > 1:
            sums.payers.append((NOBODY, likely))
            return
        payers = worst.size if self.throws.options.ties == "split" else 1
        sums.payers.append((payers, likely))
        sums.worst.append((self.throws.ranked[worst.rank], likely))
        sums.tied_worst += likely * (worst.size > 1)
        first = Fraction(payers, worst.size) if worst.first else NEVER
        sums.split(sums.loses, first * likely, payers * likely)


def _kind(hand: Hand) -> str:
    return hand.name if hand.score is None else "score"


def _reverse(ranks: Ranks) -> Ranks:
    return {-rank: likely for rank, likely in ranks.items()}


def _hands(ends: Mapping[Extreme, Fraction], players: int) -> Ranks:
    """The chances of the best or worst hand, in rounds in which not all hands are alike."""
    return gather((each.rank, likely) for each, likely in ends.items() if each.size < players)


def _first_of(ends: Mapping[Tied, Fraction]) -> Fraction:
    """The chance that the first thrower comes out of a tie, as likely as each other player."""
    return sum((likely / each.size for each, likely in ends.items() if each.first), NEVER)


# How the pay moves in the course of a round (CG2, CG5), exactly.
# Without a cap show-ups may raise the pay for ever. So it is followed value by value up to `MOST`;
# for pays above that, only their total chance and their sum are kept. That suffices: a taken score,
# 8 at most, brings such a pay down to the score or (`by_one`) takes one off, and in as many steps
# as there are players no pay above `MOST` comes back to a value up to `SHOWN`. So every chance
# shown and the mean are exact.
# Chances are counted in whole numbers of equal parts, which is about ten times as fast as
# fractions.


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


def moves(turn: Mapping[Taken, Fraction], up: Raises) -> Moves:
    """What some hands of a player's turn do to the pay; they need not be all hands of the turn."""
    taken = gather(((_key(each.hand), each.throws), likely) for each, likely in turn.items())
    rows = {key: _row(key, taken, up) for key in dict.fromkeys(key for key, _ in taken)}
    parts = lcm(*(each.denominator for row in rows.values() for each in row))
    return Moves(parts, tuple(_move(key, row, parts) for key, row in rows.items()))


def _key(hand: Hand) -> Key:
    return hand.name if hand.score is None else hand.score


def _row(key: Key, taken: Mapping[tuple[Key, int], Fraction], up: Raises) -> tuple[Fraction, ...]:
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
