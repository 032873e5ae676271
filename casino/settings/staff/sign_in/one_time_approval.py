"""
One-time approval: one act by somebody who is not signed in on the device (C1, D2, D3).

For example, a supervisor answers a request on the attendant's device. The supervisor proves who
they are for that act only: no session begins, and the attendant's session goes on.
Why a PIN is one factor and not two: `docs/decisions/0020-sign-in.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth import authenticate
from django.utils.translation import gettext as _

from casino.house.attendants import factors, passwords, permissions, pins, signins
from casino.house.attendants.assurance import Assurance
from casino.house.attendants.backend import end_of_lock, lock_sentence
from casino.house.attendants.models import Attendant, Factor, SignIn
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from uuid import UUID

    from django.http import HttpRequest

    from casino.house.attendants.models import Tablet

What = signins.What


class NotProven(Refused):
    code = "not_proven"


class CodeNeeded(Refused):
    code = "second_factor_needed"


class LockedOut(Refused):
    code = "locked_out"


def by_pin(  # noqa: PLR0913 - who, where, what they gave, and what for
    *,
    tablet: Tablet,
    person: Attendant,
    pin: str,
    code: str,
    act: permissions.Act,
    enough: bool,
    place: signins.Where,
    now: datetime,
) -> Attendant:
    """
    The person, proven for one act by their PIN on an enrolled tablet.

    :param enough: whether the house accepts the PIN alone in place of both factors here.
    :raises PinRefused, PinLocked: as `pins.take_over`, with the same count of tries.
    :raises CodeNeeded, FactorRefused, FactorLocked: about the second factor.
    """
    house = tablet.establishment_id
    pins.prove(tablet=tablet, person=person, pin=pin, act=act, place=place, now=now)
    twice = _second(person, code, enough=enough, place=place, now=now)
    return _for_one_act(person, act, house, "pin", twice=twice, place=place, now=now)


def by_password(  # noqa: PLR0913 - as `by_pin`
    *,
    request: HttpRequest,
    name: str,
    password: str,
    code: str,
    act: permissions.Act,
    house: UUID,
    now: datetime,
) -> Attendant:
    """
    The person, proven for one act by name and password, on any device.

    :raises NotProven: if name or password is wrong, or the person may not do this here.
    :raises LockedOut: after too many tries with this name from here.
    :raises CodeNeeded, FactorRefused, FactorLocked: about the second factor.
    """
    place = signins.where(request)
    found = authenticate(request, username=name, password=password)
    if not isinstance(found, Attendant):
        raise _unknown(name, place, now)
    if passwords.is_first(found):
        raise NotProven(_("This is a first password: sign in with it, and choose your own. D2"))
    if not permissions.may(found, act, house):
        raise NotProven(_("Your role at this house does not let you answer this. D1"))
    twice = _second(found, code, enough=False, place=place, now=now)
    return _for_one_act(found, act, house, "password", twice=twice, place=place, now=now)


def needing_code(people: Iterable[Attendant]) -> set[UUID]:
    """The ids of those people who have to give a second factor besides PIN or password."""
    found = {person.pk for person in people}
    if permissions.second_factor_required():
        return found
    there = Factor.objects.filter(attendant__in=found, removed_at__isnull=True)
    return set(there.values_list("attendant_id", flat=True))


def _unknown(name: str, place: signins.Where, now: datetime) -> Refused:
    until = end_of_lock(name, place, now)
    if until is None:
        return NotProven(_("Nobody has this name and password. D2"))
    return LockedOut(lock_sentence(until, now))


def _second(
    person: Attendant, code: str, *, enough: bool, place: signins.Where, now: datetime
) -> bool:
    """
    Check the second factor; returns whether the person counts as proven by two factors.

    :raises CodeNeeded: if a code is needed and none is given.
    """
    if code.strip():
        factors.take_code(person=person, code=code, place=place, now=now)
        return True
    if enough or not needing_code([person]):
        return enough
    raise CodeNeeded(_without_code(person))


def _without_code(person: Attendant) -> str:
    kinds = set(factors.of(person).values_list("kind", flat=True))
    if not kinds:
        return _("Set up a second factor first, under “My sign-in”: here it is required. D2")
    if Factor.Kind.APP in kinds:
        return _("Give the code that your app shows now, too. D2")
    return _(
        "A passkey cannot be shown here: give a recovery code, or answer under Approvals from your"
        " own device. D2"
    )


def _for_one_act(  # noqa: PLR0913 - what the log says, and what the act rests on
    person: Attendant,
    act: permissions.Act,
    house: UUID,
    way: str,
    *,
    twice: bool,
    place: signins.Where,
    now: datetime,
) -> Attendant:
    """The person with assurance for this act only; the sign-in log gets a line."""
    signins.note(SignIn.What.ONE_ACT, at=now, place=place, person=person, way=way, house=house)
    person.standing = Assurance(second_factor=twice, only=act)
    return person
