"""The same games as aggregates of `eventsourcing`, which keep less of a game than the rules do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from eventsourcing.domain import Aggregate, event
from eventsourcing.persistence import (
    DatetimeAsISO,
    JSONTranscoder,
    Mapper,
    UUIDAsHex,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from uuid import UUID


class GameSession(Aggregate):
    """Counts throws and keeps stakes; hands, turns, ties and voids are left out."""

    @event("Opened")
    def __init__(self, players: list[dict[str, Any]]) -> None:
        self.stakes = {seat["name"]: seat["stake"] for seat in players} | {"pot": 0}
        self.throws: list[list[int]] = []

    @event("Thrown")
    def throw(self, dice: list[int], data: dict[str, Any]) -> None:
        del data
        self.throws.append(dice)

    @event("Happened")
    def happen(self, data: dict[str, Any]) -> None:
        for payment in data.get("payments", ()):
            self.stakes[payment["from"]] -= payment["amount"]
            self.stakes[payment["to"]] += payment["amount"]


def replays(
    events: Sequence[tuple[str, dict[str, Any]]],
) -> tuple[Callable[[], object], Callable[[], object]]:
    """Functions that replay a game: from its domain events, and from what the recorder stores."""
    transcoder = JSONTranscoder()
    transcoder.register(UUIDAsHex())
    transcoder.register(DatetimeAsISO())
    mapper: Mapper[UUID] = Mapper(transcoder)
    domain_events = _aggregate(events).collect_events()
    stored = [mapper.to_stored_event(each) for each in domain_events]
    return (
        lambda: _replayed(domain_events),
        lambda: _replayed([mapper.to_domain_event(each) for each in stored]),
    )


def _aggregate(events: Sequence[tuple[str, dict[str, Any]]]) -> GameSession:
    (_, opening), *later = events
    session = GameSession(players=opening["players"])
    for kind, data in later:
        if kind.endswith("dice_thrown"):
            session.throw(dice=data["dice"], data=data)
        else:
            session.happen(data=data)
    return session


def _replayed(domain_events: Sequence[Any]) -> object:
    session = None
    for each in domain_events:
        session = each.mutate(session)
    return session
