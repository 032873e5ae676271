"""A second name under a closed gaming day (B4, C1)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from casino.attendants import permissions
from casino.establishments import gaming_day as days
from casino.gaming_days.freezing import closed_event
from casino.operations import acts
from games.refusals import Refused
from ledger import journal
from ledger.models import Event

if TYPE_CHECKING:
    import uuid
    from datetime import date

    from ledger.wire import StoredEvent

SIGNED: Final = "day.signed"


class NotClosedYet(Refused):
    code = "day_not_closed"


class SignedAlready(Refused):
    code = "day_signed_already"


class OwnClosing(Refused):
    code = "own_closing"


def sign(act: acts.Act, day: date) -> journal.Receipt:
    """
    Put a second name under a closed day.

    :raises NotYours: if the person's role does not let them.
    :raises NotClosedYet: if the day is not closed.
    :raises OwnClosing: if they closed it themselves.
    :raises SignedAlready: if somebody signed it before.
    """
    if act.by is None:
        raise permissions.NotYours("A person signs by name. B4")
    permissions.require(act.by, "approve", act.house)

    def decide() -> acts.Done:
        known = days.standing(act.house.pk)
        told = closed_event(act.house.pk, day)
        if told is None:
            raise NotClosedYet(f"{day} is not closed: there is nothing to sign yet. B4")
        if told.data["by"] == act.actor:
            raise OwnClosing(f"You closed {day} yourself: somebody else signs it. C1")
        if _signed(act.house.pk, told):
            raise SignedAlready(f"{day} is signed already. B4")
        data = {
            "day": day.isoformat(),
            "closed_version": told.stream_version,
            "asked_by": told.data["by"],
            "approved_by": act.actor,
            "standing": known.noted().as_dict,
        }
        return acts.Done(guards={days.STREAM: known.version}, events=[days.new_event(SIGNED, data)])

    return acts.perform(replace(act, request={"do": "sign_day", "day": day.isoformat()}), decide)


def _signed(establishment: uuid.UUID, told: StoredEvent) -> bool:
    later = Event.objects.filter(
        establishment=establishment,
        stream=days.STREAM,
        stream_version__gt=told.stream_version,
        event_type=SIGNED,
    )
    positions = later.values_list("position", flat=True)
    return any(
        event.data["closed_version"] == told.stream_version
        for position in positions
        for event in journal.read(establishment=establishment, after=position - 1, limit=1)
    )
