"""
How somebody is signed in, and what that bounds (D2, D3).

A person in full, by name and password, may do what their role allows; approving and configuring
asks for a second factor besides. Whoever took a shared tablet over by PIN records at its house.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol
from uuid import UUID

from django.utils.crypto import constant_time_compare, salted_hmac

from casino.attendants.models import StrongToken, Tablet

if TYPE_CHECKING:
    from django.contrib.sessions.backends.base import SessionBase

    from casino.attendants.models import Attendant

FACTOR: Final = "second_factor"
"""The session's key: how the second factor was given."""
FLOOR: Final = "floor"
"""The session's key: the house and tablet that was taken over by PIN."""
PIN_SALT: Final = "casino.attendants.standing.pin"


class Proven(Protocol):
    @property
    def second_factor(self) -> bool: ...

    @property
    def floor(self) -> UUID | None:
        """The only house, and only for recording, where it is not None."""

    @property
    def only(self) -> str | None:
        """The one act that was proven, where it was no more than that."""


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
    there = Tablet.objects.filter(pk=floor["tablet"], withdrawn_at__isnull=True)
    return constant_time_compare(floor.get("pin", ""), _mark(person)) and there.exists()


def _mark(person: Attendant) -> str:
    """Of the PIN that a person has now; another one has another, and it tells no digit."""
    return salted_hmac(PIN_SALT, person.pin, algorithm="sha256").hexdigest()


def at_console(person: Attendant) -> Attendant:
    """The same person, where a program on the house's own machine acts in their name."""
    person.standing = Standing(second_factor=True)
    return person
