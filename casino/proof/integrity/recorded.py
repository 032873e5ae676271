"""
Checks configuration and staff: compares every row with the newest event that wrote it (C2).

All changes go through `casino.house.acts.changes`, which records an event with the whole row before
and after. So each row must equal the last ``after`` for its id, with the changes that other events
have made since, for example steps of dice. Rows that no event wrote, missing rows and columns with
another value are reported, in every table.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from casino.house.acts import changes
from casino.house.game_streams import occupancy
from casino.play.dice.models import DiceSet
from casino.play.dice.projections import IN_GAMES
from ledger.checking.findings import Finding, Step
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django.db.models import Model, QuerySet

    from ledger.checking.book import Book
    from ledger.checking.findings import Place

TOGETHER: Final = 100  # streams that one query reads
FORMS: Final = frozenset({"setting_up"})
"""
Columns with the place in a setup form. They are not compared until an event says that the setup is
done; from then on they must be empty.
"""


@dataclass(frozen=True, slots=True)
class Written:
    """A row as its events leave it. :param position: the position of the newest event."""

    position: int
    row: Mapping[str, Any]


def check(book: Book, place: Place) -> Iterator[Step]:
    """The check of recorded rows, one table per step. :param place: ``tables``, how many done."""
    done: int = place.get("tables", 0)
    for number, model in enumerate(changes.models_in_ledger()[done:], done + 1):
        with book.moment():
            found = list(_table(book, model))
        yield Step(found, {"tables": number})


def _table(book: Book, model: type[Model]) -> Iterator[Finding]:
    table, written = model._meta.db_table, _rows_of_events(book, model)  # noqa: SLF001 - documented API
    try:
        there = {str(thing.pk): changes.state_of(thing) for thing in _rows(book, model)}
    except (ValueError, TypeError) as error:
        yield Finding(
            check="record", says=f"A row of {table} cannot be read: {error}", row={"table": table}
        )
        return
    for key in sorted(written.keys() | there.keys()):
        yield from _row(table, key, written.get(key), there.get(key))


def _rows(book: Book, model: type[Model]) -> QuerySet[Any]:
    return changes.rows_at(book.establishment, model).using(book.using).order_by()


def _row(
    table: str, key: str, written: Written | None, there: Mapping[str, Any] | None
) -> Iterator[Finding]:
    row = {"table": table, "id": key}
    if written is None:
        sentence = f"The row {key} of {table} was written by no event."
        yield Finding(check="record", says=sentence, row=row)
    elif there is None:
        yield Finding(
            check="record", first=written.position, row=row,
            says=f"The row {key} of {table} is missing: the event at position {written.position}"
            " wrote it.",
        )  # fmt: skip
    else:
        for name in sorted(there.keys() & written.row.keys()):
            expected, found = written.row[name], there[name]
            if found != expected and not (name in FORMS and expected):
                yield Finding(
                    check="record", first=written.position, row=row, column=name,
                    says=f"The {name} of row {key} of {table} is not what the event at position"
                    f" {written.position} says.",
                    expected=expected, found=found,
                )  # fmt: skip


def _rows_of_events(book: Book, model: type[Model]) -> Mapping[str, Written]:
    """Id -> the row as events have it. Columns that are newer than its events are missing."""
    written: dict[str, Written] = {}
    record = changes.record_stream(changes.kind_of(model()))
    of_house = Event.objects.using(book.using).filter(establishment=book.establishment)
    for position, data in _changes(of_house.filter(stream=record).order_by("stream_version")):
        before = written[data["id"]].row if data["id"] in written else {}
        written[data["id"]] = Written(position, {**before, **(data["after"] or {})})
    if model is DiceSet:
        for position, data in _steps(of_house, list(written)):
            known = written.get(data["dice_set"])
            if known is not None and known.position < position and changes.ROW in data:
                row = {**known.row, **data[changes.ROW]}
                written[data["dice_set"]] = Written(position, row)
    return written


def _steps(of_house: QuerySet[Event], sets: list[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The events about dice sets outside games, set by set: positions and data."""
    streams = [occupancy.dice_stream(each) for each in sets]
    for begin in range(0, len(streams), TOGETHER):
        rows = of_house.filter(stream__in=streams[begin : begin + TOGETHER])
        yield from _changes(rows.exclude(event_type__in=IN_GAMES).order_by("position"))


def _changes(events: QuerySet[Event]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Positions and data of events about changes; the check of events reports broken bodies."""
    for position, body in events.values_list("position", "body").iterator():
        try:
            data = json.loads(bytes(body))["data"]
            known = {"id", "after"} <= data.keys() or "dice_set" in data
        except (ValueError, LookupError, TypeError, AttributeError):
            continue
        if known:
            yield position, data
