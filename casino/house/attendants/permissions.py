"""
Permissions: what a person's role at a house allows (controls D1, D1b, D2).

Django's own permissions are not used: they let a superuser do anything, and here a superuser may do
nothing with play or money. What counts is the employment at the house; approving and configuring
also need a second factor (`docs/decisions/0020-sign-in.md`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple
from uuid import UUID

from django.conf import settings
from django.core.exceptions import PermissionDenied

from casino.house.attendants.models import Attendant, Employment, Factor, Role
from casino.house.establishments.clock import Shown
from ledger import keyed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.contrib.auth.models import AnonymousUser
    from django.http import HttpRequest

    from casino.house.establishments.models import Establishment

Act = Literal["look", "record", "approve", "configure", "audit"]

ALLOWED: dict[Act, frozenset[str]] = {
    "look": frozenset(Role.values),
    "record": frozenset({Role.ATTENDANT, Role.SUPERVISOR, Role.MANAGER}),
    "approve": frozenset({Role.SUPERVISOR, Role.MANAGER}),
    "configure": frozenset({Role.MANAGER}),
    "audit": frozenset({Role.MANAGER, Role.AUDITOR}),
}
TWICE_PROVEN: Final[frozenset[Act]] = frozenset({"approve", "configure"})
"""Acts on money and configuration: they need a second factor (D2)."""
REQUIRED: Final = "required"
"""The value of ``SECOND_FACTOR`` under which nobody approves or configures without one."""


class Work(NamedTuple):
    """
    What an employment says.

    :param player: the token of the player as whom the person plays there; "" if they do not play.
    :param house: how the house shows times and amounts.
    """

    role: str
    player: str
    house: Shown


WORK: Final = """
    works.role, works.player, house.id, house.time_zone, house.language, house.locale,
    house.currency_symbol, house.coin_digits, house.currency_code"""
"""The columns of a `Work`, for `working`."""


class NotYours(PermissionDenied):
    """The person's role at this house does not allow the act."""

    code = "permission_denied"


class SecondFactorNeeded(NotYours):
    """The role allows the act, but the person has not shown a second factor yet."""

    code = "second_factor_needed"


def person_of(request: HttpRequest) -> Attendant:
    """
    The person who is signed in.

    :raises NotYours: if nobody is.
    """
    if not isinstance(request.user, Attendant):
        raise NotYours("Sign in first. D1")
    return request.user


def roles(person: Attendant | AnonymousUser) -> dict[UUID, str]:
    """
    The role of a person at each house that employs them now.

    A person who took a tablet over by PIN is only an attendant of its house, whatever their role
    (D3). A superuser with a session or a token has no role, wherever they are employed (D1b).
    """
    if not person.is_authenticated or not person.is_active:
        return {}
    if person.is_superuser and person.standing is not None:
        return {}
    found = {house: work.role for house, work in employments(person).items()}
    floor = person.standing.floor if person.standing else None
    if floor is None:
        return found
    return {floor: Role.ATTENDANT.value} if found.get(floor) in ALLOWED["record"] else {}


def employments(person: Attendant) -> Mapping[UUID, Work]:
    """
    The work at each house that employs a person now.

    Queried once for each request, because `person` is an instance of the request
    (`casino.house.attendants.assurance`).
    """
    if person.works_at is not None:
        return person.works_at
    rows = keyed.rows(
        f"SELECT {WORK} FROM attendants_employment AS works"  # noqa: S608 - columns alone
        " JOIN establishments_establishment AS house ON house.id = works.establishment_id"
        " WHERE works.attendant_id = %s AND works.until IS NULL",
        person.pk,
    )
    found = working(rows)
    if person.of_a_request:
        person.works_at = found
    return found


def working(rows: Iterable[tuple[Any, ...]]) -> Mapping[UUID, Work]:
    """:param rows: the columns of `WORK`; all None if the person works nowhere."""
    works = (
        Work(role, player, Shown(UUID(str(house)), *shown))
        for role, player, house, *shown in rows
        if house is not None
    )
    return {work.house.pk: work for work in works}


def has_worked(person: str, establishment: Establishment) -> bool:
    """Whether the id is that of somebody who works at the house, or did and has left."""
    try:
        named = UUID(person)
    except ValueError:
        return False
    return Employment.objects.filter(establishment=establishment, attendant=named).exists()


def plays_as(person: Attendant, establishment: UUID) -> str:
    """The token of the player as whom an employee plays at the house; "" if they do not play."""
    work = employments(person).get(establishment)
    return work.player if work else ""


def houses(person: Attendant | AnonymousUser, act: Act = "look") -> list[UUID]:
    """The houses at which a person may do this, in a stable order."""
    return sorted(house for house, role in roles(person).items() if role in ALLOWED[act])


def may(person: Attendant | AnonymousUser, act: Act, establishment: UUID) -> bool:
    """Whether the role allows an act. For pages; code that performs an act calls `require`."""
    only = person.standing.only if isinstance(person, Attendant) and person.standing else None
    return roles(person).get(establishment) in ALLOWED[act] and only in {None, act}


def require(person: Attendant | AnonymousUser, act: Act, establishment: Establishment) -> None:
    """
    Check that a person's role at the house allows an act.

    :raises NotYours: if it does not; the message names the act and the house.
    :raises SecondFactorNeeded: if the act needs a second factor and the person has not shown one.
    """
    if not may(person, act, establishment.pk):
        raise NotYours(f"Your role at {establishment} does not let you {act}. D1")
    if act in TWICE_PROVEN and not proven_twice(person):
        raise SecondFactorNeeded(f"To {act} at {establishment} takes your second factor. D2")


def proven_twice(person: Attendant | AnonymousUser) -> bool:
    """
    Whether a second factor was shown, or none is needed.

    If it is optional in this installation, a person who has one must still show it.
    """
    standing = getattr(person, "standing", None)
    if standing is not None and standing.second_factor:
        return True
    return not second_factor_required() and not has_factor(person)


def second_factor_required() -> bool:
    """Whether this installation requires a second factor to approve or configure."""
    required: bool = settings.SECOND_FACTOR == REQUIRED
    return required


def has_factor(person: Attendant | AnonymousUser) -> bool:
    return Factor.objects.filter(attendant=person.pk, removed_at__isnull=True).exists()


def approves_somewhere(person: Attendant) -> bool:
    """Whether the person may approve somewhere, and so is asked for a second factor."""
    return person.chain is not None or any(
        role in ALLOWED["approve"] for role in roles(person).values()
    )


def chain_alone(person: Attendant | AnonymousUser) -> UUID | None:
    """The chain for which somebody works whom no house employs; None for everybody else."""
    if not isinstance(person, Attendant) or not person.is_active or person.is_superuser:
        return None
    floor = person.standing.floor if person.standing else None
    return person.chain if floor is None and not employments(person) else None
