"""The list of cash moved between the cage and the house's bank, by number (A3, C1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy

from casino.house.pseudonyms import tokens
from casino.kit.approvals.queries import names
from casino.kit.web.listings.columns import FOR_PROGRAMS, Column, Sign, columns_of
from casino.kit.web.listings.listing import Listing
from casino.money.cash.account_models import CageSlip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from casino.kit.web.listings.listing import Viewer

ALONE: Final = Sign("wait", gettext_lazy("alone, to be reviewed"))
WAYS: Final = {
    "capital": gettext_lazy("Brought into the cage"),
    "to_bank": gettext_lazy("Taken to the bank"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CageItem:
    """
    A movement between cage and bank, with names instead of ids.

    :param asked_by: and `approved_by`: names; "" for nobody.
    """

    row: CageSlip
    asked_by: str
    approved_by: str
    reason: str


def cage_items(viewer: Viewer, rows: Sequence[CageSlip]) -> list[CageItem]:
    people = names({row.asked_by for row in rows} | {row.approved_by for row in rows})
    reasons: list[str] = tokens.resolve(viewer.house.pk, [row.reason for row in rows])
    return [
        CageItem(
            row=row,
            asked_by=people[row.asked_by],
            approved_by=people.get(row.approved_by, ""),
            reason=reason,
        )
        for row, reason in zip(rows, reasons, strict=True)
    ]


_of_row = columns_of()


CAGE: Final = Listing[CageSlip, CageItem](
    name="cage",
    title=gettext_lazy("Cage and bank"),
    about=gettext_lazy("Cash between the cage and the bank, by number."),
    rows=lambda viewer: CageSlip.objects.filter(establishment=viewer.house),
    items=cage_items,
    order=("-number",),
    columns=(
        _of_row("number", gettext_lazy("Number"), kind="number", style="row-name",
                order=("number",)),
        _of_row("way", gettext_lazy("What"), display=lambda item: str(WAYS[item.row.way]),
                order=("way",)),
        _of_row("amount", gettext_lazy("Amount"), kind="money", order=("amount",)),
        _of_row("at", gettext_lazy("When"), kind="moment", style="soft wide", order=("at",)),
        _of_row("gaming_day", gettext_lazy("Gaming day"), kind="day", on=FOR_PROGRAMS),
        _of_row("asked_by", gettext_lazy("Asked by"), display=lambda item: item.asked_by),
        _of_row("approved_by", gettext_lazy("Approved by"), signs={"": ALONE},
                display=lambda item: item.approved_by or str(ALONE.word)),
        Column(name="reason", title=gettext_lazy("Reason"), style="wide because"),
        _of_row("position", gettext_lazy("Ledger position"), kind="number", on=FOR_PROGRAMS),
    ),
    empty=gettext_lazy(
        "No cash has come from the bank or gone there. Ask below; a second person approves, and it"
        " gets the next number."
    ),
    names_players=False,
)  # fmt: skip
