"""The list of a person's houses, for whoever works at more than a few."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy

from casino.house.attendants import permissions
from casino.house.attendants.models import Role
from casino.house.establishments.models import Establishment
from casino.kit.web.listings.listing import FOR_PEOPLE, Column, Listing, TextFilter, filters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from casino.kit.web.listings.listing import Viewer


@dataclass(frozen=True, slots=True)
class MyHouse:
    """A house that employs the person. :param here: whether they look at it now."""

    house: Establishment
    role: str
    here: bool


def _items(viewer: Viewer, rows: Sequence[Establishment]) -> list[MyHouse]:
    roles = permissions.roles(viewer.person)
    return [
        MyHouse(house, str(Role(roles[house.pk]).label), house.pk == viewer.house.pk)
        for house in rows
    ]


def _with_name(rows: Any, text: str) -> Any:
    return rows.filter(name__icontains=text.strip())


MY_HOUSES: Final = Listing[Establishment, MyHouse](
    name="my-houses",
    title=gettext_lazy("My houses"),
    about=gettext_lazy("The houses at which somebody works, and their role at each."),
    rows=lambda viewer: Establishment.objects.filter(pk__in=permissions.houses(viewer.person)),
    items=_items,
    order=("name", "id"),
    filters=filters(name=TextFilter(title=gettext_lazy("House"), keep=_with_name, on=FOR_PEOPLE)),
    columns=(
        Column(name="name", title=gettext_lazy("House"), value=lambda item: item.house.name,
               order=("name",), template="office/dashboard/_my_house.html", on=FOR_PEOPLE,
               style="row-name"),
        Column(name="role", title=gettext_lazy("Role"), on=FOR_PEOPLE),
        Column(name="time_zone", title=gettext_lazy("Time zone"), on=FOR_PEOPLE,
               value=lambda item: item.house.time_zone, style="soft"),
    ),
    names_players=False,
    section="today",
)  # fmt: skip
