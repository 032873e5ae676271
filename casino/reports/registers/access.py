"""
Access listing (D1): who had which role at the moment of the position, and since when.

The periods for which people had a role come from the ledger. The report's period does not narrow
the listing, because it is of one moment.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.attendants.models import Role
from casino.kit.documents.report import Column, Figure, Filter, Line, Report, Table
from casino.settings.staff import listings
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Query

NEVER: Final = datetime(1900, 1, 1, tzinfo=UTC)


def at(query: Query) -> datetime:
    """When the entry at the report's position was recorded; without an entry, `NEVER`."""
    rows = Event.objects.filter(establishment=query.house.pk, position=query.through)
    return rows.values_list("recorded_at", flat=True).first() or NEVER


def list_access(query: Query) -> list[listings.Access]:
    wanted = query.chosen.get("role")
    rows = listings.access_listing(query.house, at(query))
    return [row for row in rows if wanted in {None, row.role or LEFT}]


LEFT: Final = "left"


def lines(query: Query) -> Iterator[Line]:
    """One line for each period in which somebody had a role; a change of role begins another."""
    for row in list_access(query):
        for spell in row.spells:
            yield Line(
                cells=(
                    str(row.person),
                    row.person.username,
                    str(Role(spell.role).label),
                    spell.since,
                    spell.until,
                    str(Role(row.role).label) if row.role else _("left"),
                    ", ".join(row.factors) or _("none"),
                    row.last_sign_in,
                ),
                address=reverse("person", args=[row.employment.pk]),
            )


def figures(query: Query) -> Sequence[Figure]:
    roles = Counter(row.role for row in list_access(query))
    return (
        Figure(name="as_of", title=_("As of"), value=at(query), kind="moment"),
        *(Figure(name=role.value, title=role.label, value=roles[role]) for role in Role),
        Figure(name=LEFT, title=_("Left"), value=roles[""]),
    )


def _roles(_house: Establishment) -> Sequence[tuple[str, str]]:
    return [*((role.value, str(role.label)) for role in Role), (LEFT, _("left"))]


REPORT: Final = Report(
    name="access",
    title=gettext_lazy("Access listing"),
    about=gettext_lazy(
        "Everybody who had or has a role here, with its spells, second factors and last sign-in, as"
        " of the moment of the position; leavers stay on it."
    ),
    controls=("D1", "D2"),
    filters=(Filter(name="role", title=gettext_lazy("Role"), choices=_roles),),
    figures=figures,
    tables=(
        Table(
            name="access",
            title=gettext_lazy("Access"),
            columns=(
                Column(name="name", title=gettext_lazy("Name")),
                Column(name="username", title=gettext_lazy("Username")),
                Column(name="role", title=gettext_lazy("Role")),
                Column(name="since", title=gettext_lazy("Since"), kind="moment"),
                Column(name="until", title=gettext_lazy("Until"), kind="moment"),
                Column(name="now", title=gettext_lazy("Role then")),
                Column(name="factors", title=gettext_lazy("Second factor")),
                Column(name="last_sign_in", title=gettext_lazy("Last sign-in"), kind="moment"),
            ),
            lines=lines,
            empty=gettext_lazy("Nobody had a role here by then."),
        ),
    ),
)
