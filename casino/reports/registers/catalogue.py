"""
Every report that the house can write, in the order of the index.

A report is a `Report` in a module of `casino.reports.registers`, beside those of the same subject;
it is added here, at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.reports.registers import (
    access,
    cash_log,
    corrections,
    dice,
    games,
    late,
    owed,
    payouts,
    scoreboard,
    summary,
    table_cash,
)
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.kit.documents.report import Report

REPORTS: Final[tuple[Report, ...]] = (
    summary.REPORT,
    games.ROUNDS,
    payouts.REPORT,
    owed.POTS,
    table_cash.FEES,
    table_cash.INVENTORY,
    games.GAMES,
    dice.HOME_THROWS,
    scoreboard.REPORT,
    owed.UNCLAIMED,
    cash_log.REPORT,
    corrections.DISPUTES,
    corrections.VOIDS,
    late.LATE_ENTRIES,
    late.GAPS,
    corrections.REGRADES,
    dice.INVENTORY,
    dice.FAIRNESS,
    access.REPORT,
)
BY_NAME: Final[Mapping[str, Report]] = {report.name: report for report in REPORTS}


class NoReport(Refused):
    """There is no report of that name."""

    code = "no_report"


def report(name: str) -> Report:
    """
    The report of that name.

    :raises NoReport: if no report has that name.
    """
    if name not in BY_NAME:
        raise NoReport(f"There is no report {name}; there are {', '.join(BY_NAME)}.")
    return BY_NAME[name]
