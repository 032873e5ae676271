"""Acknowledge an alarm about dice, by name and with a reason (control F2)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.play.dice.surveillance import alarms
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from uuid import UUID

    from casino.house.attendants.permissions import Act

ACKNOWLEDGE: Final[Act] = "approve"
"""The permission that acknowledging an alarm needs, on pages, in the API and here."""
REASON_MAX = 500


class NoSuchAlarm(Refused):
    code = "no_such_alarm"


class NotOpen(Refused):
    code = "not_open"


class ReasonNeeded(Refused):
    code = "reason_needed"


def acknowledge(act: acts.Act, *, alarm: UUID, reason: str) -> journal.Receipt:
    """
    Acknowledge an alarm, with what was found. A new count of its stream begins.

    :raises NotYours: if the person may not `ACKNOWLEDGE` at the house.
    :raises ReasonNeeded: without a reason.
    :raises NoSuchAlarm: if the house has no alarm with this id.
    :raises NotOpen: if it was acknowledged before.
    """
    if act.by is None:
        raise permissions.NotYours("An alarm is acknowledged by a person. F2")
    permissions.require(act.by, ACKNOWLEDGE, act.house)
    reason_text = reason.strip()[:REASON_MAX]
    act = replace(act, request={"do": "acknowledge", "alarm": str(alarm), "reason": reason_text})

    def decide() -> acts.Done:
        if not reason_text:
            raise ReasonNeeded("reason: say what was found, in a few words. F2")
        stream = alarms.stream_of(alarm)
        events = journal.stream(establishment=act.house.pk, stream=stream)
        if not events:
            raise NoSuchAlarm("This house has no such alarm. F2")
        raised, *later = events
        if later:
            raise NotOpen("The alarm was acknowledged already. F2")
        event = alarms.event_of_acknowledgement(raised, pseudonyms.keep(act.house.pk, reason_text))
        return acts.Done(guards={stream: raised.stream_version}, events=(event,))

    return acts.perform(act, decide)
