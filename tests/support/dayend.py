"""Closing a house's gaming days in tests."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import TYPE_CHECKING

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.acts import acts
from casino.house.establishments import gaming_day
from casino.play.core.subscriptions.tasks import advance
from casino.reports.gaming_days import closing
from ledger import journal
from ledger.accounts import AccountRef, Kind
from tests.support.playing import NOW, done, settled

if TYPE_CHECKING:
    from datetime import date

    from casino.house.attendants.models import Attendant
    from ledger.wire import StoredEvent
    from tests.support.builders import House

TODAY = NOW.date()
TOMORROW = TODAY + gaming_day.A_DAY


def act(
    at: House, do: str = "close", *, by: Attendant | None = None, now: datetime = NOW
) -> acts.Act:
    return acts.Act(
        house=at.establishment,
        by=by or at.manager,
        device="office",
        now=now,
        command_id=uuid.uuid4(),
        request={"do": do},
    )


def begun(at: House, day: date = TODAY, **more: object) -> StoredEvent:
    """The event with which a day's closing begins."""
    receipt = closing.close(act(at, **more), day)  # type: ignore[arg-type]
    return next(
        event for event in acts.events_of(at.id, receipt) if event.event_type == gaming_day.CLOSING
    )


def closed(at: House, day: date = TODAY, *, now: datetime = NOW) -> StoredEvent:
    """What a day came to, closed by hand and settled."""
    begun(at, day, now=now)
    settled(at)
    event = closing.finish(at.establishment, now)
    assert event is not None
    advance(HOUSE, at.id)
    return event


def day_stream(at: House) -> list[str]:
    return [
        f"{event.event_type} {event.data['day'][8:]}"
        for event in journal.stream(establishment=at.id, stream=gaming_day.STREAM)
    ]


def days_of(events: list[StoredEvent]) -> list[int]:
    return [event.provenance.gaming_day.day for event in events]


CUT_OFF = datetime.fromisoformat("2026-11-21T06:00:00+00:00")


def void_approved(house: House, game: uuid.UUID, back_to: int, now: datetime) -> None:
    [requested] = done(house, game, "void", back_to=back_to, reason="Misread.", now=now)
    request = requested.data["request"]
    done(house, game, "approve", by=house.supervisor, request=request, now=now)


def mended(house: House, game: uuid.UUID, ada: AccountRef) -> None:
    """What Ada's account lacks to pay 27 is put there: the cause of the parking is gone."""
    stream = f"adjustment/{game}"
    event = journal.NewEvent(
        stream=stream, event_type="adjustment.made", schema_version=1, data={"reason": "A bug."}
    )
    bank = AccountRef(Kind.BANK, "house")
    transfer = journal.NewTransfer(debit=bank, credit=ada, amount=7, reason="adjustment", event=0)
    acts.perform(
        act(house, "adjust"),
        lambda: acts.Done(guards={stream: 0}, events=[event], transfers=[transfer]),
    )
