"""
How somebody is signed in, and what that bounds (D2, D3).

A person in full, by name and password, may do what their role allows; approving and configuring
asks for a second factor besides. Whoever took a shared tablet over by PIN records at its house.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from casino.attendants.models import StrongToken, Tablet

if TYPE_CHECKING:
    from django.contrib.sessions.backends.base import SessionBase

    from casino.attendants.models import Attendant

FACTOR: Final = "second_factor"
"""The session's key: how the second factor was given."""
FLOOR: Final = "floor"
"""The session's key: the house and tablet that was taken over by PIN."""
ENDS: Final = "ends"
"""The session's key: when it is over."""
TOUCHED: Final = "touched"
"""The session's key: when somebody did something in it, to the minute."""
OPEN: Final = "9999"
"""After every date: of a session that was not bounded, as programs make them in tests."""
A_MINUTE: Final = timedelta(minutes=1)
PIN_SALT: Final = "casino.attendants.assurance.pin"


@dataclass(frozen=True, slots=True)
class Standing:
    second_factor: bool = False
    floor: UUID | None = None
    only: str | None = None


class TokenStanding:
    """Of a token of the API; asked of the database only where it matters."""

    floor: UUID | None = None
    only: str | None = None

    def __init__(self, token: Any) -> None:
        self._token = token

    @cached_property
    def second_factor(self) -> bool:
        return StrongToken.objects.filter(token=self._token).exists()


def begun(session: SessionBase, now: datetime, *, idles: bool) -> None:
    """
    Bound a session that begins: it ends after `SESSION_COOKIE_AGE`, whatever is done in it.

    :param idles: whether it ends before that where nobody does anything for `SESSION_IDLE`.
    """
    ends = now + timedelta(seconds=settings.SESSION_COOKIE_AGE)
    session[ENDS] = ends.isoformat()
    if idles:
        session[TOUCHED] = now.isoformat()
    session.set_expiry(settings.SESSION_IDLE if idles else ends)


def lasts(session: SessionBase, now: datetime, *, by_itself: bool) -> bool:
    """
    Whether a session is not over yet. What somebody does in it is noted, once a minute at most.

    :param by_itself: a page asks, and nobody: that keeps no session open.
    """
    if now.isoformat() >= session.get(ENDS, OPEN):
        return False
    noted = session.get(TOUCHED)
    if noted is not None:
        quiet = now - datetime.fromisoformat(noted)
        if quiet.total_seconds() >= settings.SESSION_IDLE:
            return False
        if not by_itself and quiet >= A_MINUTE:
            session[TOUCHED] = now.isoformat()  # with it the store's own date moves on
    return True


def of_session(session: SessionBase) -> Standing:
    floor = session.get(FLOOR)
    if floor is not None:
        return Standing(floor=UUID(floor["house"]))
    return Standing(second_factor=FACTOR in session)


def on_floor(tablet: Tablet, person: Attendant) -> dict[str, str]:
    """What a session by PIN keeps under `FLOOR`: where it holds, and by which PIN."""
    return {
        "house": str(tablet.establishment_id),
        "tablet": str(tablet.pk),
        "pin": _mark(person),
    }


def holds(session: SessionBase, person: Attendant) -> bool:
    """Whether a session by PIN goes on: not on a tablet withdrawn, nor by a PIN of before (D3)."""
    floor = session.get(FLOOR)
    if floor is None:
        return True
    there = Tablet.objects.filter(
        establishment=floor["house"], pk=floor["tablet"], withdrawn_at__isnull=True
    )
    return constant_time_compare(floor.get("pin", ""), _mark(person)) and there.exists()


def _mark(person: Attendant) -> str:
    """Of the PIN that a person has now; another one has another, and it tells no digit."""
    return salted_hmac(PIN_SALT, person.pin, algorithm="sha256").hexdigest()


def at_console(person: Attendant) -> Attendant:
    """The same person, where a program on the house's own machine acts in their name."""
    person.standing = Standing(second_factor=True)
    return person
