"""
What a throw may ask of the database, and of the broker: bounds that need no clock.

Raising one takes a decision record that says what is bought for it; docs/explanation/performance.md
has what it comes to in milliseconds.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import resolve

from casino.engine.processes.queues import waking
from casino.play.core.subscriptions import tasks
from tests.support import builders
from tests.support.playing import PAIR_4, PAIR_7, new_id, opened

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable

    from pytest_django import DjangoCaptureOnCommitCallbacks

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

# On PostgreSQL an append is one statement; on SQLite it is some, within the process.
APPEND: Final = {"postgresql": 1, "sqlite": 6}
OF_MONEY: Final = {"postgresql": 0, "sqlite": 2}  # transfers, and the cursor with them
COMMAND: Final = 6  # who asks, the house, an answer before, the game, names twice
STATE: Final = 4  # who asks, the game, how all stands that it shows, names
PLAYED: Final = 3  # who asks, the game, names
SETTLED: Final = 2  # the cursor with what is behind it, the cursor's move
BOOKED: Final = 4  # cursor and what is behind, the game, whether payouts were held; versions
FOLLOWED: Final = 36  # all else that follows a round of two throws, in one stint
LEVEL: Final = 6  # where nothing is left to be done
TRIED: Final = 5  # addresses that Django compares with one of a table's, one after the other
OF_A_TEST: Final = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")  # which it adds or leaves out


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture
def game(house: House) -> uuid.UUID:
    """A round was played there, and all have followed it: programs know what they need."""
    game = opened(house)
    for _ in range(2):
        thrown(house, game)
        asked(house, game)
    tasks.settle(house.id)
    while tasks.advance_all(house.id):
        pass
    return game


def asked(house: House, game: uuid.UUID) -> Any:
    answer = house.client().get(f"{builders.GAMES}{game}/")
    assert answer.status_code == 200
    return answer.json()


def thrown(house: House, game: uuid.UUID) -> None:
    """By whoever's turn it is; the second of a round ends it."""
    state = asked(house, game)
    dice = PAIR_7 if not state["throws"] or len(state["throws"]) % 2 == 0 else PAIR_4
    body = {
        "do": "throw",
        "player": state["next"]["players"][0],
        "dice": dice,
        "command_id": new_id(),
    }
    answer = house.client().post(f"{builders.GAMES}{game}/commands/", body)
    assert answer.status_code == 200, answer.content


def statements(happens: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as captured:
        happens()
    found = [each["sql"] for each in captured.captured_queries]
    return sum(1 for each in found if not each.lstrip().startswith(OF_A_TEST))


def test_a_command_and_the_state_after_it(house: House, game: uuid.UUID) -> None:
    look = statements(lambda: asked(house, game))

    command = statements(lambda: thrown(house, game)) - look

    assert (command, look) == (COMMAND + APPEND[connection.vendor], STATE)


@pytest.mark.parametrize("rest", ["events/", "explain/1/"])
def test_what_was_played(house: House, game: uuid.UUID, rest: str) -> None:
    """Who asks is read with how their houses show times and amounts."""
    path = f"{builders.GAMES}{game}/{rest}"
    assert house.client().get(path).status_code == 200

    assert statements(lambda: house.client().get(path)) <= PLAYED


@pytest.mark.parametrize("rest", ["", "commands/", "events/"])
def test_what_tables_ask_for_is_found_at_once(rest: str) -> None:
    found = resolve(f"{builders.GAMES}{uuid4()}/{rest}")

    assert len(found.tried or ()) <= TRIED


def test_what_follows_a_round(house: House, game: uuid.UUID) -> None:
    thrown(house, game)
    settled = statements(lambda: tasks.settle(house.id))
    thrown(house, game)
    booked = statements(lambda: tasks.settle(house.id))
    followed = statements(lambda: tasks.advance_all(house.id))
    level = statements(lambda: tasks.advance_all(house.id))

    append = APPEND[connection.vendor] + OF_MONEY[connection.vendor]
    assert (settled, booked - append) == (SETTLED, BOOKED)
    assert (followed, level) == (FOLLOWED, LEVEL)


def test_one_wake_a_command(
    house: House,
    game: uuid.UUID,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    """Where a worker is at hand it has no message: tests/engine/test_waking_at_leisure.py."""
    messages: list[str] = []
    monkeypatch.setattr(tasks.WAKES, "message", messages.append)
    # Workers and messages of other tests are in the Redis of all, which may have been too slow.
    alone = waking.InProcess()
    monkeypatch.setattr(waking, "waiting", lambda: alone)
    monkeypatch.setattr(tasks.WAKES, "_silent_until", -math.inf)

    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            thrown(house, game)

    assert len(messages) == 1
