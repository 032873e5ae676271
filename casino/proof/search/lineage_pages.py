"""The page of a pot's lineage: who put in what and when, what left, and the pots it rolled from."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.house.acts.game_streams.loading import GameKey, load
from casino.house.attendants.pseudonyms import tokens
from casino.kit.web.pages import Page, office
from casino.money.payouts.pots import queries as pots
from casino.money.payouts.pots.queries import CALLED
from casino.play.core.models import GameCard
from casino.play.core.stories import round_url
from casino.play.settlement.models import Payout
from casino.proof.search.models import LotLine
from casino.words.presenters import TITLES
from games.payments import HOUSE, POT, ROLLOVER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from uuid import UUID

    from django.http import HttpResponse


@office("look", section="pots", from_replica=True)
def of_pot(page: Page, game: UUID) -> HttpResponse:
    """The tree of a pot: each contribution with its event, each lot with the pot that it left."""
    load(GameKey(page.house.pk, game))  # not found for a game of another house
    root = lineage_of_pot(page.house.pk, game)
    tables = dict(page.house.tables.values_list("pk", "name"))
    holds = pots.of_game(page.house.pk, game).balance
    takers = _takers(page, root)
    described = {
        "pot": {
            **_describe(root, tables),
            "left": [
                {**_lot(lot), "called": takers.get(lot.taker, "") if lot.taker else ""}
                for lot in root.left
            ],
        },
        "comes_to": sum(leaves(root)),
    }
    context = {
        **tokens.resolve(page.house.pk, described),
        "holds": holds,
        "adds_up": described["comes_to"] == holds,
        "since": root.since,
        "game": game,
    }
    return page.show("proof/search/lineage.html", context)


def _describe(pot: Pot, tables: Mapping[UUID, str]) -> dict[str, Any]:
    card = pot.card
    return {
        "game": pot.game,
        "title": str(TITLES.get(card.ruleset, card.ruleset)) if card else "",
        "table": tables.get(card.table_id, "") if card else "",
        "opened": card and card.opened_at,
        "day": card and card.gaming_day,
        "running": card is not None and card.status == GameCard.Status.OPEN,
        "url": reverse("pot-lineage", kwargs={"game": pot.game}),
        "log": reverse("floor-log", args=[pot.game]),
        "put_in": pot.put_in,
        "rolled_in": pot.rolled_in,
        "went": pot.went,
        "rolled_out": pot.rolled_out,
        "holds": pot.holds,
        "voided": pot.voided,
        "players": [
            {"who": who, "put": put, "got": got} for who, (put, got) in pot.players().items()
        ],
        "moved": [_describe_move(pot, each) for each in pot.moved],
        "came": [
            {
                **_lot(branch.lot),
                "pot": _describe(branch.pot, tables) if branch.pot else None,
            }
            for branch in pot.came
        ],
        "left": [_lot(lot) for lot in pot.left],
        "awaited": [_lot(lot) for lot in pot.awaited],
    }


def _describe_move(pot: Pot, each: Moved) -> dict[str, Any]:
    return {
        "who": str(CALLED.get(each.who, each.who)),
        "came": each.coins > 0,
        "coins": abs(each.coins),
        "round": each.round,
        "cause": each.cause,
        "position": each.position,
        "rules": each.rules.split(),
        "at": each.at,
        "url": f"{round_url(pot.game, each.round)}?step={each.cause}",
        "event": reverse("game-at", kwargs={"game": pot.game, "number": each.cause}),
    }


def _lot(lot: LotLine) -> dict[str, Any]:
    return {
        "amount": lot.amount,
        "since": lot.since,
        "state": lot.state,
        "event": reverse("game-at", kwargs={"game": lot.game, "number": lot.event}),
        "source": reverse("pot-lineage", kwargs={"game": lot.game}),
        "taker": reverse("pot-lineage", kwargs={"game": lot.taker}) if lot.taker else "",
    }


def _takers(page: Page, root: Pot) -> dict[UUID, str]:
    """The games that took what this pot left, with their titles."""
    games = {lot.taker for lot in root.left if lot.taker}
    cards = GameCard.objects.filter(establishment=page.house, game__in=games)
    return {
        card.game: _("%(game)s at %(table)s")
        % {"game": TITLES[card.ruleset], "table": card.table.name}
        for card in cards.select_related("table")
    }


# Where the coins of a pot came from: who put in what and when, what left it, and what rolled in.
#
# Coins in a pot are alike: nobody can say whose coin was won, or whose is left. So there are no
# shares, only facts: each payment into and out of a pot as it is booked, with the event of the game
# that decided it; and each lot that rolled in, with the pot that it left, described the same way.
# Over a whole tree, what came in minus what went out is what the pot holds.


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


def lineage_of_pot(establishment: UUID, game: UUID, *, depth: int = DEPTH) -> Pot:
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
