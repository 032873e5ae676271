"""Dice that are not fair, thrown until somebody notices; and the worker that watches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.play.dice.surveillance import queries
from casino.play.dice.surveillance.subscriber import SURVEILLANCE
from tests.support import builders
from tests.support.playing import EMPTY, NOW, opened, thrown

if TYPE_CHECKING:
    from casino.house.establishments.models import Table
    from casino.play.dice.surveillance.models import Alarm
    from ledger.wire import StoredEvent
    from tests.support.builders import House

THROWS = 24  # of three dice that never show but three faces: far beyond doubt


def watched(house: House) -> None:
    """Every throw is counted, and the alarms are listed."""
    builders.followed(SURVEILLANCE, house.id)
    builders.followed(HOUSE, house.id)


def loaded_dice(house: House, *, table: Table | None = None) -> list[StoredEvent]:
    """One player throws empty again and again (SH2): every alarm that this can raise is raised."""
    game = opened(house, table=table, now=NOW)
    events = [event for _ in range(THROWS) for event in thrown(house, game, "Ada", EMPTY)]
    watched(house)
    return events


def open_alarms(house: House) -> list[Alarm]:
    return list(queries.alarms(house.id).filter(open=True))


def stream_columns(row: Any) -> dict[str, Any]:
    """The values of a stream's row, comparable: a driver may give bytes as a view of them."""
    return {name: bytes(value) if name == "state" else value for name, value in row.items()}


def evenings_end(house: House, throws: int) -> None:
    """Ada throws the same three faces so often."""
    game = opened(house)
    for _ in range(throws):
        thrown(house, game, "Ada", EMPTY)
    watched(house)
