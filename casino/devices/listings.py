"""Lists of late entries that were decided, and of gaps in device numbers that were closed (E5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.devices import queries
from casino.devices.models import GapRow, LateRow
from casino.devices.queries import GapCard, LateCard
from casino.languages.messages import translated
from casino.web.listings.columns import FILE, FOR_PEOPLE, Column, Sign, columns_of
from casino.web.listings.filters import ChoiceFilter, DayFilter, TableFilter, filters
from casino.web.listings.listing import Listing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from casino.web.listings.listing import Viewer

STATES: Final = {
    LateRow.State.PUT.value: Sign("well", gettext_lazy("recorded late")),
    LateRow.State.DISMISSED.value: Sign("off", gettext_lazy("dismissed")),
    LateRow.State.DROPPED.value: Sign("alarm", gettext_lazy("dropped")),
}


def late_items(viewer: Viewer, rows: Sequence[LateRow]) -> list[LateCard]:
    return queries.late_cards(viewer.house, rows)


def _entry(card: LateCard) -> str:
    """A late entry in words, for exports."""
    if card.described is None:
        return f"{_('could not be read:')} {card.words}"
    more = "".join(f", {name} {value}" for name, value in card.described.more)
    return f"{card.described.sentence}{more}"


_of_late = columns_of()


LATE_ENTRIES: Final = Listing[LateRow, LateCard](
    name="late-entries-decided",
    title=gettext_lazy("Dealt with"),
    about=gettext_lazy("What devices sent too late, and what became of it."),
    rows=lambda viewer: queries.dealt_with(viewer.house.pk),
    items=late_items,
    order=("-decided_position", "-position"),
    filters=filters(
        day=DayFilter("gaming_day", title=gettext_lazy("Gaming day")),
        table=TableFilter(),
        state=ChoiceFilter(title=gettext_lazy("What became of it"), choices=[
            (value, sign.word) for value, sign in STATES.items()
        ]),
    ),
    columns=(
        _of_late("made_at", title=gettext_lazy("Entered"), kind="moment", style="soft",
                 order=("made_at",)),
        Column(name="table", title=gettext_lazy("Table"), template="devices/_table.html",
               link=lambda card: reverse("floor-log", args=[card.row.game])),
        Column(name="entry", title=gettext_lazy("Entry"), value=_entry,
               template="devices/_entry_in_list.html", style="wide because"),
        Column(name="made_by", title=gettext_lazy("By")),
        _of_late("state", title=gettext_lazy("What became of it"), signs=STATES,
                 template="devices/_decided.html", order=("state",)),
        Column(name="decided_by", title=gettext_lazy("Decided by"), on=FILE),
        _of_late("decided_at", title=gettext_lazy("Decided"), kind="moment", on=FILE),
        Column(name="reason", title=gettext_lazy("Reason"), style="wide because",
               display=lambda card: card.reason or translated(card.refused)),
        _of_late("device", title=gettext_lazy("Device"), on=FILE),
        _of_late("seq", title=gettext_lazy("Number"), kind="number", on=FILE),
    ),
    empty=gettext_lazy(
        "Nothing yet. Each late entry ends here: recorded, dismissed for a reason, or dropped on"
        " its device."
    ),
)  # fmt: skip


def gap_items(viewer: Viewer, rows: Sequence[GapRow]) -> list[GapCard]:
    return queries.gap_cards(viewer.house, rows)


def _numbers(card: GapCard) -> str:
    return f"{card.row.first}\N{EN DASH}{card.row.last}" if card.count > 1 else str(card.row.first)


CLOSED_GAPS: Final = Listing[GapRow, GapCard](
    name="closed-gaps",
    title=gettext_lazy("Closed gaps"),
    about=gettext_lazy("Numbers that devices skipped, and why that is settled."),
    rows=lambda viewer: queries.closed_gaps(viewer.house.pk),
    items=gap_items,
    order=("-position",),
    columns=(
        Column(name="found_at", title=gettext_lazy("Found"), kind="moment", style="soft",
               value=lambda card: card.row.found_at, order=("position",)),
        Column(name="table", title=gettext_lazy("Table"), template="devices/_table.html",
               link=lambda card: reverse("floor-log", args=[card.row.game])),
        Column(name="numbers", title=gettext_lazy("Numbers"), value=_numbers, style="num"),
        Column(name="device", title=gettext_lazy("Device"),
               value=lambda card: card.row.device),
        Column(name="closed_at", title=gettext_lazy("Closed"), kind="moment",
               value=lambda card: card.row.closed_at, order=("closed_at",)),
        Column(name="closed_by", title=gettext_lazy("Closed by"), on=FOR_PEOPLE, style="wide"),
        Column(name="reason", title=gettext_lazy("Reason"), style="wide because",
               value=lambda card: card.reason if card.closed_by
               else _("everything arrived after all")),
    ),
    empty=gettext_lazy("No gap was closed yet."),
)  # fmt: skip
