"""
Closing a gaming day (B4).

1. `close` begins it: ``day.closing``, at a position. The next day begins there at once; nothing
   new belongs to the old one, which the guard of every entry sees to.
2. Settlement goes on to that position. What it books still belongs to the day of its cause.
3. `finish` freezes the day: ``day.closed`` says what it came to, folded from its own events, and
   lists what is parked or held instead of waiting for it (`casino.gaming_days.freezing`).

Any of it may be killed anywhere and done again; a day is closed once.
"""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from casino.attendants import permissions
from casino.establishments import gaming_day as days
from casino.operations import acts
from casino.settlement.settled import reached
from games.refusals import Refused

if TYPE_CHECKING:
    from datetime import date, datetime

    from casino.attendants.models import Attendant
    from casino.establishments.gaming_day import Standing
    from casino.establishments.models import Establishment
    from ledger import journal


class NothingToClose(Refused):
    code = "nothing_to_close"


class ClosedAlready(Refused):
    code = "day_closed_already"


class StillClosing(Refused):
    code = "day_still_closing"


class OlderDayOpen(Refused):
    code = "older_day_open"


class NotBegun(Refused):
    code = "day_not_begun"


def close(act: acts.Act, day: date) -> journal.Receipt:
    """
    Begin to close a day: the oldest that is open, on or after its cut-off or before.

    :raises NotYours: if the person's role does not let them close a day.
    :raises NothingToClose: if nothing was ever recorded at the house.
    :raises ClosedAlready: if its closing has begun before.
    :raises StillClosing: if another day is being closed at the moment.
    :raises OlderDayOpen: if an older day comes first.
    :raises NotBegun: if by the clock that day has not begun.
    """
    if act.by is not None:
        _may_close(act.by, act.house)

    def decide() -> acts.Done:
        known = days.standing(act.house.pk)
        _closable(act.house, known, day, act.now)
        closing = known.closes(day)
        data = {
            "day": day.isoformat(),
            "by": act.actor,
            "automatic": act.by is None,
            "previous": known.closing_version,
            "standing": closing.as_dict,
        }
        return acts.Done(
            guards={days.STREAM: known.version}, events=[days.new_event(days.CLOSING, data)]
        )

    asked = {"do": "close_day", "day": day.isoformat()}
    receipt = acts.perform(replace(act, request=asked), decide)
    days.MEMORY.forget(act.house.pk)
    return receipt


def _may_close(person: Attendant, house: Establishment) -> None:
    """A manager's act, and one that takes a second factor (D2), as what managers configure."""
    if not permissions.may(person, "configure", house.pk):
        raise permissions.NotYours(f"At {house} its managers close the gaming day. D1")
    permissions.require(person, "configure", house)


def _closable(house: Establishment, known: Standing, day: date, now: datetime) -> None:
    if known.day is None:
        raise NothingToClose("Nothing was recorded at this house yet: no day is open. B4")
    if known.closing is not None and day <= known.closing:
        raise ClosedAlready(f"The closing of {day} has begun already. B4")
    if known.draining is not None:
        raise StillClosing(f"{known.draining} is still being closed: wait until it is booked. B4")
    if day > known.open[0]:
        raise OlderDayOpen(f"{known.open[0]} is still open: close it first. B4")
    if day != known.open[0]:
        raise NothingToClose(f"Nothing was recorded on {day}: there is nothing to close. B4")
    if day > days.gaming_day(house, now):
        raise NotBegun(
            f"By the clock {day} begins at {house.day_cutoff:%H:%M}: it can be closed from then on."
            " B4"
        )


def closes_at(house: Establishment, day: date) -> datetime | None:
    """When a day that nobody closes closes itself: its cut-off, and the house's grace."""
    if house.closing_grace is None:
        return None
    return days.begins(house, day + days.A_DAY) + timedelta(minutes=house.closing_grace)


def due(house: Establishment, now: datetime) -> date | None:
    """The day that closes itself now, if one does."""
    if house.closing_grace is None:
        return None
    known = days.standing(house.pk)
    if known.draining is not None or not known.open:
        return None
    at = closes_at(house, known.open[0])
    return known.open[0] if at is not None and at <= now else None


def close_by_itself(house: Establishment, day: date, now: datetime) -> None:
    """
    Nobody closed a day: the program does, and says so. Twice at once, it begins once.

    :raises Refused: if somebody closed it a moment ago.
    """
    name = f"{days.CLOSING}/{day}"
    act = acts.Act(
        house=house,
        by=None,
        device=days.ACTOR,
        now=now,
        command_id=uuid.uuid5(house.pk, name),
        request={},
    )
    close(act, day)


def behind(establishment: uuid.UUID) -> int:
    """How many events settlement has to deal with before the day that is being closed is booked."""
    known = days.standing(establishment)
    if known.draining is None:
        return 0
    begun = days.entry(establishment, known.closing_version)
    return max(0, begun.position - 1 - reached(establishment))
