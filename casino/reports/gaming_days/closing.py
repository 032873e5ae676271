"""
Closing a gaming day (B4).

1. `close` begins the closing with the event ``day.closing``. The next day begins at its position.
   The guard of every entry makes sure that no new entry belongs to the old day.
2. Settlement continues up to that position. What it books still belongs to the day of its cause.
3. `freezing.finish` freezes the day: ``day.closed`` has the figures of the day, folded from its own
   events. Parked events and held payouts are listed there; the day does not wait for them.

Each step may be interrupted anywhere and repeated; a day is closed only once.
"""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.establishments import gaming_day
from casino.play.settlement.settled import position_of
from casino.words.languages import locales
from games.refusals import Refused

if TYPE_CHECKING:
    from datetime import date, datetime

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.gaming_day import Standing
    from casino.house.establishments.models import Establishment
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
    Begin to close a day: the oldest open day, whether its cut-off has passed or not.

    :raises NotYours: if the person's role does not let them close a day.
    :raises NothingToClose: if nothing was recorded at the house, or on that day.
    :raises ClosedAlready: if the closing of the day has begun before.
    :raises StillClosing: if another day is being closed at the moment.
    :raises OlderDayOpen: if an older day is open, which comes first.
    :raises NotBegun: if the day has not begun by the clock.
    """
    if act.by is not None:
        _may_close(act.by, act.house)

    def decide() -> acts.Done:
        known = gaming_day.standing(act.house.pk)
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
            guards={gaming_day.STREAM: known.version},
            events=[gaming_day.new_event(gaming_day.CLOSING, data)],
        )

    request = {"do": "close_day", "day": day.isoformat()}
    receipt = acts.perform(replace(act, request=request), decide)
    gaming_day.MEMORY.forget(act.house.pk)
    return receipt


def _may_close(person: Attendant, house: Establishment) -> None:
    """
    Check that a person may close a day, as they may configure the house.

    Only managers may, and they need a second factor (D2).
    """
    if not permissions.may(person, "configure", house.pk):
        raise permissions.NotYours(f"At {house} its managers close the gaming day. D1")
    permissions.require(person, "configure", house)


def _closable(house: Establishment, known: Standing, day: date, now: datetime) -> None:
    if known.day is None:
        raise NothingToClose("Nothing was recorded at this house yet: no day is open. B4")
    said = locales.figures_of_day(day)
    if known.closing is not None and day <= known.closing:
        raise ClosedAlready(f"The closing of {said} has begun already. B4")
    if known.draining is not None:
        last = locales.figures_of_day(known.draining)
        raise StillClosing(f"{last} is still being closed: wait until it is booked. B4")
    if day > known.open[0]:
        older = locales.figures_of_day(known.open[0])
        raise OlderDayOpen(f"{older} is still open: close it first. B4")
    if day != known.open[0]:
        raise NothingToClose(f"Nothing was recorded on {said}: there is nothing to close. B4")
    if day > gaming_day.gaming_day(house, now):
        begins = locales.clock(house.day_cutoff)
        raise NotBegun(f"By the clock {said} begins at {begins}: it can be closed from then on. B4")


def closes_at(house: Establishment, day: date) -> datetime | None:
    """When a day is closed automatically: after its cut-off and the house's grace period."""
    if house.closing_grace is None:
        return None
    return gaming_day.begins(house, day + gaming_day.A_DAY) + timedelta(minutes=house.closing_grace)


def due(house: Establishment, now: datetime) -> date | None:
    """The day that is to be closed automatically now, if there is one."""
    if house.closing_grace is None:
        return None
    known = gaming_day.standing(house.pk)
    if known.draining is not None or not known.open:
        return None
    at = closes_at(house, known.open[0])
    return known.open[0] if at is not None and at <= now else None


def close_by_itself(house: Establishment, day: date, now: datetime) -> None:
    """
    Close a day automatically, because nobody has closed it; the event says so.

    Two processes may call this at the same time: the closing begins once.

    :raises Refused: if a person has just closed the day.
    """
    name = f"{gaming_day.CLOSING}/{day}"
    act = acts.Act(
        house=house,
        by=None,
        device=gaming_day.ACTOR,
        now=now,
        command_id=uuid.uuid5(house.pk, name),
        request={},
    )
    close(act, day)


def behind(establishment: uuid.UUID) -> int:
    """How many events settlement must still read before the day being closed is fully booked."""
    known = gaming_day.standing(establishment)
    if known.draining is None:
        return 0
    begun = gaming_day.entry(establishment, known.closing_version)
    return max(0, begun.position - 1 - position_of(establishment))
