"""
What happened to a person's sign-in since they last signed in, shown when they sign in again.

There is no other way to tell them: the house stores nobody's mail address or phone number (D2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from casino.house.attendants.models import Employment, SignIn, StraySignIn

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from casino.house.attendants.models import Attendant

What = SignIn.What

REPORTED: Final = (
    What.PASSWORD_CHANGED, What.FACTOR_ADDED, What.FACTOR_REMOVED, What.CODES_MADE, What.PIN_SET,
    What.FACTOR_REFUSED, What.LOCKED, What.UNLOCKED, What.CUT_OFF, What.TOKEN_GIVEN,
)  # fmt: skip
MOST: Final = 5
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
        for row in lines.filter(what__in=REPORTED, at__gt=last.at)[: 4 * MOST]
    }
    newest = sorted(found.values(), key=lambda row: row.at)[-MOST:]
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
