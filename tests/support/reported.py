"""Reports as tests read them: the whole content of a report, and a house to make it of."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from casino.kit.documents.report import Query
from casino.reports.registers import catalogue
from ledger import journal
from tests.support.playing import done, settled

if TYPE_CHECKING:
    import uuid
    from collections.abc import Mapping

    from casino.kit.documents.report import Cell, Report
    from tests.support.builders import House

APART = {"summary", "dice-fairness"}
"""A summary folds an open day from its events; surveillance reports what it knows now."""
REPORTS = {name: report for name, report in catalogue.BY_NAME.items() if name not in APART}
BEFORE, AFTER = date(2026, 11, 1), date(2026, 12, 24)

Content = dict[str, Any]


def query(
    house: House,
    through: int | None = None,
    *,
    since: date = BEFORE,
    until: date = AFTER,
    **chosen: str,
) -> Query:
    """By default everything there is, as of now."""
    return Query(
        house=house.establishment,
        since=since,
        until=until,
        through=journal.head(establishment=house.id) if through is None else through,
        chosen=chosen,
    )


def content(report: Report, wanted: Query) -> Content:
    """All that it says: figures, and every line of every table."""
    return {
        "figures": {each.name: (each.value, each.agrees) for each in report.figures(wanted)},
        **{
            table.name: [(line.cells, line.position, line.address) for line in table.lines(wanted)]
            for table in report.tables
        },
    }


def rows(report: Report, wanted: Query, table: str = "") -> list[dict[str, Cell]]:
    """The lines of a table, cells by the names of their columns."""
    [found] = [each for each in report.tables if table in {"", each.name}][:1]
    names = [column.name for column in found.columns]
    return [dict(zip(names, line.cells, strict=True)) for line in found.lines(wanted)]


def figures(report: Report, wanted: Query) -> Mapping[str, Cell]:
    return {each.name: each.value for each in report.figures(wanted)}


def disagreeing(report: Report, wanted: Query) -> dict[str, Cell]:
    """The figures that do not come out as they must."""
    return {each.name: each.value for each in report.figures(wanted) if each.agrees is False}


def one(name: str, house: House, of: str = "", **chosen: Any) -> dict[str, Any]:
    """The only line of a report's table."""
    [line] = rows(REPORTS[name], query(house, **chosen), of)
    return line


def pick(line: dict[str, Any], *names: str) -> list[Any]:
    return [line[name] for name in names]


def void(at: House, game: uuid.UUID, back_to: int) -> None:
    """Asked for, and approved by somebody else."""
    [requested] = done(at, game, "void", back_to=back_to, reason="Misread.")
    if requested.event_type == "game.void_requested":
        done(at, game, "approve", by=at.supervisor, request=requested.stream_version)
    settled(at)
