"""Every report of a filled house: a closed day and its month as pages, a year as files."""

from __future__ import annotations

import io
import time
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db import connection
from django.utils import timezone

from casino.kit.documents import document, writers
from casino.kit.documents.document import TooLong
from casino.kit.documents.report import Query
from casino.kit.documents.writers import FORMATS
from casino.reports.registers import catalogue, params

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Report

YEAR: Final = timedelta(days=params.DAYS_MAX - 1)
WRITTEN: Final = ("json", "csv", "xlsx", "pdf")


def addresses(house: Establishment) -> Iterator[tuple[str, str]]:
    """
    The address of each report as a page: for the last closed day, and for that day's month.

    With each comes a name that is the same for every house.
    """
    day = params.last_closed(house)
    if day is None:
        return
    for report in catalogue.REPORTS:
        yield f"reports/{report.name}/ a day", f"reports/{report.name}/?day={day}"
        yield f"reports/{report.name}/ a month", f"reports/{report.name}/?month={day:%Y-%m}"


@dataclass(frozen=True, slots=True)
class Written:
    """
    A written report.

    :param outcome: its size, or why it was not written.
    """

    seconds: float
    queries: int
    outcome: str


def of_a_year(house: Establishment, *, only: str) -> dict[str, dict[str, Any]]:
    """What each report on the last year costs in each format, as a worker writes it."""
    last = params.last_closed(house)
    found: dict[str, dict[str, Any]] = {}
    for report in catalogue.REPORTS if last else ():
        for form in WRITTEN:
            name = f"reports/{report.name}/ a year, {form}"
            if last and name.startswith(only):
                one = _written(house, report, last, form)
                found[name] = {
                    "ms": 1000 * one.seconds, "queries": one.queries, "wrong": "",
                    "outcome": one.outcome,
                }  # fmt: skip
    return found


def _written(house: Establishment, report: Report, last: date, form: str) -> Written:
    query = Query(
        house=house,
        since=last - YEAR,
        until=last,
        through=params.position_of_projections(house),
        chosen={},
    )
    began, many = time.perf_counter(), 0

    def counted(execute: Any, *asked_for: Any) -> Any:
        """Count queries here, because Django's own log keeps only some thousands."""
        nonlocal many
        many += 1
        return execute(*asked_for)

    with connection.execute_wrapper(counted):
        made = document.make_document(report, query, asked_by="Bench", generated_at=timezone.now())
        try:
            with writers.write(made, FORMATS[form]) as file:
                outcome = f"{file.seek(0, io.SEEK_END) / 1000:,.0f} kB"
        except TooLong as too_long:
            outcome = str(too_long)
    return Written(time.perf_counter() - began, many, outcome)
