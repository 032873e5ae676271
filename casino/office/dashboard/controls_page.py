"""The page of the controls, and their list for it and for files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy

from casino.kit.web.listings.listing import FILE, ChoiceFilter, Column, Listing, filters
from casino.kit.web.listings.pages import page_with_list
from casino.kit.web.pages import office
from casino.office.dashboard.controls import last_run, rows_of_controls

if TYPE_CHECKING:
    from django.http import HttpResponse

    from casino.kit.web.pages import Page

STATES: Final = {
    "shown": gettext_lazy("passed"),
    "failed": gettext_lazy("failed"),
    "not_run": gettext_lazy("not run here"),
}
Row = dict[str, Any]


def _in_state(rows: list[Row], state: str) -> list[Row]:
    return [row for row in rows if (row["state"] or "not_run") == state]


CONTROLS: Final = Listing[Row, Row](
    name="controls",
    title=gettext_lazy("Controls"),
    about=gettext_lazy("What an auditor asks for, where it is met, and the test that shows it."),
    rows=lambda _viewer: list(rows_of_controls()),
    order=("place",),
    filters=filters(
        state=ChoiceFilter(title=gettext_lazy("State"), choices=STATES.items(), keep=_in_state),
    ),
    columns=(
        Column(name="number", title=gettext_lazy("Number"), template="office/controls/_number.html",
               value=lambda row: row["control"].number, order=("place",)),
        Column(name="asked", title=gettext_lazy("Asked for"), style="because",
               value=lambda row: row["control"].asked, template="office/controls/_asked.html"),
        Column(name="met", title=gettext_lazy("Met at"), template="office/controls/_met.html",
               value=lambda row: ", ".join(row["control"].addresses)),
        Column(name="shown", title=gettext_lazy("Shown by"), template="office/controls/_shown.html",
               value=lambda row: row["control"].test),
        Column(name="state", title=gettext_lazy("State"), on=FILE,
               value=lambda row: str(STATES[row["state"] or "not_run"])),
    ),
    names_players=False,
)  # fmt: skip


@office("audit", section="today", from_replica=True)
def all_controls(page: Page) -> HttpResponse:
    rows = list(rows_of_controls())
    context = {
        "rows": rows,
        "run": last_run(),
        "passed": sum(row["state"] == "shown" for row in rows),
        "failed": [row["control"].number for row in rows if row["state"] == "failed"],
    }
    return page_with_list(page, CONTROLS, "office/controls/index.html", context)
