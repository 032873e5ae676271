"""Parts of the start page about play: running tables, rollovers, the last payouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse

from casino.house.establishments import order
from casino.kit.web.listings.pages import of_rows
from casino.money.cash.models import ShiftRow
from casino.money.payouts.listings import PAYOUTS
from casino.money.payouts.queries import payouts_of
from casino.play.core.cards import cards as table_cards
from casino.play.core.cards import games_at

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.table import ListTable
    from casino.kit.web.pages import Page

MOST_PAYOUTS = 12


def tables(house: Establishment, person: Attendant) -> list[dict[str, Any]]:
    """The tables with a running game; those of which this person is in charge come first."""
    in_use = order.in_list_order(house.tables.filter(in_use=True))
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


def payouts(page: Page) -> ListTable:
    """The day's last payments to players, each with its reason."""
    rows = payouts_of(page.house.pk).filter(gaming_day=page.day)
    return of_rows(page, PAYOUTS, rows[:MOST_PAYOUTS])
