"""
What reports share: rows of a period as of a position, in chunks, and filters.

A chunk has as many lines as are looked up together: their names and events take the same few
queries, however many lines there are.
"""

from __future__ import annotations

import re
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar
from uuid import UUID

from django.db.models import OuterRef, Q, Subquery
from django.utils.translation import gettext_lazy

from casino.documents.report import Filter
from casino.gaming_days.models import GamingDay
from casino.play.round_models import RoundRow
from casino.presenters import TITLES
from ledger import journal
from ledger.models import Event, Transfer
from ledger.wire import read_event

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from django.db.models import Model, QuerySet

    from casino.documents.report import Query
    from casino.establishments.models import Establishment
    from ledger.wire import StoredEvent

    Rows = TypeVar("Rows", bound=Model)

Row = TypeVar("Row")
CHUNK: Final = 500  # lines looked up together
UUID_TEXT: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def stretch(query: Query) -> tuple[int, int]:
    """
    Between which positions everything of the gaming days lies, both included; nothing: (0, -1).

    A day's first entry comes before any of a later day, and none of its own after it is closed.
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
    """Those with a gaming day and a position, of the days and through the position, in order."""
    first, last = stretch(query)
    found = rows.filter(
        establishment=query.house,
        gaming_day__range=(query.since, query.until),
        position__range=(first, last),
    )
    return found.order_by("position")


def rounds(query: Query) -> QuerySet[RoundRow]:
    """Rounds that ended in the period, void ones too, filtered by table and game."""
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
    """Rounds that no void had cancelled by then."""
    return Q(voided__isnull=True) | Q(voided__gt=through)


def transfers(query: Query) -> QuerySet[Transfer]:
    """The ledger's own, of the days and through the position; each with its gaming `day`."""
    first, last = stretch(query)
    return dated(query.house, first, last, day__range=(query.since, query.until))


def dated(house: Establishment, first: int, last: int, **days: Any) -> QuerySet[Transfer]:
    """Those of a stretch of the ledger, each with its gaming `day`; of some days, as they say."""
    event = Event.objects.filter(establishment=house.pk, position=OuterRef("position"))
    rows = Transfer.objects.filter(establishment=house.pk, position__range=(first, last))
    return rows.annotate(day=Subquery(event.values("gaming_day")[:1])).filter(**days)


UNDONE: Final = Q(reverses__isnull=False)
"""Of a transfer: it takes another one back."""


def chunks(rows: Iterable[Row], size: int = CHUNK) -> Iterator[list[Row]]:
    """Lists of so many, one after the other; a query is read as it is needed."""
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
    """What happened of some kinds in some streams, through a position, in order. One query."""
    rows = _of_streams(house, streams, through, since=since)
    return _by_stream(house, rows.filter(event_type__in=types))


def of_streams(house: Establishment, streams: Collection[str], through: int) -> list[StoredEvent]:
    """All that happened in some streams, through a position, in order. One query."""
    return _by_stream(house, _of_streams(house, streams, through)) if streams else []


def at(house: Establishment, positions: Iterable[int | None]) -> list[StoredEvent]:
    """The events at these positions, in order. One query for them."""
    rows = Event.objects.filter(establishment=house.pk, position__in=list(positions))
    return _read(house, rows.order_by("position"))


def _of_streams(
    house: Establishment, streams: Collection[str], through: int, *, since: int = 0
) -> QuerySet[Event]:
    rows = Event.objects.filter(establishment=house.pk, stream__in=list(streams))
    return journal.between(rows, since, through)


def _by_stream(house: Establishment, rows: QuerySet[Event]) -> list[StoredEvent]:
    """In the order of the ledger, put into it here: see `journal.between`."""
    found = _read(house, rows.order_by("stream", "stream_version"))
    return sorted(found, key=attrgetter("position"))


def _read(house: Establishment, rows: QuerySet[Event]) -> list[StoredEvent]:
    found = rows.values_list("position", "body", "leaf_hash")
    return [read_event(house.pk, at, bytes(body), bytes(leaf)) for at, body, leaf in found]


def behind(query: Query, position: int | None) -> bool:
    """Whether something that has come about had not by then."""
    return position is not None and position > query.through


def tables(house: Establishment) -> dict[Any, str]:
    """What the house's tables are called, by id."""
    return dict(house.tables.values_list("pk", "name"))


def _tables(house: Establishment) -> Sequence[tuple[str, str]]:
    return [(str(key), name) for key, name in tables(house).items()]


def _games(_house: Establishment) -> Sequence[tuple[str, str]]:
    return [(name, str(title)) for name, title in TITLES.items()]


TABLE: Final = Filter(name="table", title=gettext_lazy("Table"), choices=_tables)
GAME: Final = Filter(name="game", title=gettext_lazy("Game"), choices=_games)
