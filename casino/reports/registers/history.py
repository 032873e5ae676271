"""
What reports share: rows of a period as of a position, in chunks, and filters.

Names and events are looked up for a whole chunk of lines at once, with a few queries for each
chunk.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar
from uuid import UUID

from django.db.models import F, Max, OuterRef, Q, Subquery, Sum
from django.utils.translation import gettext_lazy

from casino.kit.documents.report import Filter
from casino.play.core.models import RoundRow
from casino.reports.gaming_days.models import GamingDay
from casino.words.presenters import TITLES
from ledger import journal, money
from ledger.accounts import AccountRef, Kind
from ledger.models import Event, Transfer
from ledger.wire import read_event

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import date

    from django.db.models import QuerySet

    from casino.kit.documents.report import Query

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from django.db.models import Model, QuerySet

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Query
    from ledger.wire import StoredEvent

    Rows = TypeVar("Rows", bound=Model)

Row = TypeVar("Row")
CHUNK: Final = 500  # lines looked up together
UUID_TEXT: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def stretch(query: Query) -> tuple[int, int]:
    """
    The first and last position between which all entries of the gaming days lie, both included.

    A day's first entry comes before all entries of later days. After a day was closed, it gets no
    further entries.

    :returns: (0, -1) if there are no entries.
    """
    events = Event.objects.filter(
        establishment=query.house.pk, gaming_day__range=(query.since, query.until)
    )
    first = events.order_by("gaming_day", "position").values_list("position", flat=True).first()
    if first is None:
        return 0, -1
    days = GamingDay.objects.filter(establishment=query.house, day__lte=query.until)
    last = days.order_by("-day").values_list("closed_position", flat=True).first()
    return first, query.through if last is None else min(query.through, last)


def of_period(rows: QuerySet[Rows], query: Query) -> QuerySet[Rows]:
    """The rows of the period's gaming days, through the report's position, in order of position."""
    first, last = stretch(query)
    found = rows.filter(
        establishment=query.house,
        gaming_day__range=(query.since, query.until),
        position__range=(first, last),
    )
    return found.order_by("position")


def rounds(query: Query) -> QuerySet[RoundRow]:
    """Rounds that ended in the period, including void ones, filtered by table and game."""
    of_days = RoundRow.objects.filter(
        establishment=query.house, gaming_day__range=(query.since, query.until)
    )
    rows = journal.between(of_days, through=query.through)
    if table := query.chosen.get("table"):
        rows = rows.filter(table=UUID(table))
    if game := query.chosen.get("game"):
        rows = rows.filter(ruleset=game)
    return rows.order_by("gaming_day", "position")


def not_void(through: int) -> Q:
    """The condition for rounds that no void had cancelled by the position."""
    return Q(voided__isnull=True) | Q(voided__gt=through)


def transfers(query: Query) -> QuerySet[Transfer]:
    """The ledger's transfers of the period, through the position, each with its gaming `day`."""
    first, last = stretch(query)
    return with_gaming_day(query.house, first, last, day__range=(query.since, query.until))


def with_gaming_day(house: Establishment, first: int, last: int, **days: Any) -> QuerySet[Transfer]:
    """Transfers between two positions, each with its gaming `day`; `days` are filters on it."""
    event = Event.objects.filter(establishment=house.pk, position=OuterRef("position"))
    rows = Transfer.objects.filter(establishment=house.pk, position__range=(first, last))
    return rows.annotate(day=Subquery(event.values("gaming_day")[:1])).filter(**days)


UNDONE: Final = Q(reverses__isnull=False)
"""The condition for a transfer that takes back another one."""


def chunks(rows: Iterable[Row], size: int = CHUNK) -> Iterator[list[Row]]:
    """Split rows into lists of at most `size`; a query is read only as far as it is needed."""
    read = rows.iterator(chunk_size=size) if hasattr(rows, "iterator") else rows
    part: list[Row] = []
    for row in read:
        part.append(row)
        if len(part) == size:
            yield part
            part = []
    if part:
        yield part


