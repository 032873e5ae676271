"""
The false share that a house allows among its alarms by evidence: alpha, a setting of the house.

It is read from the events of the house's settings, never from its row: what a throw raised follows
from the ledger alone, so that rows built anew under another setting raise no other alarms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.establishments.models import ALARMS_ONE_IN
from casino.operations.changes import record_stream
from ledger import journal

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.wire import StoredEvent

SETTINGS: Final = record_stream("establishment")
COLUMN: Final = "alarms_one_in"


def alpha_of(one_in: int) -> float:
    """One in so many, as a share."""
    return 1 / one_in


def one_in(alpha: float) -> int:
    """The way back."""
    return round(1 / alpha)


def told(event: StoredEvent) -> int:
    """One in how many a house allows from an event of its settings on."""
    after = event.data.get("after") or {}
    return int(after.get(COLUMN) or ALARMS_ONE_IN)  # the settings of old did not know it


def in_force(establishment: UUID, position: int) -> int:
    """One in how many the house allowed just before a position of its ledger."""
    last = journal.last(establishment=establishment, stream=SETTINGS)
    if last is not None and last.position >= position:  # read again, as when rows are built anew
        before = journal.stream(establishment=establishment, stream=SETTINGS)
        last = next((each for each in reversed(before) if each.position < position), None)
    return ALARMS_ONE_IN if last is None else told(last)
