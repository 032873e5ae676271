"""Writes the rows of late entries and gaps from the device logs of games."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db.models import F

from casino.play.devices import device_log
from casino.play.devices.models import GapRow, LateRow

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet

    from ledger.wire import StoredEvent

ROWS = (LateRow, GapRow)
State = LateRow.State


def handle(event: StoredEvent) -> None:
    """Write an event into the rows, if it is about a late entry or a gap."""
    if taken := HANDLERS.get(event.event_type):
        taken(event)


def _list(event: StoredEvent) -> None:
    _row(event, State.WAITING).save(force_insert=True)


def _drop(event: StoredEvent) -> None:
    row = _row(event, State.DROPPED)
    _decide(row, event)
    row.save(force_insert=True)


def _row(event: StoredEvent, state: str) -> LateRow:
    data = event.data
    return LateRow(
        **_where(event),
        seq=data["seq"],
        term=data["term"],
        why=data.get("why", ""),
        taken_over_by=event.provenance.actor if data.get("why") == LateRow.Why.TAKEN else "",
        taken_over_why=data.get("reason", ""),
        command_id=data["command_id"],
        command=data["command"],
        words=data["words"],
        made_by=data["made_by"],
        made_at=datetime.fromisoformat(data["made_at"]),
        listed_at=event.provenance.recorded_at,
        refused=data["refused"],
        state=state,
    )


def _where(event: StoredEvent) -> dict[str, Any]:
    return {
        "establishment_id": event.establishment,
        "position": event.position,
        "game": event.data["game"],
        "number": event.stream_version,
        "table_id": event.data["table"],
        "device": event.data["device"],
        "gaming_day": event.provenance.gaming_day,
    }


def _decide(row: LateRow, event: StoredEvent) -> None:
    row.decided_by = event.provenance.actor
    row.decided_at = event.provenance.recorded_at
    row.decided_position = event.position


def _note_refusal(event: StoredEvent) -> None:
    _entry(event).update(tries=F("tries") + 1, refused=event.data["refused"])


def _put(event: StoredEvent) -> None:
    _note_decision(event, State.PUT)


def _dismiss(event: StoredEvent) -> None:
    _note_decision(event, State.DISMISSED)


def _note_decision(event: StoredEvent, state: str) -> None:
    _entry(event).update(
        state=state,
        decided_by=event.provenance.actor,
        decided_at=event.provenance.recorded_at,
        decided_position=event.position,
        reason=event.data.get("reason", ""),
    )


def _entry(event: StoredEvent) -> QuerySet[LateRow]:
    return LateRow.objects.filter(
        establishment=event.establishment, game=event.data["game"], number=event.data["entry"]
    )


def _gap_found(event: StoredEvent) -> None:
    data = event.data
    GapRow.objects.create(
        **_where(event),
        first=data["first"],
        last=data["last"],
        held_by=data["made_by"],
        found_at=event.provenance.recorded_at,
    )


def _gap_filled(event: StoredEvent) -> None:
    gap = _gap(event)
    gap.update(filled=F("filled") + len(event.data["numbers"]))
    whole = gap.filter(filled__gte=F("last") - F("first") + 1)
    whole.update(open=False, closed_at=event.provenance.recorded_at)


def _gap_closed(event: StoredEvent) -> None:
    _gap(event).update(
        open=False,
        closed_by=event.provenance.actor,
        closed_at=event.provenance.recorded_at,
        reason=event.data["reason"],
    )


def _gap(event: StoredEvent) -> QuerySet[GapRow]:
    return GapRow.objects.filter(
        establishment=event.establishment, game=event.data["game"], number=event.data["gap"]
    )


HANDLERS: dict[str, Callable[[StoredEvent], None]] = {
    device_log.LISTED: _list,
    device_log.DROPPED: _drop,
    device_log.REFUSED: _note_refusal,
    device_log.PUT: _put,
    device_log.DISMISSED: _dismiss,
    device_log.GAP_FOUND: _gap_found,
    device_log.GAP_FILLED: _gap_filled,
    device_log.GAP_CLOSED: _gap_closed,
}
