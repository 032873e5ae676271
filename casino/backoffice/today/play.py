"""What is played and paid, for the start page: running tables, rollovers, the last payouts."""

from __future__ import annotations

from datetime import datetime
from operator import itemgetter
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext_lazy

from casino.cash.models import ShiftRow
from casino.establishments import order
from casino.payouts.explained import Explained
from casino.payouts.queries import listed
from casino.play import queries
from casino.play.cards import cards as table_cards
from casino.play.cards import games_at
from casino.play.loading import GameKey, load
from casino.play.models import GameCard, Payout
from casino.play.presenters import TITLES
from casino.players import pseudonyms

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date

    from casino.attendants.models import Attendant
    from casino.establishments.models import Establishment

PAYOUTS = 12
CALLED = {
    "pot": gettext_lazy("pot"),
    "house": gettext_lazy("the house"),
    "rollover": gettext_lazy("the rollover"),
}


def rollovers(house: Establishment) -> list[dict[str, Any]]:
    """What pots left for the next game of their kind, lot by lot, the oldest first."""
    kinds = queries.rolled_over(house.pk)
    lots = [lot for kind in kinds for lot in kind["lots"]]
    games = {game for lot in lots for game in (lot["game"], lot["claimed_by"]) if game}
    at_table = _tables_of(house, games)
    shown = [
        {
            "kind": kind["game"],
            "title": TITLES.get(kind["game"], kind["game"]),
            "amount": lot["amount"],
            "since": datetime.fromisoformat(lot["since"]),
            "table": at_table[lot["game"]],
            "url": reverse("floor-game", args=[lot["game"]]),
            "lineage": reverse("pot-lineage", args=[lot["game"]]),
            "awaited_at": lot["claimed_by"] and at_table[lot["claimed_by"]],
            "awaited_url": lot["claimed_by"] and reverse("floor-game", args=[lot["claimed_by"]]),
        }
        for kind in kinds
        for lot in kind["lots"]
    ]
    return sorted(shown, key=itemgetter("since"))


def _tables_of(house: Establishment, games: Collection[str]) -> dict[str, str]:
    """The name of the table at which each game was played."""
    cards = GameCard.objects.filter(establishment=house, game__in=games).select_related("table")
    known = {str(card.game): card.table.name for card in cards}
    for game in set(games) - known.keys():  # its card is still to be made
        table = load(GameKey(house.pk, UUID(game))).place["table"]
        known[game] = house.tables.get(pk=table).name
    return known


def tables(house: Establishment, person: Attendant) -> list[dict[str, Any]]:
    """The tables with a running game; first those that are in this person's hands."""
    in_use = order.listed(house.tables.filter(in_use=True))
    cards = table_cards(house, in_use, games_at(house.pk, in_use))
    running = ShiftRow.objects.filter(
        establishment=house, table__in=in_use, ended=ShiftRow.Ended.RUNNING, holder=person.pk
    )
    mine = {str(table) for table in running.values_list("table_id", flat=True)}
    shown = [
        {
            **game,
            "name": card["name"],
            "url": reverse("floor-game", args=[game["id"]]),
            "mine": card["id"] in mine,
        }
        for card in cards
        if (game := card["game"])
    ]
    return sorted(shown, key=lambda table: not table["mine"])


def payouts(house: Establishment, day: date) -> list[dict[str, Any]]:
    """The day's last payments to players, each with the sentence that says why."""
    rows = list(listed(house.pk, day=day)[:PAYOUTS])
    explained = Explained(house, rows)
    shown = [
        {
            "at": row.booked_at,
            "from": str(CALLED.get(row.payer, row.payer)),
            "to": str(CALLED.get(row.payee, row.payee)),
            "amount": row.amount,
            "sentence": explained.why(row),
            "rules": row.rules.split(),
            "table": row.table.name,
            "round": row.round,
            "url": address(row),
            "state": row.state,
        }
        for row in rows
    ]
    named: list[dict[str, Any]] = pseudonyms.resolve(house.pk, shown)
    return named


def address(row: Payout) -> str:
    """Where a payout is explained; of one that was voided, what was recorded."""
    if row.state == Payout.State.REVERSED:
        return reverse("floor-log", args=[row.game])
    return reverse("floor-round", args=[row.game, row.round])
