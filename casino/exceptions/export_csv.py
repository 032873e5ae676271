"""The exception report as CSV, for spreadsheets (C2)."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone

from casino.exceptions.queries import page
from casino.platform.spreadsheets import plain

if TYPE_CHECKING:
    from casino.establishments.models import Establishment
    from casino.exceptions.lines import Line
    from casino.exceptions.queries import Wanted

COLUMNS: Final = (
    "gaming_day", "recorded_at", "occurred_at", "position", "kind", "control", "late", "what",
    "where", "amount", "asked_by", "decided_by", "alone", "reviewed_by", "in_order", "reason",
    "decision", "event_type", "stream",
)  # fmt: skip
CHUNK: Final = 500  # lines of a CSV read at once


def write_csv(into: Any, house: Establishment, wanted: Wanted) -> None:
    """Every line that is wanted, newest first, times by the house's clock."""
    writer = csv.writer(into)
    writer.writerow(COLUMNS)
    before: int | None = None
    while True:
        lines, before = page(house, wanted, most=CHUNK, before=before)
        writer.writerows(_cells(line) for line in lines)
        if before is None:
            return


def _cells(line: Line) -> list[Any]:
    people = (line.asked_by, line.decided_by, line.reviewed_by)
    asked, decided, reviewed = (plain(each.name) if each else "" for each in people)
    return [
        line.gaming_day,
        timezone.localtime(line.recorded_at).isoformat(),
        timezone.localtime(line.occurred_at).isoformat(),
        line.position,
        line.kind,
        line.control,
        line.late,
        plain(line.what),
        plain(line.where),
        "" if line.amount is None else line.amount,
        asked,
        decided,
        "yes" if line.alone else "no",
        reviewed,
        {None: "", True: "yes", False: "no"}[line.in_order],
        plain(line.reason),
        plain(line.decision),
        line.event_type,
        line.stream,
    ]
