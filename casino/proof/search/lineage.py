"""
Where the coins of a pot came from: who put in what and when, what left it, and what rolled in.

Coins in a pot are alike: nobody can say whose coin was won, or whose is left. So there are no
shares, only facts: each payment into and out of a pot as it is booked, with the event of the game
that decided it; and each lot that rolled in, with the pot that it left, described the same way.
Over a whole tree, what came in minus what went out is what the pot holds.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from casino.play.core.models import GameCard
from casino.play.settlement.models import Payout
from casino.proof.search.models import LotLine
from games.payments import HOUSE, POT, ROLLOVER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from uuid import UUID

DEPTH: Final = 6  # pots one behind the other; those further back have pages of their own


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """
    Coins that came into a pot or left it, as the game decided and settlement booked them.

    :param who: a player's token, ``house`` for a fee, ``rollover``.
    :param coins: below 0 if they left.
    """

    who: str
    coins: int
    round: int
    cause: int
    position: int
    rules: str
    at: datetime


@dataclass(slots=True, kw_only=True)
class Pot:
    """
    A pot and its payments and lots.

    :param moved: payments from players, and payments to players or the house, in order.
    :param rolled: payments from and to the rollover.
    :param voided: coins of payments that were voided; nothing else counts them.
    :param came: the lots that rolled in.
    :param left: the lots that rolled out and stand.
    :param awaited: lots that are still to come.
    """

    game: UUID
    card: GameCard | None
    moved: list[Moved] = field(default_factory=list)
    rolled: list[Moved] = field(default_factory=list)
    voided: int = 0
    came: list[Branch] = field(default_factory=list)
    left: list[LotLine] = field(default_factory=list)
    awaited: list[LotLine] = field(default_factory=list)

    @property
    def put_in(self) -> int:
        return sum(each.coins for each in self.moved if each.coins > 0)

    @property
    def rolled_in(self) -> int:
        return sum(branch.lot.amount for branch in self.came)

    @property
    def went(self) -> int:
        """Coins that went to players and in fees."""
        return -sum(each.coins for each in self.moved if each.coins < 0)

    @property
    def rolled_out(self) -> int:
        return sum(lot.amount for lot in self.left)

    @property
    def holds(self) -> int:
        """Coins that the pot holds once everything is booked."""
        return self.put_in + self.rolled_in - self.went - self.rolled_out

    @property
    def booked(self) -> int:
        """Coins that are booked; for the rollover its payments count, and not its lots."""
        return sum(each.coins for each in (*self.moved, *self.rolled))

    @property
    def since(self) -> datetime | None:
        """Since when the oldest coins that rolled in have been rolling, as far back as shown."""
        times = [each.lot.since for each in self.came]
        times += [at for each in self.came if each.pot and (at := each.pot.since)]
        return min(times, default=None)

    def players(self) -> Mapping[str, tuple[int, int]]:
        """The coins that each player put in and got, the largest contribution first."""
        sums: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
        for each in self.moved:
            if each.who != HOUSE:
                sums[each.who][each.coins < 0] += abs(each.coins)
        ordered = sorted(sums.items(), key=lambda item: (-item[1][0], item[0]))
        return {who: (put, got) for who, (put, got) in ordered}


@dataclass(slots=True)
class Branch:
    """A lot that rolled in. `pot` is None if it is deeper than `depth`."""

    lot: LotLine
    pot: Pot | None = None


def of_pot(establishment: UUID, game: UUID, *, depth: int = DEPTH) -> Pot:
    """
    The lineage of a game's pot. Four queries for each level of pots, however many they are.

    :param depth: how many pots one behind the other.
    """
    root = Pot(game=game, card=None)
    level, seen = {game: root}, {game}
    for deeper in range(depth - 1, -1, -1):
        _fill(establishment, level)
        below: dict[UUID, Pot] = {}
        for pot in level.values():
            for branch in pot.came:
                source = branch.lot.game
                if deeper and source not in seen:
                    branch.pot = below[source] = Pot(game=source, card=None)
                    seen.add(source)
        if not below:
            break
        level = below
    return root


def _fill(establishment: UUID, pots: Mapping[UUID, Pot]) -> None:
    games = list(pots)
    for card in GameCard.objects.filter(establishment=establishment, game__in=games):
        pots[card.game].card = card
    for lot in LotLine.objects.filter(establishment=establishment, taker__in=games).order_by(
        "since", "position"
    ):
        if lot.taker is None:
            continue
        if lot.state == LotLine.State.TAKEN:
            pots[lot.taker].came.append(Branch(lot))
        elif lot.state == LotLine.State.CLAIMED:
            pots[lot.taker].awaited.append(lot)
    lots = LotLine.objects.filter(establishment=establishment, game__in=games)
    for lot in lots.exclude(state=LotLine.State.UNDONE).order_by("event"):
        pots[lot.game].left.append(lot)
    _pay(establishment, pots)


def _pay(establishment: UUID, pots: Mapping[UUID, Pot]) -> None:
    rows = Payout.objects.filter(establishment=establishment, game__in=list(pots))
    for row in rows.order_by("position", "seq"):
        if POT not in {row.payer, row.payee}:
            continue
        pot = pots[row.game]
        if row.state == Payout.State.REVERSED:
            pot.voided += row.amount
            continue
        came = row.payee == POT
        other = row.payer if came else row.payee
        moved = Moved(
            who=other,
            coins=row.amount if came else -row.amount,
            round=row.round,
            cause=row.cause,
            position=row.position,
            rules=row.rules,
            at=row.booked_at,
        )
        (pot.rolled if other == ROLLOVER else pot.moved).append(moved)


def leaves(pot: Pot, *, but: LotLine | None = None) -> Iterator[int]:
    """
    Every fact of a tree as coins: payments in and out, coins that still lie in pots further back,
    and lots whose pots are not shown. Their sum is what the pot holds.

    :param but: the lot by which this pot was reached from the pot that has it.
    """
    yield from (each.coins for each in pot.moved)
    yield from (-lot.amount for lot in pot.left if but is None or lot.pk != but.pk)
    for branch in pot.came:
        if branch.pot is None:
            yield branch.lot.amount
        else:
            yield from leaves(branch.pot, but=branch.lot)
            yield -branch.pot.booked
