"""The lists of fee boxes: boxes to be counted, boxes by table and day, announced fees (A5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.attendants import permissions
from casino.house.establishments.gaming_day import current
from casino.house.establishments.table_names import in_list_order, in_order
from casino.kit.approvals.queries import names
from casino.kit.web.listings.listing import API, FOR_PEOPLE, PAGE, Column, Listing, Sign
from casino.money.cash import fees
from casino.play.core.queries import games_at
from casino.words.languages import locales
from casino.words.languages.amounts import money
from casino.words.presenters import fees as fee_words

if TYPE_CHECKING:
    from datetime import date
    from uuid import UUID

    from casino.house.establishments.models import Table
    from casino.kit.documents.report import Cell
    from casino.kit.web.listings.listing import Viewer
    from casino.money.cash.models import FeeDay

HIDDEN: Final = gettext_lazy("hidden")
NOT_COUNTED: Final = Sign("wait", gettext_lazy("not counted"))
WAITING: Final = {
    True: Sign("wait", gettext_lazy("one has counted")),
    False: NOT_COUNTED,
}


def sees_boxes(viewer: Viewer) -> bool:
    """Whether a viewer sees what a box should hold: whoever may count does not."""
    return viewer.role not in permissions.ALLOWED["record"]


# --- To be counted --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxItem:
    """
    A box that is to be counted.

    :param expected: what the box should hold; None: hidden from this viewer.
    :param counted_by: name of the person who has counted; None: nobody has yet.
    :param mine: whether the viewer has counted, so that another person must count second.
    """

    table: Table
    expected: int | None
    counted_by: str | None
    mine: bool

    @property
    def place(self) -> tuple[tuple[int, str], ...]:
        return in_order(self.table.name)


def boxes_to_count(viewer: Viewer) -> list[BoxItem]:
    """The boxes with fees in them that nobody has counted."""
    uncounted = fees.boxes_to_count(viewer.house)
    counts = fees.all_running(viewer.house.pk, [table.pk for table, _held in uncounted])
    actors = {
        table: now.first.provenance.actor for table, now in counts.items() if now.first is not None
    }
    people = names(set(actors.values()))
    sees = sees_boxes(viewer)
    return [
        BoxItem(
            table=table,
            expected=held if sees else None,
            counted_by=people[actors[table.pk]] if table.pk in actors else None,
            mine=actors.get(table.pk) == str(viewer.person.pk),
        )
        for table, held in uncounted
    ]


FEE_BOXES: Final = Listing[BoxItem, BoxItem](
    name="fee-boxes-to-count",
    title=gettext_lazy("Fee boxes to be counted"),
    about=gettext_lazy("Boxes with fees in them that nobody has counted."),
    rows=boxes_to_count,
    order=("place",),
    columns=(
        Column(name="table", on=API, value=lambda item: item.table.pk),
        Column(name="name", title=gettext_lazy("Table"), value=lambda item: item.table.name,
               style="row-name", order=("place",)),
        Column(name="state", title=gettext_lazy("State"), signs=WAITING, on=FOR_PEOPLE,
               value=lambda item: item.counted_by is not None),
        Column(name="expected", title=gettext_lazy("Expected"), kind="money",
               display=lambda item: str(HIDDEN) if item.expected is None else item.expected),
        Column(name="counted_by", on=API),
        Column(name="count", title=gettext_lazy("Count"), value=lambda _item: None, on=PAGE,
               template="money/cash/_count_box.html", sees=("record",)),
    ),
    empty=gettext_lazy(
        "Every box is empty or counted. Fees of games lie in their table's box until two people"
        " count it."
    ),
    names_players=False,
)  # fmt: skip


# --- By table and day -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class FeeDayItem:
    """
    A box over a gaming day.

    :param counted_on: the day of the count that covers the row; None: not counted yet.
    :param sees: whether the viewer sees what was taken before it is counted.
    """

    row: FeeDay
    table: str
    counted_on: date | None
    sees: bool

    @property
    def place(self) -> tuple[tuple[int, str], ...]:
        return in_order(self.table)

    @property
    def gaming_day(self) -> date:
        return self.row.gaming_day

    @property
    def taken(self) -> int | None:
        """The fees taken; None: hidden from this viewer."""
        return self.row.taken if self.sees or self.counted_on else None

    def counted(self, name: str) -> int | None:
        """A figure of the count of that day; None: there was no count."""
        return getattr(self.row, name) if self.row.counts else None

    @property
    def over_short(self) -> int | None:
        return self.counted("over_short")


def fee_days(viewer: Viewer) -> list[FeeDayItem]:
    """The fee boxes of the last gaming days, the newest day first."""
    tables = dict(viewer.house.tables.values_list("pk", "name"))
    sees = sees_boxes(viewer)
    return [
        FeeDayItem(
            row=each.row, table=tables[each.row.table], counted_on=each.counted_on, sees=sees
        )
        for each in fees.recent_days(viewer.house, current(viewer.house, timezone.now()))
    ]


def _outcome(item: FeeDayItem) -> Cell:
    if item.over_short is not None:
        return item.over_short
    if item.counted_on is not None:
        return _("counted on %(day)s") % {"day": locales.figures_of_day(item.counted_on)}
    return str(NOT_COUNTED.word)


FEE_DAYS: Final = Listing[FeeDayItem, FeeDayItem](
    name="fee-boxes",
    title=gettext_lazy("Fee boxes"),
    about=gettext_lazy("What fee boxes took, and what counts of them found."),
    rows=fee_days,
    order=("-gaming_day", "place"),
    columns=(
        Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day", style="soft",
               order=("gaming_day",)),
        Column(name="table", title=gettext_lazy("Table"), value=lambda item: item.row.table,
               display=lambda item: item.table, style="row-name", order=("place",)),
        Column(name="taken", title=gettext_lazy("Taken"), kind="money", style="wide",
               display=lambda item: str(HIDDEN) if item.taken is None else item.taken,
               order=("taken",)),
        Column(name="expected", title=gettext_lazy("Expected"), kind="money",
               value=lambda item: item.counted("expected")),
        Column(name="counted", title=gettext_lazy("Counted"), kind="money",
               value=lambda item: item.counted("counted")),
        Column(name="over_short", title=gettext_lazy("Over/short"), kind="money",
               display=_outcome, order=("over_short",), template="money/cash/_fee_outcome.html"),
        Column(name="counted_on", on=API),
    ),
    empty=gettext_lazy(
        "No fee has been taken lately. What a game takes stands here, by table and day. A5"
    ),
    names_players=False,
)  # fmt: skip


# --- As announced ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class FeeItem:
    """The fee of a running game, as it was announced."""

    table: str
    game: UUID
    fee: str

    @property
    def place(self) -> tuple[tuple[int, str], ...]:
        return in_order(self.table)


def fees_announced(viewer: Viewer) -> list[FeeItem]:
    """
    The announced fee of each running game.

    A table has one type of fee; a rake is at most a tenth of the pot.
    """
    house = viewer.house

    tables = in_list_order(house.tables.filter(in_use=True))
    games = games_at(house.pk, tables)
    return [
        FeeItem(
            table=table.name,
            game=loaded.key.game,
            fee=fee_words.describe_fee(loaded.opening.data.get("fee"), money),
        )
        for table in tables
        if (loaded := games.get(table.pk)) is not None
    ]


FEES_ANNOUNCED: Final = Listing[FeeItem, FeeItem](
    name="fees-announced",
    title=gettext_lazy("Fees as announced"),
    about=gettext_lazy("The fee of each game that runs, as it was announced."),
    rows=fees_announced,
    order=("place",),
    columns=(
        Column(name="table", title=gettext_lazy("Table"), style="row-name", order=("place",),
               link=lambda item: reverse("floor-log", args=[item.game])),
        Column(name="fee", title=gettext_lazy("Fee")),
    ),
    empty=gettext_lazy(
        "No game is running. The fee of each game that runs is shown here, as it was announced."
    ),
    names_players=False,
)  # fmt: skip
