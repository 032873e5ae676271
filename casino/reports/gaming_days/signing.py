"""The second signature under a closed gaming day (B4, C1)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.establishments import gaming_day
from casino.reports.gaming_days.closing import event_of_close
from casino.words.languages.locales import figures_of_day
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
    Sign a closed day as the second person.

    :raises NotYours: if the person's role does not let them sign.
    :raises NotClosedYet: if the day is not closed.
    :raises OwnClosing: if the person closed the day.
    :raises SignedAlready: if somebody signed it before.
    """
    if act.by is None:
        raise permissions.NotYours("A person signs by name. B4")
    permissions.require(act.by, "approve", act.house)

    def decide() -> acts.Done:
        known = gaming_day.day_state(act.house.pk)
        closed = event_of_close(act.house.pk, day)
        said = figures_of_day(day)
        if closed is None:
            raise NotClosedYet(f"{said} is not closed: there is nothing to sign yet. B4")
        if closed.data["by"] == act.actor:
            raise OwnClosing(f"You closed {said} yourself: somebody else signs it. C1")
        if _sign(act.house.pk, closed):
            raise SignedAlready(f"{said} is signed already. B4")
        data = {
            "day": day.isoformat(),
            "closed_version": closed.stream_version,
            "asked_by": closed.data["by"],
            "approved_by": act.actor,
            "standing": known.noted().as_dict,
        }
        return acts.Done(
            guards={gaming_day.STREAM: known.version}, events=[gaming_day.new_event(SIGNED, data)]
        )

    return acts.perform(replace(act, request={"do": "sign_day", "day": day.isoformat()}), decide)


def _sign(establishment: uuid.UUID, closed: StoredEvent) -> bool:
    later = Event.objects.filter(
        establishment=establishment,
        stream=gaming_day.STREAM,
        stream_version__gt=closed.stream_version,
        event_type=SIGNED,
    )
    positions = later.values_list("position", flat=True)
    return any(
        event.data["closed_version"] == closed.stream_version
        for position in positions
        for event in journal.read(establishment=establishment, after=position - 1, limit=1)
    )
