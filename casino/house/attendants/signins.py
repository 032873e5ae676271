"""
The sign-in log (D2): who, when, from where, and how it went. Never a password, code or PIN.

Somebody who signs in again is told what happened since: there is no other way, because the house
stores nobody's mail address or phone number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from django.conf import settings
from django.utils.crypto import salted_hmac

from casino.house.attendants import known_browsers
from casino.house.attendants.models import Employment, SignIn, StraySignIn
from casino.house.establishments.models import Establishment

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.attendants.models import Attendant

What = SignIn.What

NAME_SALT: Final = "casino.house.attendants.unknown_name"
DEVICE_COOKIE: Final = "device"
ADDRESS_MAX, DEVICE_MAX = 45, 60
WITH_PORT: Final = re.compile(r"\A(?:\[(?P<v6>[^\]]*)\](?::\d+)?|(?P<v4>[\d.]+):\d+)\Z")


@dataclass(frozen=True, slots=True)
class Where:
    """Where a request comes from: address, device, and the browser's cookie of known people."""

    address: str = ""
    device: str = ""
    known: str = field(default="", repr=False)
    """The cookie that `known_browsers.number` reads."""

    def number(self, person: Attendant | None) -> str:
        """The browser's number among a person's browsers; empty if it is not one of them."""
        return known_browsers.number(self.known, person)


def where(request: Any) -> Where:
    """Where a request (Django's or REST framework's) comes from; empty if there is no request."""
    if request is None:
        return Where()
    device = request.COOKIES.get(DEVICE_COOKIE, "")
    return Where(
        address_of(request),
        device[:DEVICE_MAX] if device.isascii() and device.isprintable() else "",
        request.COOKIES.get(known_browsers.COOKIE, ""),
    )


def address_of(request: Any) -> str:
    """
    The address that a request comes from, without a port, by which tries are counted.

    Behind our own proxies it is the last one that they wrote. Some write a port with it, another
    one for each connection: ``203.0.113.7:50123``, ``[2001:db8::7]:50123``.
    """
    address: str = request.META.get("REMOTE_ADDR", "")
    if proxies := settings.REST_FRAMEWORK["NUM_PROXIES"]:
        forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
        address = forwarded[-min(proxies, len(forwarded))].strip() or address
    bare = WITH_PORT.sub(lambda found: found["v6"] or found["v4"], address)
    try:
        return str(ip_address(bare))
    except ValueError:
        return bare[:ADDRESS_MAX] if bare.isprintable() else ""


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
    Write a line of the sign-in log for each house that employs or employed the person.

    If there is no such house, the line goes to the log of lines without a house. Whoever works for
    a chain has a line there in any case, which is the chain's to see.

    :param name: the name that was typed; if nobody has it, its hash is stored.
    :param house: the only house concerned, for example with a tablet's PIN.
    """
    line: dict[str, Any] = {
        "at": at,
        "what": what,
        "attendant": person,
        "unknown": hash_name(name) if person is None else "",
        "way": way,
        "address": place.address,
        "device": place.device,
        "by": by,
    }
    houses = [house] if house is not None else _houses(person)
    if houses:
        SignIn.objects.bulk_create(SignIn(establishment_id=each, **line) for each in houses)
    chain = person.chain if person is not None and house is None else None
    if not houses or chain is not None:
        StraySignIn.objects.create(chain=chain, **line)


def hash_name(name: str) -> str:
    """The keyed hash of a name: nobody can read it, and the same name has the same hash."""
    return salted_hmac(NAME_SALT, name.casefold(), algorithm="sha256").hexdigest()[:16]


def _houses(person: Attendant | None) -> list[UUID]:
    """
    The houses that get a line about a person: those that employ them, else those that did.

    For an unknown name it is the only house of the installation, if it has just one.
    """
    if person is None:
        only = list(Establishment.objects.values_list("pk", flat=True)[:2])
        return only if len(only) == 1 else []
    jobs = Employment.objects.filter(attendant=person).order_by()
    current = jobs.filter(until__isnull=True).values_list("establishment_id", flat=True)
    found = set(current.distinct())
    found = found or set(jobs.values_list("establishment_id", flat=True).distinct())
    return sorted(found, key=str)


# --- Since a person last signed in ----------------------------------------------------------------


REPORTED: Final = (
    What.PASSWORD_CHANGED, What.FACTOR_ADDED, What.FACTOR_REMOVED, What.CODES_MADE, What.PIN_SET,
    What.FACTOR_REFUSED, What.LOCKED, What.UNLOCKED, What.CUT_OFF, What.TOKEN_GIVEN,
)  # fmt: skip
LINES_MOST: Final = 5
"""The most lines shown, the last ones; the page of one's own sign-in has the others."""


Line: TypeAlias = "SignIn | StraySignIn"
Lines: TypeAlias = "QuerySet[Any]"


def last_signed_in(person: Attendant, now: datetime, address: str) -> list[Line]:
    """
    The lines of the sign-in log since the last sign-in, the oldest first.

    The last sign-in itself is included if it was from another address.
    """
    logs = _logs(person, now)
    last, later = _last(logs)
    if last is None:
        return []
    found = {
        (row.at, row.what): row  # each house has its own line of the same sign-in
        for lines in later
        for row in lines.filter(what__in=REPORTED, at__gt=last.at)[: 4 * LINES_MOST]
    }
    newest = sorted(found.values(), key=lambda row: row.at)[-LINES_MOST:]
    return [*([last] if last.address != address else []), *newest]


def _logs(person: Attendant, now: datetime) -> tuple[Lines, ...]:
    """
    A person's lines in each log, the latest first: of the houses that ever employed them, by name
    of the house, so that only servers of these are asked; and of no house.
    """
    jobs = Employment.objects.filter(attendant=person).order_by()
    houses = list(jobs.values_list("establishment_id", flat=True).distinct())
    mine: tuple[Lines, ...] = (
        SignIn.objects.filter(establishment__in=houses),
        StraySignIn.objects.all(),
    )
    return tuple(each.filter(attendant=person, at__lt=now).order_by("-at", "-id") for each in mine)


def _last(logs: tuple[Lines, ...]) -> tuple[Line | None, tuple[Lines, ...]]:
    """
    The last sign-in, and the logs that may have later lines.

    A person whom a house has ever employed has new lines only in the log of houses.
    """
    for number, lines in enumerate(logs):
        last = lines.filter(what=What.SIGNED_IN).first()
        if last is not None:
            return last, logs[: number + 1]
    return None, logs
