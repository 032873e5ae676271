"""The list of controls, for its page and exports."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext_lazy

from casino.kit.web.listings.columns import FILE, Column
from casino.kit.web.listings.filters import ChoiceFilter, filters
from casino.kit.web.listings.listing import Listing
from casino.office.dashboard.controls import queries

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
    rows=lambda _viewer: list(queries.rows()),
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
