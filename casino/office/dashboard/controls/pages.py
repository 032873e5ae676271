"""The page of the controls that the house claims, each with the test that proves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.kit.web.listings.pages import page_with_list
from casino.kit.web.pages import office
from casino.office.dashboard.controls import queries as controls
from casino.office.dashboard.controls.listings import CONTROLS

if TYPE_CHECKING:
    from django.http import HttpResponse

    from casino.kit.web.pages import Page


@office("audit", section="today", from_replica=True)
def all_controls(page: Page) -> HttpResponse:
    rows = list(controls.rows())
    context = {
        "rows": rows,
        "run": controls.last_run(),
        "passed": sum(row["state"] == "shown" for row in rows),
        "failed": [row["control"].number for row in rows if row["state"] == "failed"],
    }
    return page_with_list(page, CONTROLS, "office/controls/index.html", context)
