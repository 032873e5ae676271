"""A report with its header (E6), figures and lines, ready to be written in any format."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _

from casino.engine.processes import memory
from casino.engine.processes.version import VERSION
from casino.house.acts.game_streams.catalogue import RULESETS
from casino.words.languages.spreadsheets import in_base64
from games.refusals import Refused
from ledger import tiles as ledger_tiles
from ledger.tiles import WIDTH, Tiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import date, datetime
    from uuid import UUID

    from casino.kit.documents.report import Column, Figure, Line, Query, Report, Table
    from ledger.verify import Range

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
        header=make_header(report, query, asked_by=asked_by, generated_at=generated_at),
        figures=tuple(report.figures(query)),
    )


# The header of every report (E6): house, days, when, by whom and by which software it was made, the
# position of the ledger as of which it holds, and the tree's root at that position.


AT_ONCE: Final = 16 * WIDTH  # leaves that are read at once if no tiles are stored for them


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """
    The header of a report: what it covers, and from which data and software it was made.

    :param since: the first gaming day; `until`: the last.
    :param rules: the version of each game's rules that this software plays by.
    :param position: the ledger position as of which the report holds; -1: nothing is recorded yet.
    :param root: the root of the ledger's tree through that position (RFC 6962), in base64, as in
        checkpoints.
    :param asked_by: a person's name; "" if the house prepared the report by itself.
    :param filters: the values of its filters, by name.
    """

    report: str
    title: str
    establishment: UUID
    house: str
    currency_code: str
    currency: str
    currency_symbol: str
    coin_digits: int
    time_zone: str
    since: date
    until: date
    generated_at: datetime
    software: str
    rules: Mapping[str, int]
    position: int
    root: str
    asked_by: str
    filters: Mapping[str, str]

    def as_json(self) -> dict[str, Any]:
        """The header as files contain it: flat, except for `rules` and `filters`."""
        return {
            "establishment": str(self.establishment),
            "house": self.house,
            "currency_code": self.currency_code,
            "currency": self.currency,
            "currency_symbol": self.currency_symbol,
            "coin_digits": self.coin_digits,
            "time_zone": self.time_zone,
            "from": self.since.isoformat(),
            "to": self.until.isoformat(),
            "generated_at": timezone.localtime(self.generated_at).isoformat(),
            "software": self.software,
            "rules": dict(self.rules),
            "position": self.position,
            "root": self.root,
            "asked_by": self.asked_by,
            "filters": dict(self.filters),
        }

    @property
    def who(self) -> str:
        return self.asked_by or _("the house, by itself")


def make_header(report: Report, query: Query, *, asked_by: str, generated_at: datetime) -> Header:
    house = query.house
    return Header(
        report=report.name,
        title=str(report.title),
        establishment=house.pk,
        house=house.name,
        currency_code=house.currency_code,
        currency=house.currency,
        currency_symbol=house.currency_symbol,
        coin_digits=house.coin_digits,
        time_zone=house.time_zone,
        since=query.since,
        until=query.until,
        generated_at=generated_at,
        software=VERSION,
        rules={each.id: each.version for each in RULESETS},
        position=query.through,
        root=in_base64(ledger_root(house.pk, query.through + 1)),
        asked_by=asked_by,
        filters=dict(sorted(query.chosen.items())),
    )


def ledger_root(establishment: UUID, size: int) -> bytes:
    """
    The Merkle root over a ledger's first `size` events, whether it was signed at that size or not.

    It is computed from the stored tiles. Leaves after the last stored tile are hashed from event
    bodies: few if the tree is up to date, the whole ledger if there is no tree.
    """
    tiles = Tiles(establishment)
    stored = tiles.full() * WIDTH
    if size < stored + WIDTH:
        return tiles.root(size)
    grown: Range = ledger_tiles.peaks(0, stored, tiles.hash_of)
    while grown.size < size:
        grown.extend(tiles.leaves(grown.size, min(AT_ONCE, size - grown.size)))
    return grown.root()
