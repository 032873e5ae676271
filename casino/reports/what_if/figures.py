"""The figures of a game's history: its length, and where coins went. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field, fields
from fractions import Fraction
from typing import TYPE_CHECKING

from games.history import live
from games.payments import HOUSE, POT, ROLLOVER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from games.messages import Fact
    from games.payments import Payment


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """
    Sums over the events that stand, without cancelled ones: coins, except `rounds` and `throws`.

    :param staked: from players into pots.
    :param won: from pots to players.
    :param between: from one player to another without a pot.
    :param fees: what the house keeps, without fees that were given back.
    :param rolled: from pots into the house's rollover.
    :param drawn: out of the house's rollover.
    """

    rounds: int = 0
    throws: int = 0
    staked: int = 0
    won: int = 0
    between: int = 0
    fees: int = 0
    rolled: int = 0
    drawn: int = 0

    @property
    def pot(self) -> int:
        """The coins that came into pots: staked and drawn."""
        return self.staked + self.drawn

    @property
    def paid(self) -> int:
        """The coins that players got, from pots and from each other."""
        return self.won + self.between

    def __add__(self, other: Figures) -> Figures:
        return Figures(
            **{each.name: getattr(self, each.name) + getattr(other, each.name) for each in NAMES}
        )

    def as_json(self) -> dict[str, int]:
        return {**asdict(self), "pot": self.pot, "paid": self.paid}

    @classmethod
    def from_json(cls, values: Mapping[str, int]) -> Figures:
        return cls(**{each.name: values.get(each.name, 0) for each in NAMES})


NAMES = fields(Figures)


@dataclass(frozen=True, slots=True)
class Outcome:
    """
    The result of a history.

    :param players: player -> what payments have won or lost them.
    :param points: player -> points scored.
    """

    figures: Figures = Figures()
    players: Mapping[str, int] = field(default_factory=dict)
    points: Mapping[str, Fraction] = field(default_factory=dict)


def outcome(facts: Iterable[Fact]) -> Outcome:
    """The result of a game's history, which starts with its first event and includes voids."""
    sums: Counter[str] = Counter()
    players: Counter[str] = Counter()
    points: dict[str, Fraction] = {}
    for _, fact in live(enumerate(facts, 1)):
        sums["rounds"] += fact.ends_round
        sums["throws"] += fact.is_throw
        for payment in fact.payments:
            _add_payment(payment, sums, players)
        for player, scored in fact.points:
            points[player] = points.get(player, Fraction()) + scored
    return Outcome(Figures(**sums), {name: net for name, net in players.items() if net}, points)


def _add_payment(payment: Payment, sums: Counter[str], players: Counter[str]) -> None:
    payer, payee, amount = payment.payer, payment.payee, payment.amount
    if HOUSE in {payee, payer}:
        sums["fees"] += amount if payee == HOUSE else -amount
    elif payee == ROLLOVER:
        sums["rolled"] += amount
    elif payer == ROLLOVER:
        sums["drawn"] += amount
    elif payee == POT:
        sums["staked"] += amount
    elif payer == POT:
        sums["won"] += amount
    else:
        sums["between"] += amount
    for name, sign in ((payer, -1), (payee, 1)):
        if name not in {HOUSE, POT, ROLLOVER}:
            players[name] += sign * amount
