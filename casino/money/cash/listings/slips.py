"""The lists of fills and credits: issued slips by number, and slips asked for (B2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy

from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals.queries import names
from casino.kit.web.listings.listing import (
    API,
    FOR_PEOPLE,
    FOR_PROGRAMS,
    PAGE,
    Column,
    DayFilter,
    Listing,
    Sign,
    TableFilter,
    columns_of,
    filters,
)
from casino.money.cash import queries
from casino.money.cash.models import CageSlip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.listing import Viewer
    from casino.money.cash.models import SlipRow
    from casino.money.cash.queries import RequestedSlip

KINDS: Final = {"fill": gettext_lazy("Fill"), "credit": gettext_lazy("Credit")}
DONE_ALONE: Final = Sign("alarm", gettext_lazy("done alone"))
ON_THE_WAY: Final = Sign("wait", gettext_lazy("on the way"))
WAITS: Final = Sign("wait", gettext_lazy("waits for an approval"))


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipItem:
    """
    A slip with names instead of ids.

    :param asked_by: and `approved_by`, `received_by`: names; "" for nobody.
    """

    row: SlipRow
    reason: str
    asked_by: str
    approved_by: str
    received_by: str

    @property
    def kind(self) -> str:
        return str(KINDS[self.row.kind])

    @property
    def url(self) -> str:
        return reverse("cash-slip", kwargs={"number": self.row.number})


def slip_items(house: Establishment, rows: Sequence[SlipRow]) -> list[SlipItem]:
    """The items of slips, with the names of the people who asked, approved and signed."""
    names = queries.people(
        each for row in rows for each in (row.asked_by, row.approved_by, row.received_by)
    )
    reasons = queries.reasons(house, [row.reason for row in rows])
    return [
        SlipItem(
            row=row,
            reason=reason,
            asked_by=names.get(str(row.asked_by), ""),
            approved_by=names.get(str(row.approved_by), ""),
            received_by=names.get(str(row.received_by), ""),
        )
        for row, reason in zip(rows, reasons, strict=True)
    ]


_api = columns_of(on=API)


_program = columns_of(on=FOR_PROGRAMS)


SLIPS: Final = Listing[Any, SlipItem](
    name="slips",
    title=gettext_lazy("Slips"),
    about=gettext_lazy("Fills and credits by number, with who asked, approved and signed."),
    rows=lambda viewer: queries.in_table_order(viewer.house, queries.slips(viewer.house)),
    items=lambda viewer, rows: slip_items(viewer.house, rows),
    order=("-number",),
    filters=filters(
        day=DayFilter(
            "gaming_day", title=gettext_lazy("Gaming day"), about="Of this gaming day only."
        ),
        table=TableFilter(about="Of this table only."),
    ),
    columns=(
        Column(name="number", title=gettext_lazy("Number"), kind="number", style="row-name",
               value=lambda item: item.row.number, order=("number",),
               link=lambda item: item.url),
        Column(name="kind", title=gettext_lazy("Slip"), value=lambda item: item.row.kind,
               display=lambda item: item.kind, order=("kind",)),
        Column(name="table", title=gettext_lazy("Table"), value=lambda item: item.row.table_id,
               display=lambda item: item.row.table.name, order=("place",)),
        Column(name="amount", title=gettext_lazy("Amount"), kind="money",
               value=lambda item: item.row.amount, order=("amount",)),
        _api("sheet"),
        Column(name="reason", title=gettext_lazy("Reason"), style="wide"),
        _api("request"),
        Column(name="asked_by", title=gettext_lazy("Asked by"), style="wide",
               value=lambda item: item.row.asked_by, display=lambda item: item.asked_by),
        _program("asked_at", gettext_lazy("Asked"), kind="moment"),
        Column(name="approved_by", title=gettext_lazy("Approved by"),
               signs={None: DONE_ALONE}, value=lambda item: item.row.approved_by,
               display=lambda item: item.approved_by or str(DONE_ALONE.word)),
        Column(name="issued_at", title=gettext_lazy("Issued"), kind="moment", style="soft wide",
               value=lambda item: item.row.issued_at, order=("issued_at",)),
        _program("gaming_day", gettext_lazy("Gaming day"), kind="day"),
        Column(name="received_by", title=gettext_lazy("Signed at the table"),
               signs={None: ON_THE_WAY}, value=lambda item: item.row.received_by,
               display=lambda item: item.received_by or str(ON_THE_WAY.word)),
        _program("received_at", gettext_lazy("Signed"), kind="moment"),
        _program("position", gettext_lazy("Ledger position"), kind="number"),
    ),
    empty=gettext_lazy(
        "No slip has been issued. A fill or a credit is asked for on a table's cash page."
    ),
    none_such=gettext_lazy("No slip was issued then and there."),
    names_players=False,
)  # fmt: skip


def _slips_of(viewer: Viewer) -> list[RequestedSlip]:
    return queries.slips_to_approve(viewer.house)


REQUESTED_SLIPS: Final = Listing[Any, Any](
    name="slips-asked",
    title=gettext_lazy("Slips asked for"),
    about=gettext_lazy("Fills and credits that nobody has approved yet."),
    rows=_slips_of,
    order=("asked_at", "request"),
    columns=(
        Column(name="kind", title=gettext_lazy("Slip"), style="row-name",
               display=lambda item: str(KINDS[item.kind])),
        Column(name="state", title=gettext_lazy("State"), value=lambda _item: "waits",
               signs={"waits": WAITS}, on=PAGE),
        Column(name="table", title=gettext_lazy("Table")),
        Column(name="amount", title=gettext_lazy("Amount"), kind="money", order=("amount",)),
        Column(name="reason", title=gettext_lazy("Reason"), on=FOR_PEOPLE),
        Column(name="asked_by", title=gettext_lazy("Asked by"), order=("asked_by",)),
        Column(name="asked_at", title=gettext_lazy("Asked"), kind="moment", style="soft wide",
               order=("asked_at",)),
    ),
    empty=gettext_lazy("Nothing is asked for."),
    names_players=False,
)  # fmt: skip


# The list of cash moved between the cage and the house's bank, by number (A3, C1).


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
