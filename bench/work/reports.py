"""Writes reports: the same lines in each format, and the explained payouts of a filled house."""

from __future__ import annotations

import csv
import io
import resource
import time
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.utils import timezone

from casino.house.establishments.models import Establishment
from casino.kit.documents import document, writers
from casino.kit.documents.report import Column, Line, Query, Report, Table
from casino.kit.documents.writers import FORMATS
from casino.play.settlement.models import Payout
from casino.reports.registers import catalogue
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Iterator

BEGAN: Final = datetime(2026, 11, 1, 12, tzinfo=UTC)
BECAUSE: Final = "Bo finished with 8, the lowest of the round, and takes the pot (TA1)."
PLAIN: Final = "csv alone"


def lines(count: int) -> Iterator[Line]:
    for at in range(count):
        moment = BEGAN + timedelta(seconds=at)
        yield Line(
            cells=(moment.date(), moment, f"Table {at % 9}", "Threes Away", at % 30,
                   f"Player {at % 200}", at % 500, BECAUSE),
            position=at,
        )  # fmt: skip


COLUMNS: Final = (
    Column(name="gaming_day", title="Gaming day", kind="day"),
    Column(name="at", title="At", kind="moment"),
    Column(name="table", title="Table"),
    Column(name="game", title="Game"),
    Column(name="round", title="Round", kind="number"),
    Column(name="player", title="Player"),
    Column(name="amount", title="Amount", kind="money", total=True),
    Column(name="because", title="Because"),
)


def forms(*, house: str, count: int) -> dict[str, dict[str, float]]:
    """Seconds and bytes of each format, and of the same lines with only the csv module."""
    table = Table(name="t", title="Lines", columns=COLUMNS, lines=lambda _query: lines(count))
    report = Report(name="bench", title="Bench", about="", controls=(), tables=(table,))
    day = date(2026, 11, 1)
    query = Query(house=_house(house), since=day, until=day, through=-1)
    made = document.make_document(report, query, asked_by="Bench", generated_at=timezone.now())
    found = {PLAIN: _timed(lambda: _alone(count))}
    for name, form in FORMATS.items():
        found[name] = _timed(lambda form=form: _written(made, form))
    return found


def payouts(*, house: str) -> dict[str, float]:
    """The report of all payouts of a house, as JSON: seconds, lines, and the process's memory."""
    here = _house(house)
    days = Payout.objects.filter(establishment=here).order_by("gaming_day")
    first, last = days.values_list("gaming_day", flat=True)[0], days.reverse()[0].gaming_day
    query = Query(house=here, since=first, until=last, through=journal.head(establishment=here.pk))
    began = time.perf_counter()
    report = catalogue.report("payouts")
    made = document.make_document(report, query, asked_by="Bench", generated_at=timezone.now())
    with writers.write(made, FORMATS["json"]) as file:
        written = file.read().count(b'"position":') - 1  # minus that in the header
    seconds = time.perf_counter() - began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "lines": written, "MB": memory}


def _house(house: str) -> Establishment:
    return Establishment.objects.get(pk=UUID(house))


def _written(made: document.Document, form: writers.Format) -> int:
    with writers.write(replace(made, most=document.LINES_MAX), form) as file:
        return file.seek(0, io.SEEK_END)


def _alone(count: int) -> int:
    text = io.StringIO()
    csv.writer(text).writerows((*line.cells, line.position) for line in lines(count))
    return len(text.getvalue())


def _timed(write: Any) -> dict[str, float]:
    began = time.perf_counter()
    size = write()
    return {"seconds": time.perf_counter() - began, "bytes": size}
