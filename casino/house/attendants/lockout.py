"""
Lockout: after a number of wrong tries at a secret, no more are accepted for a while (D2).

Tries are counted by where they come from, so that somebody who guesses locks nobody else out. They
are also counted from everywhere together, so that many guessers have no more tries (decision 0020).
The database counts a try before the secret is checked: of tries that arrive at the same time, in
whatever processes, at most `TRIES` are checked.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import F, Max, Q
from django.utils.crypto import salted_hmac

from casino.house.attendants.models import Lockout

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.attendants.models import Attendant

TRIES: Final = 5
WITHIN: Final = timedelta(minutes=15)
"""Failures further apart than this are not added up; a lock lasts as long."""
MINUTES: Final = WITHIN // timedelta(minutes=1)
WHOLE_MINUTES: Final = 90
"""What lasts longer is said in hours, rounded up."""
KEPT: Final = timedelta(days=1)
DAY: Final = timedelta(days=1)
PASSWORD_TRIES: Final = 30
"""Tries at one name in an hour, from all unknown browsers together (`known_browsers`)."""
CODE_TRIES: Final = 30
"""Tries at one person's codes in a day, from unknown browsers: 3 of a million codes are valid."""
PIN_TRIES: Final = 20
"""Tries at one person's PIN in a day, on all tablets; there are ten thousand PINs or more."""
SUBNET: Final = 64  # bits: one user may have all addresses of an IPv6 network of this size
SALT: Final = "casino.house.attendants.lockout"


