"""
Personal PINs, with which attendants take over a shared tablet (D3).

A PIN works only on an enrolled tablet, to record there or to prove who somebody is for one act. Its
hash is keyed with the house's key, so nobody can find four digits from a copy of the database
alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.contrib.auth.hashers import check_password, make_password
from django.utils.crypto import salted_hmac

from casino.house.attendants import lockout, permissions, signins
from casino.house.attendants.models import Attendant, SignIn
from games.refusals import Refused

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from casino.house.attendants.models import Tablet

What = signins.What

LEAST, MOST = 4, 8
SALT: Final = "casino.house.attendants.pin"
INSTEAD: Final = "Sign in by name and password, or ask a manager to unlock you. D3"
RUNS: Final = ("01234567890", "09876543210")


class PinUnfit(Refused):
    code = "pin_unfit"


class PinRefused(Refused):
    code = "pin_refused"


class PinLocked(Refused):
    code = "locked_out"


def set_pin(*, person: Attendant, pin: str, place: signins.Where, now: datetime) -> None:
    """
    Set or change one's own PIN of 4 to 8 digits.

    :raises PinUnfit: if it is not a PIN, or is one that anybody would try first.
    """
    _fit(pin)
    person.pin = make_password(_key_pin(person, pin))
    Attendant.objects.filter(pk=person.pk).update(pin=person.pin)
    signins.note(What.PIN_SET, at=now, place=place, person=person)


def _fit(pin: str) -> None:
    if not (pin.isascii() and pin.isdigit() and LEAST <= len(pin) <= MOST):
        raise PinUnfit(f"A PIN has {LEAST} to {MOST} digits and nothing else. D3")
    if len(set(pin)) == 1 or any(pin in run for run in RUNS):
        raise PinUnfit("All one digit, or digits in a row: anybody would try that. D3")


def _key_pin(person: Attendant, pin: str) -> str:
    return salted_hmac(SALT, f"{person.pk}:{pin}", algorithm="sha256").hexdigest()


def people(house: UUID, act: permissions.Act = "record") -> list[Attendant]:
    """People of the house who have a PIN and may do this, by name; "record" takes a tablet over."""
    staff = Attendant.objects.filter(
        employments__establishment=house,
        employments__until__isnull=True,
        employments__role__in=permissions.ALLOWED[act],
        is_active=True,
        is_superuser=False,
    ).exclude(pin="")
    return sorted(staff, key=lambda each: (str(each).casefold(), str(each.pk)))


def take_over(
    *, tablet: Tablet, person: Attendant, pin: str, place: signins.Where, now: datetime
) -> None:
    """
    Let a person take a tablet over by PIN. Their session is then for the floor only.

    :raises PinRefused: if the PIN is not theirs, or they do not record at the tablet's house.
    :raises PinLocked: after too many tries for this person on this tablet, or in a day anywhere.
    """
    prove(tablet=tablet, person=person, pin=pin, act="record", place=place, now=now)
    signins.note(
        What.PIN_TAKEN, at=now, place=place, person=person, way="pin", house=tablet.establishment_id
    )


def prove(  # noqa: PLR0913 - who, where, what they gave, and what for
    *,
    tablet: Tablet,
    person: Attendant,
    pin: str,
    act: permissions.Act,
    place: signins.Where,
    now: datetime,
) -> None:
    """
    Check a PIN that was given on a tablet; wrong tries are counted and logged.

    :raises PinRefused: if it is not theirs, or their role at the tablet's house forbids the act.
    :raises PinLocked: after too many tries for this person on this tablet, or in a day anywhere.
    """
    house = tablet.establishment_id

    def noted(what: SignIn.What) -> None:
        signins.note(what, at=now, place=place, person=person, way="pin", house=house)

    tried = lockout.pin(person, tablet.pk)
    try:
        last = lockout.spend_all(tried, now)
    except lockout.LockedOut as locked:
        noted(What.LOCKED)
        raise PinLocked(f"{locked} {INSTEAD}") from None
    if not _right(person, pin, act, house):
        noted(What.PIN_REFUSED)
        if last:
            noted(What.LOCKED)
            longest = max(each.minutes for each in last)
            raise PinLocked(f"{lockout.LockedOut(longest)} {INSTEAD}")
        raise PinRefused("This is not the PIN of the name you tapped. D3")
    lockout.right(tried)


def _right(person: Attendant, pin: str, act: permissions.Act, house: UUID) -> bool:
    allowed = person.is_active and not person.is_superuser
    may = permissions.may(person, act, house)
    return check_password(_key_pin(person, pin), person.pin) and allowed and may
