"""A report with its header, figures and lines, ready to be written in any format."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from casino.engine.processes import memory
from casino.kit.documents.provenance import header
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from casino.kit.documents.provenance import Header
    from casino.kit.documents.report import Column, Figure, Line, Query, Report, Table

LINES_MAX: Final = 200_000  # of all tables of a report; a longer report has to be split
PROGRESS_EVERY: Final = 200  # lines
_TURN: Final = threading.Lock()


class TooLong(Refused):
    """The refusal of a report with more lines than `LINES_MAX` or than its format may have."""

    code = "report_too_long"


def _no_progress(_lines: int) -> None:
    """The default of `on_progress`: does nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """
    A report for one query, with its header, figures and lines.

    :param most: the largest number of lines that may be written.
    :param on_progress: called now and then with the number of lines written; may raise, to stop.
    """

    report: Report
    query: Query
    header: Header
    figures: tuple[Figure, ...]
    most: int = LINES_MAX
    on_progress: Callable[[int], None] = field(default=_no_progress)

    def lines(self) -> Iterator[tuple[Table, Iterator[Line]]]:
        """
        The tables, each with its lines. Read them in this order, and only once.

        :raises TooLong: while lines are read, if there are more than `most`.
        """
        count = 0

        def counted(table: Table) -> Iterator[Line]:
            nonlocal count
            for line in table.lines(self.query):
                if len(line.cells) != len(table.columns):
                    raise AssertionError(f"{table.name}: {len(line.cells)} cells in a line")
                count += 1
                if count > self.most:
                    raise TooLong(
                        f"{self.report.title}: more than {self.most} lines. Ask for fewer days, or"
                        " for one of its filters."
                    )
                if count % PROGRESS_EVERY == 0:
                    self.on_progress(count)
                yield line

        for table in self.report.tables:
            yield table, counted(table)
        self.on_progress(count)


@contextmanager
def in_turn() -> Iterator[None]:
    """
    A context in which a process renders one document at a time; other threads wait.

    Waiting costs nothing, because threads share one interpreter anyway; but several documents at
    once would each keep their memory until all of them are done.
    """
    with _TURN:
        try:
            yield
        finally:
            memory.trim()


class Totals:
    """Adds up the totals of a table while its lines are written."""

    def __init__(self, table: Table) -> None:
        self._places = {at: 0 for at, column in enumerate(table.columns) if column.total}
        self._columns = table.columns

    def take(self, line: Line) -> None:
        for at in self._places:
            value = line.cells[at]
            if value is not None:
                self._places[at] += _whole(value)

    @property
    def by_name(self) -> dict[str, int]:
        return {self._columns[at].name: total for at, total in self._places.items()}


def _whole(value: Any) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is no whole number to add up.")
    return value


def own_position(table: Table) -> bool:
    """Whether the table has a column `position` of its own."""
    return any(column.name == "position" for column in table.columns)


def in_currency(column: Column, symbol: str) -> str:
    """A column's title, with the currency if the column holds coins."""
    return f"{column.title} ({symbol})" if column.kind == "money" else str(column.title)


def make_document(
    report: Report, query: Query, *, asked_by: str, generated_at: datetime
) -> Document:
    return Document(
        report=report,
        query=query,
        header=header(report, query, asked_by=asked_by, generated_at=generated_at),
        figures=tuple(report.figures(query)),
    )
