"""What is played and paid, for the start page: running tables, rollovers, the last payouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse

from casino.cash.models import ShiftRow
from casino.establishments import order
from casino.payouts.explained import Explained
from casino.payouts.queries import address, listed
from casino.play.cards import cards as table_cards
from casino.play.cards import games_at
from casino.pots.queries import CALLED
from casino.pseudonyms import tokens

if TYPE_CHECKING:
    from datetime import date

    from casino.attendants.models import Attendant
    from casino.establishments.models import Establishment

PAYOUTS = 12


def tables(house: Establishment, person: Attendant) -> list[dict[str, Any]]:
    """The tables with a running game; first those that are in this person's hands."""
    in_use = order.listed(house.tables.filter(in_use=True))
    cards = table_cards(house, in_use, games_at(house.pk, in_use))
    running = ShiftRow.objects.filter(
        establishment=house, table__in=in_use, ended=ShiftRow.Ended.RUNNING, holder=person.pk
    )
    mine = {str(table) for table in running.values_list("table_id", flat=True)}
    rows = [
        {
            **game,
            "name": card["name"],
            "url": reverse("floor-game", args=[game["id"]]),
            "mine": card["id"] in mine,
        }
        for card in cards
        if (game := card["game"])
    ]
    return sorted(rows, key=lambda table: not table["mine"])


def payouts(house: Establishment, day: date) -> list[dict[str, Any]]:
    """The day's last payments to players, each with the sentence that says why."""
    rows = list(listed(house.pk, day=day)[:PAYOUTS])
    explained = Explained(house, rows)
    entries = [
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
    named: list[dict[str, Any]] = tokens.resolve(house.pk, entries)
    return named