class LockedOut(Exception):  # noqa: N818 - names the fact
    """Too many tries: no more are accepted for so many minutes."""

    def __init__(self, minutes: int) -> None:
        hours = -(-minutes // 60)
        super().__init__(
            "Too many tries: no more are taken for a minute."
            if minutes == 1
            else f"Too many tries: no more are taken for {minutes} minutes."
            if minutes <= WHOLE_MINUTES
            else f"Too many tries: no more are taken for {hours} hours."
            if hours < 24  # noqa: PLR2004 - a day
            else "Too many tries: no more are taken for a day."
        )
        self.minutes = minutes


@dataclass(frozen=True, slots=True)
class Target:
    """What tries are counted for: a kind of secret, its owner and a place; and how many at most."""

    key: str
    person: Attendant | None = None
    address: str = ""
    tries: int = TRIES
    within: timedelta = WITHIN
    together: bool = False
    """Counts tries from everywhere: a right try does not erase the wrong tries of others."""

    @property
    def minutes(self) -> int:
        """How long the lock lasts, in minutes."""
        return self.within // timedelta(minutes=1)


def password(
    name: str, address: str, person: Attendant | None, known: str = ""
) -> tuple[Target, ...]:
    """
    The targets of a password.

    Tries from a known browser are counted by browser; other tries by name and address, and by name
    from all unknown browsers together.

    :param known: the browser's number among the person's browsers (`known_browsers.number`).
    """
    if known:
        return (Target(_key("password known", known), person, address),)
    name, hour = name.casefold(), timedelta(hours=1)
    return (
        Target(_key("password", name, _network(address)), person, address),
        Target(_key("password anywhere", name), person, "", PASSWORD_TRIES, hour, together=True),
    )


def own_password(person: Attendant, session_id: str) -> Target:
    """The target of one's own password, asked for a change: counted for each session."""
    return Target(_key("own password", str(person.pk), session_id), person)


def second_factor(person: Attendant, known: str) -> tuple[Target, ...]:
    """
    The targets of codes.

    Tries from a known browser are counted by browser; other tries by person, from everywhere:
    whoever tries codes knows the password already.
    """
    if known:
        return (Target(_key("factor known", known), person),)
    together = Target(
        _key("factor anywhere", str(person.pk)), person, "", CODE_TRIES, DAY, together=True
    )
    return (Target(_key("factor", str(person.pk)), person), together)


def passkey(person: Attendant, address: str, known: str) -> Target:
    """The target of a passkey: by place only, because nobody can guess a signature."""
    return Target(_key("passkey", str(person.pk), known or _network(address)), person, address)


def pin(person: Attendant, tablet: UUID) -> tuple[Target, ...]:
    """The targets of a PIN: by tablet, and on all tablets. They do not lock name and password."""
    key = _key("pin anywhere", str(person.pk))
    return (
        Target(_key("pin", str(person.pk), str(tablet)), person),
        Target(key, person, "", PIN_TRIES, DAY, together=True),
    )


def _network(address: str) -> str:
    """The address, or for IPv6 the network, all addresses of which may belong to one user."""
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


def spend_all(targets: Iterable[Target], now: datetime) -> list[Target]:
    """
    Count a try for each target; returns the targets for which it was the last try.

    :raises LockedOut: if a target has no try left.
    """
    return [each for each in targets if spend(each, now)]


def spend(target: Target, now: datetime) -> bool:
    """
    Count a try before it is checked; returns whether it was the last try.

    :raises LockedOut: if no try is left.
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
            # The last try locks at once; if it was right, `right` removes the lock.
            row.locked_until = now + target.within if row.tries == target.tries else None
        row.save()
    if left <= 0:
        raise LockedOut(minutes(row.locked_until or now + target.within, now))
    return left == 1


def _row(target: Target, now: datetime) -> Lockout:
    """The row of a target, locked for this transaction; a new row also clears old rows away."""
    row, new = Lockout.objects.select_for_update(of=("self",), no_key=True).get_or_create(
        key=target.key,
        defaults={"attendant": target.person, "address": target.address, "since": now},
    )
    if new:
        Lockout.objects.filter(
            Q(locked_until__isnull=True) | Q(locked_until__lt=now), since__lt=now - KEPT
        ).delete()
    return row


def _no_longer_than(row: Lockout, now: datetime, within: timedelta) -> None:
    """Correct a row after the clock was set back: no lock gets longer, no failure lies ahead."""
    row.since = min(row.since, now)
    if row.locked_until is not None:
        row.locked_until = min(row.locked_until, now + within)


def minutes(until: datetime, now: datetime) -> int:
    """The minutes from now until a moment, rounded up."""
    return -((now - until) // timedelta(minutes=1))


def right(targets: Iterable[Target]) -> None:
    """
    Unlock targets after a right try.

    Earlier failures are erased; of a target that counts tries from everywhere, only this try is.
    """
    for target in targets:
        row = Lockout.objects.filter(key=target.key, tries__gt=0)
        row.update(tries=F("tries") - 1 if target.together else 0, locked_until=None)


def forget(targets: Iterable[Target]) -> None:
    """Erase all failures, because the owner of the secret has proven their identity otherwise."""
    keys = [target.key for target in targets]
    Lockout.objects.filter(key__in=keys).update(tries=0, locked_until=None)


def end_of_lock(targets: Iterable[Target], now: datetime) -> datetime | None:
    """Until when any of the targets is locked, the latest moment; None if none is."""
    keys = [target.key for target in targets]
    found = Lockout.objects.filter(key__in=keys, locked_until__gt=now)
    until: datetime | None = found.aggregate(last=Max("locked_until"))["last"]
    return until


def locks_of(person: Attendant, now: datetime) -> QuerySet[Lockout]:
    """All current locks of a person."""
    return Lockout.objects.filter(attendant=person, locked_until__gt=now)


def people_with_lock(now: datetime) -> set[UUID]:
    """The people who have a lock now."""
    rows = Lockout.objects.filter(locked_until__gt=now, attendant__isnull=False)
    return {person for person in rows.values_list("attendant_id", flat=True) if person}


def unlock(person: Attendant, now: datetime) -> int:
    """Remove all locks of a person; returns how many there were."""
    return locks_of(person, now).update(tries=0, locked_until=None)
