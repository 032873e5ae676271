"""Voids as the floor asks for them, and a second person approves them (G4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.playing import (
    LATER,
    done,
)

if TYPE_CHECKING:
    import uuid

    from ledger.wire import StoredEvent
    from tests.support.builders import House


def void(house: House, game: uuid.UUID, back_to: int | str, **more: Any) -> StoredEvent:
    """The void, or the request for one, that the attendant's command comes to."""
    [event] = done(house, game, "void", back_to=back_to, reason="Misread.", **more)
    return event


def requested(house: House, game: uuid.UUID, back_to: int) -> int:
    """A request for a void: after the seconds in which it would take nobody else."""
    event = void(house, game, back_to, now=LATER)
    assert event.event_type == "game.void_requested"
    number: int = event.data["request"]
    return number


def approved(house: House, game: uuid.UUID, back_to: int) -> StoredEvent:
    request = requested(house, game, back_to)
    event = done(house, game, "approve", by=house.supervisor, request=request)[0]
    assert event.event_type == "game.voided"
    return event
