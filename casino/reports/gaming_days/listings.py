"""The lists of gaming days and late entries: on pages, in files, in the API (B4, E3, E5)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, Literal

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.establishments import gaming_day
from casino.kit.approvals.queries import names
from casino.kit.web.listings.listing import (
    EVERYWHERE,
    FOR_PEOPLE,
    FOR_PROGRAMS,
    ChoiceFilter,
    Column,
    Listing,
    Sign,
    columns_of,
    filters,
)
from casino.reports.gaming_days import queries
from casino.reports.gaming_days.models import GamingDay, LateEntry
from casino.words.languages import locales
from casino.words.presenters import event_types

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from casino.kit.web.listings.listing import Viewer

SIGNS: Final = {
    "open": Sign("off", gettext_lazy("open")),
    "closing": Sign("wait", gettext_lazy("being closed")),
    "closed": Sign("well", gettext_lazy("closed")),
}
WHY_LISTED: Final = {
    "late": gettext_lazy("Happened on an earlier gaming day"),
    "booked": gettext_lazy("Booked after its gaming day was closed"),
    "skew": gettext_lazy("Clocks more than 5 s apart"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DayItem:
    """
    A gaming day with names instead of ids.

    :param closed_by: a name, or words that say it was closed automatically; "" while it is open.
    """

    row: GamingDay
    closed_by: str
    signed_by: str


def days(_viewer: Viewer, rows: Sequence[GamingDay]) -> list[DayItem]:
    people = names({row.by for row in rows} | {row.signed_by for row in rows})
    return [
        DayItem(
            row=row,
            closed_by=_("by itself") if row.by == gaming_day.ACTOR else people[row.by],
            signed_by=people[row.signed_by],
        )
        for row in rows
    ]


def _day(
    name: str, title: Any = "", display: Callable[[DayItem], Any] | None = None, **more: Any
) -> Column[DayItem]:
    more.setdefault("on", FOR_PROGRAMS if "order" not in more and display is None else EVERYWHERE)
    return Column(
        name=name, title=title, value=lambda item: getattr(item.row, name), display=display, **more
    )


DAYS: Final = Listing[GamingDay, DayItem](
    name="days",
    title=gettext_lazy("Gaming days"),
    about=gettext_lazy("Every gaming day of the house: how it stands, and what it came to."),
    rows=lambda viewer: queries.rows(viewer.house),
    items=days,
    order=("-day",),
    columns=(
        _day("day", gettext_lazy("Day"), kind="day", order=("day",), style="row-name",
             link=lambda item: reverse("day", args=[item.row.day]),
             template="reports/gaming_days/_day.html"),
        _day("state", gettext_lazy("State"), order=("state",), signs=SIGNS),
        _day("opened_at", gettext_lazy("Opened"), kind="moment"),
        _day("closing_at", gettext_lazy("Closing began"), kind="moment"),
        _day("closing_position", gettext_lazy("Closing began at"), kind="number"),
        _day("rounds", gettext_lazy("Rounds"), kind="number", order=("rounds",)),
        _day("staked", gettext_lazy("Staked"), kind="money", order=("staked",), style="wide"),
        _day("paid", gettext_lazy("Paid"), kind="money", order=("paid",), style="wide"),
        _day("fees", gettext_lazy("Fees"), kind="money", order=("fees",)),
        _day("over_short", gettext_lazy("Over/short"), kind="money", order=("over_short",),
             template="reports/gaming_days/_over_short.html"),
        _day("by", gettext_lazy("Closed by"), lambda item: item.closed_by or None, style="wide"),
        _day("closed_at", gettext_lazy("Closed"), kind="moment"),
        _day("closed_position", gettext_lazy("Ledger position"), kind="number"),
        _day("signed_by", gettext_lazy("Signed by"), lambda item: item.signed_by or None,
             style="wide"),
        _day("signed_at", gettext_lazy("Signed"), kind="moment"),
    ),
    empty=gettext_lazy(
        "Nothing was recorded yet. The first day begins with the first entry: open a table."
    ),
    names_players=False,
    from_replica=True,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class LateItem:
    """
    A late entry, or one whose clock differs.

    :param by: the name of the person who entered it.
    """

    row: LateEntry
    by: str

    @property
    def what(self) -> str:
        return event_types.title(self.row.event_type)

    @property
    def game_log(self) -> str:
        """The address of the log of its game; "" if it belongs to no game."""
        area, _sep, game = self.row.stream.partition("/")
        return reverse("floor-log", args=[game]) if area == "game" else ""

    @property
    def level(self) -> Literal["wait", "alarm"]:
        return "wait" if self.row.kind == LateEntry.Kind.SKEW else "alarm"

    @property
    def why(self) -> str:
        """The reason why the entry is listed, in words."""
        apart = {"length": locales.duration(timedelta(seconds=abs(self.row.seconds)), units=2)}
        day = {"day": locales.short_day(self.row.meant_for)}
        match self.row.kind, self.row.seconds < 0:
            case LateEntry.Kind.SKEW, True:
                return _("clock ahead by %(length)s") % apart
            case LateEntry.Kind.SKEW, False:
                return _("%(length)s behind") % apart
            case LateEntry.Kind.LATE, _ahead:
                return _("late: of %(day)s") % day
            case _:
                return _("booked after %(day)s was closed") % day


def late(_viewer: Viewer, rows: Sequence[LateEntry]) -> list[LateItem]:
    people = names({row.actor for row in rows})
    return [LateItem(row=row, by=people[row.actor]) for row in rows]


_late = columns_of()


LATE: Final = Listing[LateEntry, LateItem](
    name="late-entries",
    title=gettext_lazy("Late entries"),
    about=gettext_lazy("Entries whose time at the table and whose time on record lie apart."),
    rows=lambda viewer: queries.late(viewer.house),
    items=late,
    order=("-position",),
    filters=filters(
        kind=ChoiceFilter(
            title=gettext_lazy("Why listed"), choices=list(WHY_LISTED.items()), on=FOR_PEOPLE
        ),
    ),
    columns=(
        _late("gaming_day", gettext_lazy("Gaming day"), kind="day", on=FOR_PROGRAMS),
        _late("event_type", gettext_lazy("Entry"), display=lambda item: item.what, style="row-name",
              link=lambda item: item.game_log, order=("event_type",)),
        _late("kind", gettext_lazy("Why listed"), display=lambda item: item.why, order=("kind",),
              template="reports/gaming_days/_why.html"),
        _late("meant_for", gettext_lazy("Happened on"), kind="day", on=FOR_PROGRAMS),
        _late("occurred_at", gettext_lazy("At the table"), kind="moment", order=("occurred_at",),
              template="reports/gaming_days/_at_the_table.html"),
        _late("recorded_at", gettext_lazy("On record"), kind="moment", order=("position",),
              template="reports/gaming_days/_on_record.html"),
        _late("seconds", gettext_lazy("Seconds apart"), kind="number", on=FOR_PROGRAMS),
        _late("actor", gettext_lazy("By"), display=lambda item: item.by, style="wide soft"),
        _late("device", gettext_lazy("Device"), style="wide soft"),
        _late("stream", gettext_lazy("Stream"), on=FOR_PROGRAMS),
        _late("position", gettext_lazy("Position"), kind="number", style="wide soft"),
    ),
    empty=gettext_lazy("None: every entry came on the day it happened, by clocks that agree."),
    names_players=False,
    sees=("audit",),
    section="today",
    note=gettext_lazy(
        "What happened on an earlier gaming day than it is on record for, what was booked after its"
        " day was closed, and clocks more than five seconds apart. B4, E3, E5"
    ),
    links=(("days", gettext_lazy("All days")),),
    from_replica=True,
)  # fmt: skip
