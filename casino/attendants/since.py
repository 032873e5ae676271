"""
What has become of somebody's sign-in since they last used it: told to them when they come again.

There is no other way to tell: the house keeps no address or number of anybody (D2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.attendants.models import SignIn

if TYPE_CHECKING:
    from datetime import datetime

    from casino.attendants.models import Attendant

What = SignIn.What

TOLD: Final = (
    What.PASSWORD_CHANGED, What.FACTOR_ADDED, What.FACTOR_REMOVED, What.CODES_MADE, What.PIN_SET,
    What.FACTOR_REFUSED, What.LOCKED, What.UNLOCKED, What.CUT_OFF, What.TOKEN_GIVEN,
)  # fmt: skip
MOST: Final = 5
"""Of them the last; the rest stands on one's own page."""


def last_signed_in(person: Attendant, now: datetime, address: str) -> list[SignIn]:
    """
    The line of the last sign-in, if that was from another address, and what came after it; the
    oldest first.
    """
    mine = SignIn.objects.filter(attendant=person, at__lt=now)
    last = mine.filter(what=What.SIGNED_IN).order_by("-at", "-id").first()
    if last is None:
        return []
    after = mine.filter(what__in=TOLD, at__gt=last.at).order_by("-at", "-id")
    found = {(row.at, row.what): row for row in after[: 4 * MOST]}  # a line for each house
    newest = sorted(found.values(), key=lambda row: row.at)[-MOST:]
    return [*([last] if last.address != address else []), *newest]
