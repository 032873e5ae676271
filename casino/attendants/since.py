"""
What has become of somebody's sign-in since they last used it: told to them when they come again.

There is no other way to tell: the house keeps no address or number of anybody (D2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from casino.attendants.models import SignIn, StraySignIn

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from casino.attendants.models import Attendant

What = SignIn.What

REPORTED: Final = (
    What.PASSWORD_CHANGED, What.FACTOR_ADDED, What.FACTOR_REMOVED, What.CODES_MADE, What.PIN_SET,
    What.FACTOR_REFUSED, What.LOCKED, What.UNLOCKED, What.CUT_OFF, What.TOKEN_GIVEN,
)  # fmt: skip
MOST: Final = 5
"""Of them the last; the rest stands on one's own page."""


Log: TypeAlias = "type[SignIn | StraySignIn]"
Line: TypeAlias = "SignIn | StraySignIn"


def last_signed_in(person: Attendant, now: datetime, address: str) -> list[Line]:
    """
    The line of the last sign-in, if that was from another address, and what came after it; the
    oldest first.
    """
    last, logs = _last(person, now)
    if last is None:
        return []
    found = {
        (row.at, row.what): row  # a line for each house
        for log in logs
        for row in _lines(log, person, now).filter(what__in=REPORTED, at__gt=last.at)[: 4 * MOST]
    }
    newest = sorted(found.values(), key=lambda row: row.at)[-MOST:]
    return [*([last] if last.address != address else []), *newest]


def _last(person: Attendant, now: datetime) -> tuple[Line | None, tuple[Log, ...]]:
    """
    The last sign-in, and in which logs stands what came after it.

    Whom a house has ever employed leaves lines there, and none among the strays any more.
    """
    logs: tuple[Log, ...] = ()
    for log in (SignIn, StraySignIn):
        logs = (*logs, log)
        last = _lines(log, person, now).filter(what=What.SIGNED_IN).first()
        if last is not None:
            return last, logs
    return None, logs


def _lines(log: Log, person: Attendant, now: datetime) -> QuerySet[Any]:
    return log.objects.filter(attendant=person, at__lt=now).order_by("-at", "-id")
