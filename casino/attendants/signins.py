"""The sign-in log (D2): who, when, from where, and how it went. Never a password, code or PIN."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.utils.crypto import salted_hmac

from casino.attendants import known_browsers
from casino.attendants.models import Employment, SignIn, StraySignIn
from casino.establishments.models import Establishment

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from casino.attendants.models import Attendant

What = SignIn.What

NAME_SALT: Final = "casino.attendants.unknown_name"
DEVICE_COOKIE: Final = "device"
ADDRESS_MAX, DEVICE_MAX = 45, 60


@dataclass(frozen=True, slots=True)
class Where:
    """From which address, on which device, and what the browser says of who signed in there."""

    address: str = ""
    device: str = ""
    known: str = field(default="", repr=False)
    """A cookie: `known_browsers.number` reads it."""

    def number(self, person: Attendant | None) -> str:
        """What the browser is called among those of a person; empty: none of them."""
        return known_browsers.number(self.known, person)


def where(request: Any) -> Where:
    """
    Where a request comes from, Django's or REST framework's; nowhere, if there is none.

    Behind our own proxies the address is the last one that they wrote, as for throttling.
    """
    if request is None:
        return Where()
    address = request.META.get("REMOTE_ADDR", "")
    if proxies := settings.REST_FRAMEWORK["NUM_PROXIES"]:
        forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
        address = forwarded[-min(proxies, len(forwarded))].strip() or address
    device = request.COOKIES.get(DEVICE_COOKIE, "")
    return Where(
        address[:ADDRESS_MAX],
        device[:DEVICE_MAX] if device.isascii() else "",
        request.COOKIES.get(known_browsers.COOKIE, ""),
    )


def note(  # noqa: PLR0913 - what an auditor asks about a sign-in
    what: SignIn.What,
    *,
    at: datetime,
    place: Where,
    person: Attendant | None = None,
    name: str = "",
    way: str = "",
    by: Attendant | None = None,
    house: UUID | None = None,
) -> None:
    """
    Write a line, for each house that employs the person or did; else one that met no house.

    :param name: what was typed, where nobody bears it: its hash is kept.
    :param house: the only house concerned, as with a tablet's PIN.
    """
    line: dict[str, Any] = {
        "at": at,
        "what": what,
        "attendant": person,
        "unknown": hashed(name) if person is None else "",
        "way": way,
        "address": place.address,
        "device": place.device,
        "by": by,
    }
    houses = [house] if house is not None else _houses(person)
    if houses:
        SignIn.objects.bulk_create(SignIn(establishment_id=each, **line) for each in houses)
    else:
        StraySignIn.objects.create(**line)


def hashed(name: str) -> str:
    """Keyed, so that nobody reads it; the same name gives the same."""
    return salted_hmac(NAME_SALT, name.casefold(), algorithm="sha256").hexdigest()[:16]


def _houses(person: Attendant | None) -> list[UUID]:
    """Those that employ the person, else those that did; for a stranger the only house, if so."""
    if person is None:
        only = list(Establishment.objects.values_list("pk", flat=True)[:2])
        return only if len(only) == 1 else []
    jobs = Employment.objects.filter(attendant=person).order_by()
    current = jobs.filter(until__isnull=True).values_list("establishment_id", flat=True)
    found = set(current.distinct())
    found = found or set(jobs.values_list("establishment_id", flat=True).distinct())
    return sorted(found, key=str)
