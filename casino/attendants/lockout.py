"""
So many tries at a secret, then none for a while (D2).

Tries are counted by where they come from, so that whoever guesses keeps nobody else out, and those
from anywhere together, so that many who guess have no more of them (decision 0063). A try is
counted before the secret is looked at, in the database: of tries that arrive at the same time, in
whatever processes, no more than `TRIES` are looked at.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import F, Max, Q
from django.utils.crypto import salted_hmac

from casino.attendants.models import Lockout

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.attendants.models import Attendant

TRIES: Final = 5
WITHIN: Final = timedelta(minutes=15)
"""Failures further apart than this are not added up; a lock holds as long."""
MINUTES: Final = WITHIN // timedelta(minutes=1)
KEPT: Final = timedelta(days=1)
DAY: Final = timedelta(days=1)
PASSWORD_TRIES: Final = 30
"""Of one name in an hour, from all browsers together that its bearer has not signed in with."""
CODE_TRIES: Final = 30
"""Of one person's codes in a day, likewise: of a million, three of which fit."""
PIN_TRIES: Final = 20
"""Of one person's PIN in a day, on all tablets: of ten thousand so few that it pays nobody."""
SUBNET: Final = 64  # bits: from an IPv6 network of this size anybody may write as anybody
SALT: Final = "casino.attendants.lockout"


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
    together: bool = False
    """From wherever: what others got wrong is not forgotten because somebody got it right."""

    @property
    def minutes(self) -> int:
        """How long its lock holds."""
        return self.within // timedelta(minutes=1)


def password(
    name: str, address: str, person: Attendant | None, known: str = ""
) -> tuple[Target, ...]:
    """
    By the browser, where the person has signed in with it before; else by name and address, and by
    name from all such browsers together.

    :param known: what the browser is called among the person's (`known_browsers.number`).
    """
    if known:
        return (Target(_key("password known", known), person, address),)
    name, hour = name.casefold(), timedelta(hours=1)
    return (
        Target(_key("password", name, _network(address)), person, address),
        Target(_key("password anywhere", name), person, "", PASSWORD_TRIES, hour, together=True),
    )


def own_password(person: Attendant, session_id: str) -> Target:
    """By whoever sits before a session that somebody left open, and would change the password."""
    return Target(_key("own password", str(person.pk), session_id), person)


def second_factor(person: Attendant, known: str) -> tuple[Target, ...]:
    """
    Of codes: by the browser, as passwords; else by person, from wherever: whoever tries codes has
    the password already.
    """
    if known:
        return (Target(_key("factor known", known), person),)
    together = Target(
        _key("factor anywhere", str(person.pk)), person, "", CODE_TRIES, DAY, together=True
    )
    return (Target(_key("factor", str(person.pk)), person), together)


def passkey(person: Attendant, address: str, known: str) -> Target:
    """By where it is tried: nobody guesses a signature, so those of elsewhere need no bound."""
    return Target(_key("passkey", str(person.pk), known or _network(address)), person, address)


def pin(person: Attendant, tablet: UUID) -> tuple[Target, ...]:
    """By tablet, and on all of them; with name and password one signs in all the same."""
    key = _key("pin anywhere", str(person.pk))
    return (
        Target(_key("pin", str(person.pk), str(tablet)), person),
        Target(key, person, "", PIN_TRIES, DAY, together=True),
    )


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


def spend_all(targets: Iterable[Target], now: datetime) -> list[Target]:
    """
    Count a try with each; those of which it was the last one.

    :raises LockedOut: if one has none left.
    """
    return [each for each in targets if spend(each, now)]


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


def _row(target: Target, now: datetime) -> Lockout:
    """The row of a target, alone in the hands of this transaction."""
    row, new = Lockout.objects.select_for_update().get_or_create(
        key=target.key,
        defaults={"attendant": target.person, "address": target.address, "since": now},
    )
    if new:
        Lockout.objects.filter(
            Q(locked_until__isnull=True) | Q(locked_until__lt=now), since__lt=now - KEPT
        ).delete()
    return row


def _no_longer_than(row: Lockout, now: datetime, within: timedelta) -> None:
    """A clock that was put back makes no lock longer, and no failure later than now."""
    row.since = min(row.since, now)
    if row.locked_until is not None:
        row.locked_until = min(row.locked_until, now + within)


def minutes(until: datetime, now: datetime) -> int:
    """How long still, rounded up."""
    return -((now - until) // timedelta(minutes=1))


def right(targets: Iterable[Target]) -> None:
    """It was right: what failed here before is forgotten; of all together, this try is."""
    for target in targets:
        row = Lockout.objects.filter(key=target.key, tries__gt=0)
        row.update(tries=F("tries") - 1 if target.together else 0, locked_until=None)


def forget(targets: Iterable[Target]) -> None:
    """Whose secret it is has proven themselves in another way: all that failed is forgotten."""
    keys = [target.key for target in targets]
    Lockout.objects.filter(key__in=keys).update(tries=0, locked_until=None)


def locked_until(targets: Iterable[Target], now: datetime) -> datetime | None:
    """Until when one of them is locked at least; the longest."""
    keys = [target.key for target in targets]
    found = Lockout.objects.filter(key__in=keys, locked_until__gt=now)
    until: datetime | None = found.aggregate(last=Max("locked_until"))["last"]
    return until


def locks_of(person: Attendant, now: datetime) -> QuerySet[Lockout]:
    """What is locked of a person now, whatever it is and from wherever."""
    return Lockout.objects.filter(attendant=person, locked_until__gt=now)


def locked(now: datetime) -> set[UUID]:
    """The people of whom something is locked now."""
    rows = Lockout.objects.filter(locked_until__gt=now, attendant__isnull=False)
    return {person for person in rows.values_list("attendant_id", flat=True) if person}


def unlock(person: Attendant, now: datetime) -> int:
    """Let a person try again; how many locks fell."""
    return locks_of(person, now).update(tries=0, locked_until=None)
