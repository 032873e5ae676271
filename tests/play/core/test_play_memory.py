"""What a process remembers of games has a bound, however many there are and however long."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from casino.house.acts.game_streams.loading import Memory


def game(number: int, *, events: int) -> Any:
    return SimpleNamespace(key=number, version=events)


def remembered(memory: Memory) -> list[int]:
    return [number for number in range(100) if memory.recall(number) is not None]  # type: ignore[arg-type]


def test_of_many_games_those_looked_at_last_are_remembered() -> None:
    memory = Memory(100)

    for number in range(50):
        memory.keep(game(number, events=30))

    assert remembered(memory) == [47, 48, 49]


def test_a_game_that_goes_on_counts_for_what_it_has_become() -> None:
    memory = Memory(100)
    for number in range(3):
        memory.keep(game(number, events=30))

    memory.recall(0)  # type: ignore[arg-type]
    memory.keep(game(0, events=60))

    assert remembered(memory) == [0, 2]


def test_one_that_is_longer_than_all_that_may_be_is_remembered_alone() -> None:
    memory = Memory(100)
    memory.keep(game(1, events=30))

    memory.keep(game(2, events=600))

    assert remembered(memory) == [2]


def test_an_older_state_of_a_game_changes_nothing() -> None:
    memory = Memory(100)
    for _ in range(10):
        memory.keep(game(1, events=60))
        memory.keep(game(1, events=50))

    memory.keep(game(2, events=40))

    assert remembered(memory) == [1, 2]
