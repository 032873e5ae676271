"""
Who may do what: a role at a house, and what that role allows (controls D1, D1b).

Django's own permissions are not asked: they let a superuser do anything, and here a superuser
has no business with play or money. What counts is the employment, house by house.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from django.core.exceptions import PermissionDenied

from casino.attendants.models import Attendant, Employment, Role

if TYPE_CHECKING:
    from uuid import UUID

    from django.contrib.auth.models import AnonymousUser
    from django.http import HttpRequest

    from casino.establishments.models import Establishment

Act = Literal["look", "record", "approve", "configure", "audit"]

ALLOWED: dict[Act, frozenset[str]] = {
    "look": frozenset(Role.values),
    "record": frozenset({Role.ATTENDANT, Role.SUPERVISOR, Role.MANAGER}),
    "approve": frozenset({Role.SUPERVISOR, Role.MANAGER}),
    "configure": frozenset({Role.MANAGER}),
    "audit": frozenset({Role.MANAGER, Role.AUDITOR}),
}


class NotYours(PermissionDenied):
    """The role one has at this house does not allow it."""


def person_of(request: HttpRequest) -> Attendant:
    """
    Who is signed in.

    :raises NotYours: if nobody is.
    """
    if not isinstance(request.user, Attendant):
        raise NotYours("Sign in first. D1")
    return request.user


def roles(person: Attendant | AnonymousUser) -> dict[UUID, str]:
    """The role of a person at each house that employs them now."""
    if not person.is_authenticated or not person.is_active:
        return {}
    employed = Employment.objects.filter(attendant=person, until__isnull=True)
    return dict(employed.values_list("establishment_id", "role"))


def houses(person: Attendant | AnonymousUser, act: Act = "look") -> list[UUID]:
    """The houses at which a person may do this, in a stable order."""
    return sorted(house for house, role in roles(person).items() if role in ALLOWED[act])


def may(person: Attendant | AnonymousUser, act: Act, establishment: UUID) -> bool:
    return roles(person).get(establishment) in ALLOWED[act]


def require(person: Attendant | AnonymousUser, act: Act, establishment: Establishment) -> None:
    """
    Let a person go on only if their role at the house allows it.

    :raises NotYours: naming the act and the house.
    """
    if not may(person, act, establishment.pk):
        raise NotYours(f"Your role at {establishment} does not let you {act}. D1")
