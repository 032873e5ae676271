"""The epoch of a house whose ledger was restored from a copy that lacks events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from casino.house.establishments import gaming_day
from ledger import epochs, journal

if TYPE_CHECKING:
    from datetime import datetime

    from casino.house.establishments.models import Establishment


@dataclass(frozen=True, slots=True)
class Restored:
    """
    The current epoch of a house whose ledger was restored.

    :param epoch: its number, from 2. :param since: when it was opened.
    :param copied: when the last event that surely survived was recorded; None if there is none.
    :param lost: the first and the last position that were lost.
    :param today: whether the gaming day on which the epoch was opened is still going on.
    """

    epoch: int
    since: datetime
    copied: datetime | None
    lost: tuple[int, int]
    today: bool


def restoration(house: Establishment, now: datetime) -> Restored | None:
    """What devices and people must know of the house's epoch; None in epoch 1. Two queries."""
    opened = journal.last(establishment=house.pk, stream=epochs.STREAM)
    if opened is None:
        return None
    first, last = opened.data["lost"]["from"], opened.data["lost"]["to"]
    survived = journal.read(establishment=house.pk, after=first - 2, limit=1) if first else []
    return Restored(
        epoch=opened.data["epoch"],
        since=opened.provenance.recorded_at,
        copied=survived[0].provenance.recorded_at if survived else None,
        lost=(first, last),
        today=opened.provenance.gaming_day == gaming_day.current(house, now),
    )


def notice(house: Establishment, now: datetime) -> Restored | None:
    """Like `restoration`, but only until the gaming day ends on which the epoch was opened."""
    found = restoration(house, now)
    return found if found is not None and found.today else None
