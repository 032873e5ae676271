"""The house that a signed-in person currently looks at: one of those that employ them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.house.attendants import permissions
from casino.house.establishments.models import Establishment

if TYPE_CHECKING:
    from django.http import HttpRequest

CHOSEN = "house"


class NoHouse(permissions.NotYours):
    """The refusal of a person whom no house employs now."""


def house_of(request: HttpRequest) -> Establishment:
    """
    The house chosen last, or the first by name.

    :raises NoHouse: if no house employs the person.
    """
    mine = Establishment.objects.filter(pk__in=permissions.houses(request.user))
    wanted = request.session.get(CHOSEN)
    chosen = (mine.filter(pk=wanted).first() if wanted else None) or mine.first()
    if chosen is None:
        raise NoHouse("No house employs you. A manager takes you on. D1")
    return chosen


def choose(request: HttpRequest, establishment: Establishment) -> None:
    request.session[CHOSEN] = str(establishment.pk)
