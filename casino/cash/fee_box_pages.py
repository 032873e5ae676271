"""Fee boxes: which are to be counted, the count of one, what was taken and announced (A5)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from casino.attendants.permissions import ALLOWED
from casino.cash import fees
from casino.cash.forms import SheetForm
from casino.establishments.order import listed
from casino.play.cards import games_at
from casino.web.pages import office

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from django.http import HttpResponse

    from casino.establishments.models import Establishment, Table
    from casino.web.pages import Page

FEE_DAYS: Final = 14


@office("look", section="cash")
def fee_boxes(page: Page) -> HttpResponse:
    """Which boxes are to be counted, what was taken and found, and the fees announced (A5)."""
    sees = page.role not in ALLOWED["record"]  # who may count is not told what to find
    tables = {table.pk: table for table in page.house.tables.all()}
    first = page.day - timedelta(days=FEE_DAYS - 1)
    uncounted = fees.uncounted(page.house)
    counts = fees.all_running(page.house.pk, [table.pk for table, _coins in uncounted])
    waiting = [
        {
            "table": table,
            "expected": coins if sees else None,
            "first": counts[table.pk].first,
        }
        for table, coins in uncounted
    ]
    days = [
        {
            "row": each.row,
            "table": tables[each.row.table],
            "counted_on": each.counted_on,
            "seen": sees or each.counted_on,
        }
        for each in fees.days(page.house, since=first, until=page.day)
    ]
    context = {
        "waiting": waiting,
        "days": days,
        "announced": list(_announced(page.house)),
        "records": page.may("record"),
        "person": str(page.person.pk),
    }
    return page.show("cash/fee_boxes.html", context)


def _announced(house: Establishment) -> Iterator[dict[str, Any]]:
    """The fee of each game that runs: one type at a table, a rake at most a tenth of the pot."""
    tables = listed(house.tables.filter(in_use=True))
    games = games_at(house.pk, tables)
    for table in tables:
        if (loaded := games.get(table.pk)) is not None:
            fee = loaded.opening.data.get("fee")
            yield {"table": table, "game": loaded.key.game, "fee": fee}


@office("record", section="cash")
def count_fees(page: Page, table: UUID) -> HttpResponse:
    """One person's own count of a fee box, from their own sign-in (A5)."""
    here: Table = get_object_or_404(page.house.tables, pk=table)
    form = SheetForm(page.house, page.sent)
    if form.is_valid():
        return page.put(
            lambda: fees.count(page.act(form.act_id), table=here, sheet=form.sheet),
            lambda _done: _said_after(page, here),
            "fee-boxes",
        )
    now = fees.running(page.house.pk, here.pk)
    context = {
        "form": form,
        "table": here,
        "second": now.first is not None,
        "mine": now.first is not None and now.first.provenance.actor == str(page.person.pk),
        "again": now.attempt > 1,
    }
    return page.show("cash/fee_count.html", context)


def _said_after(page: Page, table: Table) -> str:
    now = fees.running(page.house.pk, table.pk)
    if now.first is not None:
        return _("Your count is sealed. Now a second person counts the same box.")
    if now.attempt > 1:
        return _("The two counts differ. Both are on record; both of you count again.")
    return _("Both counts agree: the box is in the cage, over/short is booked.")