def events(
    house: Establishment,
    streams: Collection[str],
    types: Collection[str],
    through: int,
    *,
    since: int = 0,
) -> list[StoredEvent]:
    """Events of some types in some streams, through a position, in order. One query."""
    rows = _of_streams(house, streams, through, since=since)
    return _by_stream(house, rows.filter(event_type__in=types))


def of_streams(house: Establishment, streams: Collection[str], through: int) -> list[StoredEvent]:
    """All events of some streams, through a position, in order. One query."""
    return _by_stream(house, _of_streams(house, streams, through)) if streams else []


def at(house: Establishment, positions: Iterable[int | None]) -> list[StoredEvent]:
    """The events at these positions, in order. One query."""
    rows = Event.objects.filter(establishment=house.pk, position__in=list(positions))
    return _read(house, rows.order_by("position"))


def _of_streams(
    house: Establishment, streams: Collection[str], through: int, *, since: int = 0
) -> QuerySet[Event]:
    rows = Event.objects.filter(establishment=house.pk, stream__in=list(streams))
    return journal.between(rows, since, through)


def _by_stream(house: Establishment, rows: QuerySet[Event]) -> list[StoredEvent]:
    """Events in the order of the ledger, sorted here and not in SQL: see `journal.between`."""
    found = _read(house, rows.order_by("stream", "stream_version"))
    return sorted(found, key=attrgetter("position"))


def _read(house: Establishment, rows: QuerySet[Event]) -> list[StoredEvent]:
    found = rows.values_list("position", "body", "leaf_hash")
    return [read_event(house.pk, at, bytes(body), bytes(leaf)) for at, body, leaf in found]


def behind(query: Query, position: int | None) -> bool:
    """Whether something was recorded only after the report's position."""
    return position is not None and position > query.through


def tables(house: Establishment) -> dict[Any, str]:
    """The names of the house's tables, by id."""
    return dict(house.tables.values_list("pk", "name"))


def _tables(house: Establishment) -> Sequence[tuple[str, str]]:
    return [(str(key), name) for key, name in tables(house).items()]


def _games(_house: Establishment) -> Sequence[tuple[str, str]]:
    return [(name, str(title)) for name, title in TITLES.items()]


TABLE: Final = Filter(name="table", title=gettext_lazy("Table"), choices=_tables)
GAME: Final = Filter(name="game", title=gettext_lazy("Game"), choices=_games)


# Coins moved between accounts on each gaming day, by the ledger's transfers; reports compare.


@dataclass(frozen=True, slots=True)
class Moved:
    """
    The coins that one account gave another on one gaming day.

    :param position: of the last event that moved coins between the two.
    """

    day: date
    debit: AccountRef
    credit: AccountRef
    amount: int
    position: int


def moved_on_accounts(query: Query, kind: Kind, names: Collection[str]) -> Iterator[Moved]:
    """The coins that accounts of a kind gave and got, by day and by the other account."""
    rows: QuerySet[Any] = transfers(query)
    for side in ("debit", "credit"):
        of_side = rows.filter(**{f"{side}_kind": kind.value, f"{side}_name__in": names})
        grouped = of_side.annotate(**money.KINDS).values(
            "day", "from_kind", "debit_name", "to_kind", "credit_name"
        )
        for row in grouped.annotate(coins=Sum("amount"), last=Max("position")).order_by("day"):
            yield Moved(
                row["day"],
                AccountRef(Kind(row["from_kind"]), row["debit_name"]),
                AccountRef(Kind(row["to_kind"]), row["credit_name"]),
                int(row["coins"]),
                row["last"],
            )


def net_moved(query: Query, kind: Kind) -> int:
    """The coins that all accounts of a kind got, less those they gave: credits less debits."""
    rows: QuerySet[Any] = transfers(query)
    got = rows.filter(credit_kind=kind.value).aggregate(coins=Sum(F("amount")))["coins"]
    gave = rows.filter(debit_kind=kind.value).aggregate(coins=Sum(F("amount")))["coins"]
    return int(got or 0) - int(gave or 0)
