"""
The false discovery rate (alpha) of alarms by evidence, a setting of the house.

It is read from the events of the settings, never from the row of the house. So the alarms follow
from the ledger alone, and a rebuild under another setting raises no other alarms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.house.acts.changes import record_stream
from casino.house.establishments.models import ALARMS_ONE_IN
from ledger import journal

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.wire import StoredEvent

SETTINGS_STREAM: Final = record_stream("establishment")
SETTING: Final = "alarms_one_in"


def alpha_of(one_in: int) -> float:
    """The rate alpha of a setting "one in so many"."""
    return 1 / one_in


def one_in_of(alpha: float) -> int:
    """The setting of a rate alpha: the inverse of `alpha_of`."""
    return round(1 / alpha)


def one_in_from(event: StoredEvent) -> int:
    """The setting in an event of the house's settings."""
    after = event.data.get("after") or {}
    return int(after.get(SETTING) or ALARMS_ONE_IN)  # older events do not have it


def one_in_force(establishment: UUID, position: int) -> int:
    """The setting in force just before a position of the ledger."""
    last = journal.last(establishment=establishment, stream=SETTINGS_STREAM)
    if last is not None and last.position >= position:  # a rebuild reads old events
        settings = journal.stream(establishment=establishment, stream=SETTINGS_STREAM)
        last = next((each for each in reversed(settings) if each.position < position), None)
    return ALARMS_ONE_IN if last is None else one_in_from(last)
