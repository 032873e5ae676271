"""Writes the rows of exclusions, refused seats and limits from the house's events (P1)."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING
from uuid import UUID

from casino.play.exclusions import limits
from casino.play.exclusions import operations as exclusions
from casino.play.exclusions.models import Exclusion, PlayerLimit, SeatRefused
from casino.play.exclusions.operations import read_limits

if TYPE_CHECKING:
    from ledger.wire import StoredEvent

ROWS = (Exclusion, SeatRefused, PlayerLimit)


def handle(event: StoredEvent) -> None:
    """Write an event of the house into the rows, if it is about exclusions."""
    match event.event_type:
        case exclusions.EXCLUDED:
            _exclude(event)
        case exclusions.READMITTED:
            _readmit(event)
        case exclusions.SEAT_REFUSED:
            _note_refusal(event)
        case limits.LIMITED:
            _keep_limits(event)


def _exclude(event: StoredEvent) -> None:
    data = event.data
    Exclusion.objects.create(
        establishment_id=event.establishment,
        position=event.position,
        player=data["player"],
        since=date.fromisoformat(data["since"]),
        until=date.fromisoformat(data["until"]) if data["until"] else None,
        reason=data["reason"],
        by=event.provenance.actor,
        at=event.provenance.recorded_at,
    )


def _readmit(event: StoredEvent) -> None:
    standing = Exclusion.objects.filter(
        establishment=event.establishment, player=event.data["player"], lifted_at__isnull=True
    )
    standing.update(
        lifted_at=event.provenance.recorded_at,
        lifted_by=event.provenance.actor,
        lifted_because=event.data["reason"],
    )


def _note_refusal(event: StoredEvent) -> None:
    provenance = event.provenance
    SeatRefused.objects.bulk_create(
        SeatRefused(
            establishment_id=event.establishment,
            position=event.position,
            player=hit["player"],
            named=hit["named"],
            game=UUID(event.data["game"]) if event.data["game"] else None,
            table=event.data["table"] or "",
            by=provenance.actor,
            at=provenance.recorded_at,
            gaming_day=provenance.gaming_day,
        )
        for hit in {each["player"]: each for each in event.data["hits"]}.values()
    )


def _keep_limits(event: StoredEvent) -> None:
    rows = PlayerLimit.objects.filter(
        establishment=event.establishment, player=event.data["player"]
    )
    rows.delete()
    PlayerLimit.objects.bulk_create(limits_of(event))


def limits_of(event: StoredEvent) -> list[PlayerLimit]:
    """The rows of a player's limits after the event that set them."""
    return [
        PlayerLimit(
            establishment_id=event.establishment,
            player=event.data["player"],
            span=span,
            most=each.most,
            then=each.then,
            since=each.since,
            position=event.position,
            by=event.provenance.actor,
            at=event.provenance.recorded_at,
        )
        for span, each in read_limits(event.data["limits"]).items()
        if each.most is not None or each.since is not None
    ]
