"""
Assurance: how somebody has signed in, which limits what they may do (D2, D3).

A person who signed in by name and password may do what their role allows; approving and configuring
need a second factor too. A person who took over a shared tablet by PIN may only record, at its
house.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from casino.house.attendants.models import StrongToken, Tablet

if TYPE_CHECKING:
    from django.contrib.sessions.backends.base import SessionBase

    from casino.house.attendants.models import Attendant

FACTOR: Final = "second_factor"
"""Session key: the way in which the second factor was given."""
FLOOR: Final = "floor"
"""Session key: the house and the tablet that was taken over by PIN."""
ENDS: Final = "ends"
"""Session key: when the session ends."""
TOUCHED: Final = "touched"
"""Session key: when somebody last did something in the session, to the minute."""
OPEN: Final = "9999"
"""Sorts after every date: the end of a session without one, which only tests make."""
A_MINUTE: Final = timedelta(minutes=1)
PIN_SALT: Final = "casino.house.attendants.assurance.pin"


@dataclass(frozen=True, slots=True)
class Assurance:
    second_factor: bool = False
    floor: UUID | None = None
    only: str | None = None


class TokenAssurance:
    """The assurance of an API token; the database is asked only when it matters."""

    floor: UUID | None = None
    only: str | None = None

    def __init__(self, token: Any) -> None:
        self._token = token

    @cached_property
    def second_factor(self) -> bool:
        return StrongToken.objects.filter(token=self._token).exists()


def begin_session(session: SessionBase, now: datetime, *, idles: bool) -> None:
    """
    Set the end of a new session: it ends after `SESSION_COOKIE_AGE`, whatever is done in it.

    :param idles: whether it also ends when nobody does anything for `SESSION_IDLE`.
    """
    ends = now + timedelta(seconds=settings.SESSION_COOKIE_AGE)
    session[ENDS] = ends.isoformat()
    if idles:
        session[TOUCHED] = now.isoformat()
    session.set_expiry(settings.SESSION_IDLE if idles else ends)


def lasts(session: SessionBase, now: datetime, *, by_itself: bool) -> bool:
    """
    Whether a session has not ended yet. Activity is noted in the session, at most once a minute.

    :param by_itself: the page sent the request by itself: such a request keeps no session open.
    """
    if now.isoformat() >= session.get(ENDS, OPEN):
        return False
    noted = session.get(TOUCHED)
    if noted is not None:
        quiet = now - datetime.fromisoformat(noted)
        if quiet.total_seconds() >= settings.SESSION_IDLE:
            return False
        if not by_itself and quiet >= A_MINUTE:
            session[TOUCHED] = now.isoformat()  # this also moves the session store's expiry date
    return True


def of_session(session: SessionBase) -> Assurance:
    floor = session.get(FLOOR)
    if floor is not None:
        return Assurance(floor=UUID(floor["house"]))
    return Assurance(second_factor=FACTOR in session)


def on_floor(tablet: Tablet, person: Attendant) -> dict[str, str]:
    """What a session by PIN stores under `FLOOR`: its house, its tablet, and a mark of the PIN."""
    return {
        "house": str(tablet.establishment_id),
        "tablet": str(tablet.pk),
        "pin": _mark(person),
    }


def holds(session: SessionBase, person: Attendant) -> bool:
    """
    Whether a session is still valid.

    A session by PIN ends when its tablet is withdrawn or the PIN is changed (D3).
    """
    floor = session.get(FLOOR)
    if floor is None:
        return True
    there = Tablet.objects.filter(
        establishment=floor["house"], pk=floor["tablet"], withdrawn_at__isnull=True
    )
    return constant_time_compare(floor.get("pin", ""), _mark(person)) and there.exists()


def _mark(person: Attendant) -> str:
    """A mark of a person's current PIN: it changes with the PIN and reveals no digit."""
    return salted_hmac(PIN_SALT, person.pin, algorithm="sha256").hexdigest()


def at_console(person: Attendant) -> Attendant:
    """The person with full assurance, for a program on the house's machine that acts for them."""
    person.standing = Assurance(second_factor=True)
    return person
