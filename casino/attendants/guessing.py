"""
So many tries at a secret, then none for a while (D2).

A try is counted before the secret is looked at, in the database: of tries that arrive at the same
time, in whatever processes, no more than `TRIES` are looked at.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import Q
from django.utils.crypto import salted_hmac

from casino.attendants.models import Guessing

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.attendants.models import Attendant

TRIES: Final = 5
WITHIN: Final = timedelta(minutes=15)
"""Failures further apart than this are not added up; a lock holds as long."""
MINUTES: Final = WITHIN // timedelta(minutes=1)
KEPT: Final = timedelta(days=1)
PIN_TRIES: Final = 20
"""Of one person's PIN in a day, on all tablets: of ten thousand so few that it pays nobody."""
SUBNET: Final = 64  # bits: from an IPv6 network of this size anybody may write as anybody
SALT: Final = "casino.attendants.guessing"


class LockedOut(Exception):  # noqa: N818 - names the fact
    """Too many tries. No more are looked at for so many minutes."""

    def __init__(self, minutes: int) -> None:
        super().__init__(f"Too many tries: no more are taken for {minutes} minutes.")
        self.minutes = minutes


@dataclass(frozen=True, slots=True)
class Target:
    """What is guessed at: a kind of secret, whose, and from where; and how often at most."""

    key: str
    person: Attendant | None = None
    address: str = ""
    tries: int = TRIES
    within: timedelta = WITHIN

    @property
    def minutes(self) -> int:
        """How long its lock holds."""
        return self.within // timedelta(minutes=1)


def password(name: str, address: str, person: Attendant | None) -> Target:
    """By name and address: who guesses elsewhere does not lock the person out at the house."""
    return Target(_key("password", name.casefold(), _network(address)), person, address)


def own_password(person: Attendant) -> Target:
    """By whoever sits before a session that somebody left open, and would change the password."""
    return Target(_key("own password", str(person.pk)), person)


def second_factor(person: Attendant) -> Target:
    """By person alone: whoever tries codes has the password already."""
    return Target(_key("factor", str(person.pk)), person)


def pin(person: Attendant, tablet: UUID) -> Target:
    return Target(_key("pin", str(person.pk), str(tablet)), person)


def pin_anywhere(person: Attendant) -> Target:
    """On whichever tablet; with name and password one signs in all the same."""
    key = _key("pin anywhere", str(person.pk))
    return Target(key, person, tries=PIN_TRIES, within=timedelta(days=1))


def _network(address: str) -> str:
    """The address; of an IPv6 one the network, all of which belongs to whoever writes from it."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:  # noqa: PLR2004 - of the internet protocol
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, SUBNET), strict=False))


def _key(*parts: str) -> str:
    return salted_hmac(SALT, "\n".join(parts), algorithm="sha256").hexdigest()


def spend(target: Target, now: datetime) -> bool:
    """
    Count a try, before it is looked at. True: if it fails, it was the last one.

    :raises LockedOut: if there is none left.
    """
    with transaction.atomic():
        row = _row(target, now)
        _no_longer_than(row, now, target.within)
        if row.locked_until and row.locked_until <= now:
            row.tries, row.locked_until = 0, None
        if not row.locked_until and row.since <= now - target.within:
            row.tries = 0
        left = target.tries - row.tries
        if left > 0:
            row.since = now if row.tries == 0 else row.since
            row.tries += 1
            # The last one locks already; that it was right is said by `forget`.
            row.locked_until = now + target.within if row.tries == target.tries else None
        row.save()
    if left <= 0:
        raise LockedOut(minutes(row.locked_until or now + target.within, now))
    return left == 1


def _row(target: Target, now: datetime) -> Guessing:
    """The row of a target, alone in the hands of this transaction."""
    row, new = Guessing.objects.select_for_update().get_or_create(
        key=target.key,
        defaults={"attendant": target.person, "address": target.address, "since": now},
    )
    if new:
        Guessing.objects.filter(
            Q(locked_until__isnull=True) | Q(locked_until__lt=now), since__lt=now - KEPT
        ).delete()
    return row


def _no_longer_than(row: Guessing, now: datetime, within: timedelta) -> None:
    """A clock that was put back makes no lock longer, and no failure later than now."""
    row.since = min(row.since, now)
    if row.locked_until is not None:
        row.locked_until = min(row.locked_until, now + within)


def minutes(until: datetime, now: datetime) -> int:
    """How long still, rounded up."""
    return -((now - until) // timedelta(minutes=1))


def forget(target: Target) -> None:
    """It was right: what failed before is forgotten."""
    Guessing.objects.filter(key=target.key).update(tries=0, locked_until=None)


def locked_until(target: Target, now: datetime) -> datetime | None:
    found = Guessing.objects.filter(key=target.key, locked_until__gt=now).first()
    return found.locked_until if found else None


def locks_of(person: Attendant, now: datetime) -> QuerySet[Guessing]:
    """What is locked of a person now, whatever it is and from wherever."""
    return Guessing.objects.filter(attendant=person, locked_until__gt=now)


def locked(now: datetime) -> set[UUID]:
    """The people of whom something is locked now."""
    rows = Guessing.objects.filter(locked_until__gt=now, attendant__isnull=False)
    return {person for person in rows.values_list("attendant_id", flat=True) if person}


def unlock(person: Attendant, now: datetime) -> int:
    """Let a person try again; how many locks fell."""
    return locks_of(person, now).update(tries=0, locked_until=None)
