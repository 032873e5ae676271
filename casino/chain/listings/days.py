"""The list of the gaming days of one house, for people of its chain: figures alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy

from casino.kit.web.listings.columns import FOR_PROGRAMS, Column, Sign
from casino.kit.web.listings.listing import Listing
from casino.reports.gaming_days.models import GamingDay

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from casino.kit.web.listings.listing import Viewer

DAY_SIGNS: Final = {
    "open": Sign("off", gettext_lazy("open")),
    "closing": Sign("wait", gettext_lazy("being closed")),
    "closed": Sign("well", gettext_lazy("closed")),
}


def _days(viewer: Viewer) -> QuerySet[GamingDay]:
    """The days of a house, if it is of the person's chain; figures only, and no names."""
    rows = GamingDay.objects.filter(establishment=viewer.house)
    if viewer.person.chain is None:
        return rows.none()
    return rows.filter(establishment__chain_house__chain=viewer.person.chain)


DAYS: Final = Listing[GamingDay, GamingDay](
    name="chain-days",
    title=gettext_lazy("Gaming days"),
    about=gettext_lazy("The gaming days of a house of the chain, and what each came to."),
    rows=_days,
    order=("-day",),
    columns=(
        Column(name="day", title=gettext_lazy("Day"), kind="day", order=("day",),
               style="row-name"),
        Column(name="state", title=gettext_lazy("State"), signs=DAY_SIGNS),
        Column(name="rounds", title=gettext_lazy("Rounds"), kind="number"),
        Column(name="staked", title=gettext_lazy("Turnover"), kind="money"),
        Column(name="paid", title=gettext_lazy("Paid"), kind="money"),
        Column(name="fees", title=gettext_lazy("Fees"), kind="money"),
        Column(name="over_short", title=gettext_lazy("Over/short"), kind="money"),
        Column(name="closed_at", title=gettext_lazy("Closed"), kind="moment", style="soft"),
        Column(name="closed_position", title=gettext_lazy("Ledger position"), kind="number",
               on=FOR_PROGRAMS),
    ),
    empty=gettext_lazy("No gaming day yet. Each stands here from its first entry on."),
    names_players=False,
    sees=("audit",),
    section="chain-houses",
)  # fmt: skip
