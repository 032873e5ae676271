"""
Lists of late entries and of gaps in device numbers (E5).

The page has what waits as cards, and lists what was decided; the API lists both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.kit.web.listings.listing import (
    API,
    FILE,
    FOR_PEOPLE,
    ChoiceFilter,
    Column,
    DayFilter,
    Listing,
    Sign,
    TableFilter,
    columns_of,
    filters,
)
from casino.play.devices import queries
from casino.play.devices.models import GapRow, LateRow
from casino.play.devices.queries import GapCard, LateCard
from casino.words.languages.messages import translate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.db.models import QuerySet
    from django.utils.functional import _StrPromise

    from casino.kit.web.listings.listing import Viewer

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


def _state_filter(choices: Iterable[tuple[str, str | _StrPromise]]) -> ChoiceFilter:
    return ChoiceFilter(title=gettext_lazy("What became of it"), choices=choices)


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
        state=_state_filter((value, sign.word) for value, sign in STATES.items()),
    ),
    columns=(
        _of_late("made_at", title=gettext_lazy("Entered"), kind="moment", style="soft",
                 order=("made_at",)),
        Column(name="table", title=gettext_lazy("Table"), template="play/devices/_table.html",
               link=lambda card: reverse("floor-log", args=[card.row.game])),
        Column(name="entry", title=gettext_lazy("Entry"), value=_entry,
               template="play/devices/_entry_in_list.html", style="wide because"),
        Column(name="made_by", title=gettext_lazy("By"), template="play/devices/_made_by.html"),
        Column(name="taken_over_by", title=gettext_lazy("Taken over by"), on=FILE),
        Column(name="taken_over_why", title=gettext_lazy("Why it was taken over"), on=FILE),
        _of_late("state", title=gettext_lazy("What became of it"), signs=STATES,
                 template="play/devices/_decided.html", order=("state",)),
        Column(name="decided_by", title=gettext_lazy("Decided by"), on=FILE),
        _of_late("decided_at", title=gettext_lazy("Decided"), kind="moment", on=FILE),
        Column(name="reason", title=gettext_lazy("Reason"), style="wide because",
               display=lambda card: card.reason or translate(card.refused)),
        _of_late("device", title=gettext_lazy("Device"), on=FILE),
        _of_late("seq", title=gettext_lazy("Number"), kind="number", on=FILE),
    ),
    empty=gettext_lazy(
        "Nothing yet. Each late entry ends here: recorded, dismissed for a reason, or dropped on"
        " its device."
    ),
)  # fmt: skip


def _person(token: str, name: str) -> dict[str, str] | None:
    return {"id": token, "name": name} if token else None


ALL_LATE_ENTRIES: Final = Listing[LateRow, LateCard](
    name="device-late-entries",
    title=gettext_lazy("Late entries"),
    about=LATE_ENTRIES.about,
    rows=lambda viewer: queries.late_entries(viewer.house.pk),
    items=late_items,
    order=("-position",),
    filters=filters(
        day=DayFilter("gaming_day", title=gettext_lazy("Gaming day")),
        table=TableFilter(),
        state=_state_filter([
            (LateRow.State.WAITING.value, gettext_lazy("waiting")),
            *((value, sign.word) for value, sign in STATES.items()),
        ]),
    ),
    columns=(
        _of_late("game", on=API),
        _of_late("number", on=API),
        _of_late("position", on=API),
        Column(name="table", on=API, value=lambda card: card.row.table_id),
        _of_late("device", on=API),
        _of_late("seq", on=API),
        _of_late("term", on=API),
        _of_late("why", on=API),
        Column(name="entry", on=API, value=_entry),
        Column(name="command", on=API),
        Column(name="made_by", on=API,
               value=lambda card: _person(card.row.made_by, card.made_by)),
        _of_late("made_at", on=API, order=("made_at",)),
        Column(name="taken_over_by", on=API,
               value=lambda card: _person(card.row.taken_over_by, card.taken_over_by)),
        Column(name="taken_over_why", on=API),
        _of_late("listed_at", on=API),
        _of_late("gaming_day", on=API),
        _of_late("state", on=API, order=("state",)),
        _of_late("tries", on=API),
        Column(name="refused", on=API, value=lambda card: translate(card.refused)),
        Column(name="decided_by", on=API,
               value=lambda card: _person(card.row.decided_by, card.decided_by)),
        _of_late("decided_at", on=API),
        _of_late("decided_position", on=API),
        Column(name="reason", on=API),
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
    rows=lambda viewer: queries.gaps_over(viewer.house.pk),
    items=gap_items,
    order=("-position",),
    columns=(
        Column(name="found_at", title=gettext_lazy("Found"), kind="moment", style="soft",
               value=lambda card: card.row.found_at, order=("position",)),
        Column(name="table", title=gettext_lazy("Table"), template="play/devices/_table.html",
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


GAP_STATES: Final = {"open": gettext_lazy("open"), "closed": gettext_lazy("closed")}

_of_gap = columns_of()


def _in_state(rows: QuerySet[GapRow], state: str) -> QuerySet[GapRow]:
    return rows.filter(open=state == "open")


ALL_GAPS: Final = Listing[GapRow, GapCard](
    name="device-gaps",
    title=gettext_lazy("Gaps"),
    about=CLOSED_GAPS.about,
    rows=lambda viewer: queries.gaps(viewer.house.pk),
    items=gap_items,
    order=("-position",),
    filters=filters(
        day=DayFilter("gaming_day", title=gettext_lazy("Gaming day")),
        table=TableFilter(),
        state=ChoiceFilter(
            title=gettext_lazy("State"), choices=GAP_STATES.items(), keep=_in_state
        ),
    ),
    columns=(
        _of_gap("game", on=API),
        _of_gap("number", on=API),
        _of_gap("position", on=API),
        Column(name="table", on=API, value=lambda card: card.row.table_id),
        _of_gap("device", on=API),
        _of_gap("first", on=API),
        _of_gap("last", on=API),
        Column(name="missing", on=API, value=lambda card: card.missing),
        Column(name="held_by", on=API,
               value=lambda card: _person(card.row.held_by, card.held_by)),
        _of_gap("found_at", on=API),
        _of_gap("gaming_day", on=API),
        _of_gap("open", on=API),
        Column(name="closed_by", on=API,
               value=lambda card: _person(card.row.closed_by, card.closed_by)),
        _of_gap("closed_at", on=API, order=("closed_at",)),
        Column(name="reason", on=API),
    ),
)  # fmt: skip
