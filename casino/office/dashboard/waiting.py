"""Parts of the start page about what waits for somebody, and about exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from casino.kit.approvals import queries as approvals
from casino.kit.approvals.listings import REQUESTS
from casino.kit.web.listings.pages import of_rows
from casino.money.cash import fees
from casino.office.controls import queries as controls
from casino.reports.exceptions import queries as exceptions
from casino.reports.exceptions.listings import EXCEPTIONS

if TYPE_CHECKING:
    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.table import ListTable
    from casino.kit.web.pages import Page

OLDEST: Final = 4
"""How many of the oldest requests the start page shows."""
LINES: Final = 10


def requests(page: Page) -> ListTable:
    """The requests that have waited longest."""
    return of_rows(page, REQUESTS, approvals.all_waiting(page.house.pk)[:OLDEST])


def boxes(house: Establishment) -> list[str]:
    """Tables whose fee box nobody has counted (A5)."""
    return [table.name for table, _coins in fees.boxes_to_count(house)]


def out_of_the_ordinary(page: Page) -> ListTable:
    """The newest lines of the exception report (C2)."""
    newest = exceptions.newest(page.house, LINES)
    return of_rows(page, EXCEPTIONS, newest, without=("amount", "reason"))


def claims() -> dict[str, Any]:
    """How many controls passed in the last run of the tests, and which failed."""
    rows = list(controls.rows())
    return {
        "all": len(rows),
        "passed": sum(row["state"] == "shown" for row in rows),
        "failed": [row["control"].number for row in rows if row["state"] == "failed"],
        "run": controls.last_run(),
    }
