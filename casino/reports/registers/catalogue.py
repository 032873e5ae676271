"""
Every report that the house can write, in the order of the index.

A module of `casino.reports.registers` is one report; it is added here, at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.reports.registers import (
    access,
    cash_log,
    dice_inventory,
    disputes,
    fairness,
    fees,
    games,
    gaps,
    home_throws,
    inventory,
    late,
    payouts,
    pots,
    regrade,
    rounds,
    scoreboard,
    summary,
    unclaimed,
    voids,
)
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.kit.documents.report import Report

REPORTS: Final[tuple[Report, ...]] = (
    summary.REPORT,
    rounds.REPORT,
    payouts.REPORT,
    pots.REPORT,
    fees.REPORT,
    inventory.REPORT,
    games.REPORT,
    home_throws.REPORT,
    scoreboard.REPORT,
    unclaimed.REPORT,
    cash_log.REPORT,
    disputes.REPORT,
    voids.REPORT,
    late.REPORT,
    gaps.REPORT,
    regrade.REPORT,
    dice_inventory.REPORT,
    fairness.REPORT,
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
