"""Writes the steps of dice sets: one row for each event of a set, except events of games (F1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from casino.play.dice.models import DiceStep, State

if TYPE_CHECKING:
    from ledger.wire import StoredEvent

ROWS: Final = (DiceStep,)
STREAM, RECORD = "dice/", "record/dice_set"
IN_GAMES: Final = frozenset({"dice.placed", "dice.lifted"})


def handle(event: StoredEvent) -> None:
    """Write an event into the rows, if it is a step of a dice set."""
    if event.stream == RECORD:
        _note_change(event)
    elif event.stream.startswith(STREAM) and event.event_type not in IN_GAMES:
        data = event.data
        _keep(
            event,
            UUID(event.stream.removeprefix(STREAM)),
            event.event_type.partition(".")[2],
            table=_id(data.get("table")) if event.event_type == "dice.issued" else None,
            game=_id(data.get("game")),
            in_order=data.get("in_order"),
            supplier=data.get("supplier", ""),
            reference=data.get("reference", ""),
            said=data.get("finding") or data.get("reason") or "",
        )


def _note_change(event: StoredEvent) -> None:
    """Handle a change of a set under Settings. That a set was received is in its own stream."""
    data = event.data
    before, after = data.get("before"), data["after"]
    if before is None:
        if after.get("state") == State.RECEIVED:
            return
        what = DiceStep.What.ADDED
    elif before["withdrawn"] == after["withdrawn"]:
        what = DiceStep.What.CHANGED
    else:
        gone = after["withdrawn"]
        what = DiceStep.What.WITHDRAWN if gone else DiceStep.What.REINSTATED
    _keep(event, UUID(data["id"]), what, said=data.get("reason") or "")


def _keep(event: StoredEvent, dice_set: UUID, what: str, **more: Any) -> None:
    provenance = event.provenance
    DiceStep.objects.update_or_create(
        establishment_id=event.establishment,
        position=event.position,
        defaults={
            "dice_set": dice_set,
            "what": what,
            "at": provenance.recorded_at,
            "gaming_day": provenance.gaming_day,
            "actor": provenance.actor,
            "asked_by": event.data.get("asked_by") or "",
            **more,
        },
    )


def _id(text: str | None) -> UUID | None:
    return UUID(text) if text else None
