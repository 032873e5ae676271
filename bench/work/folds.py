"""
Folding events to a state: by the rules alone, from stored bodies, and by `eventsourcing`'s
aggregate.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from bench.work.appends import PLACE, provenance
from bench.work.house import dice_of, game
from casino.house.acts.game_streams import catalogue
from games.stone_hand import STONE_HAND
from ledger import journal, wire

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from games.messages import Fact

Game = tuple["Fact", ...]


def fold(*, games: int) -> dict[str, float]:
    """Events per second in each way. Every game is folded completely, from its first event."""
    chance = dice_of(7)
    played = [_facts(chance) for _ in range(games)]
    ways = {
        "rules": [_by_rules(facts) for facts in played],
        "stored": [_from_bodies(_bodies(facts)) for facts in played],
    }
    try:
        from bench.work import aggregates  # noqa: PLC0415  where eventsourcing is installed
    except ImportError:
        pass
    else:
        replays = [aggregates.replays(_data(facts)) for facts in played]
        ways |= {
            "aggregate": [alone for alone, _ in replays],
            "stored aggregate": [stored for _, stored in replays],
        }
    events = sum(map(len, played))
    return {name: events / _seconds(folds) for name, folds in ways.items()}


def _facts(chance: Random) -> Game:
    return tuple(fact for _, happened in game(chance) for fact in happened)


def _data(facts: Game) -> list[tuple[str, dict[str, Any]]]:
    return [catalogue.event_of_fact(STONE_HAND, fact, PLACE) for fact in facts]


def _seconds(folds: Sequence[Callable[[], object]]) -> float:
    began = time.perf_counter()
    for each in folds:
        each()
    return time.perf_counter() - began


def _by_rules(facts: Game) -> Callable[[], object]:
    return lambda: STONE_HAND.decider.fold(facts, STONE_HAND.decider.initial)


def _from_bodies(bodies: Sequence[tuple[bytes, bytes]]) -> Callable[[], object]:
    """Fold as `casino.house.acts.game_streams.loading` does with the rows that it has read."""
    house = uuid4()

    def replay() -> object:
        events = [
            wire.read_event(house, position, body, leaf)
            for position, (body, leaf) in enumerate(bodies)
        ]
        facts = tuple(catalogue.fact_of_event(STONE_HAND, event) for event in events)
        return STONE_HAND.decider.fold(facts, STONE_HAND.decider.initial)

    return replay


def _bodies(facts: Game) -> list[tuple[bytes, bytes]]:
    entry = journal.Entry(
        provenance=provenance(uuid4()),
        request_hash=bytes(32),
        guards={"game/1": 0},
        events=tuple(
            journal.NewEvent(stream="game/1", event_type=kind, schema_version=1, data=data)
            for kind, data in _data(facts)
        ),
    )
    rows = wire.write(uuid4(), entry)
    return [(row.body, wire.leaf_hash(row.body)) for row in rows]
