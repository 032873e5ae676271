"""Pages of fee boxes: which are to be counted, counting one, fees taken and announced (A5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.kit.web.listings.pages import of_rows, page_with_list, viewer
from casino.kit.web.pages import Outcome, office
from casino.money.cash import fees
from casino.money.cash.forms import SheetForm
from casino.money.cash.listings.fee_boxes import (
    FEE_BOXES,
    FEE_DAYS,
    FEES_ANNOUNCED,
    boxes_to_count,
    fees_announced,
)

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse

    from casino.house.establishments.models import Table
    from casino.kit.web.pages import Page


@office("look", section="cash")
def fee_boxes(page: Page) -> HttpResponse:
    """The page of fee boxes: boxes to be counted, fees taken and found, announced fees (A5)."""

    def context() -> dict[str, Any]:
        looks = viewer(page, "page")
        return {
            "waiting": of_rows(page, FEE_BOXES, boxes_to_count(looks)),
            "announced": of_rows(page, FEES_ANNOUNCED, fees_announced(looks)),
        }

    return page_with_list(page, FEE_DAYS, "cash/fee_boxes.html", context)


@office("record", section="cash")
def count_fees(page: Page, table: UUID) -> HttpResponse:
    """The page on which one person enters their own count of a fee box (A5)."""
    here: Table = get_object_or_404(page.house.tables, pk=table)
    form = SheetForm(page.house, page.sent)
    if form.is_valid():
        return page.put(
            lambda: fees.count(page.act(form.act_id), table=here, sheet=form.sheet),
            lambda _done: Outcome(
                _outcome(page, here), here.name, reverse("cash-table", args=[here.pk])
            ),
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


def _outcome(page: Page, table: Table) -> str:
    now = fees.running(page.house.pk, table.pk)
    if now.first is not None:
        return _("Your count is sealed. Now a second person counts the same box.")
    if now.attempt > 1:
        return _("The two counts differ. Both are on record; both of you count again.")
    return _("Both counts agree: the box is in the cage, over/short is booked.")
