"""The same request from two devices at the same instant."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection

from casino.attendants.models import Role
from tests.casino import builders
from tests.casino.builders import GAMES, House, opened, opening, throw

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 4


@pytest.fixture
def house() -> House:
    made = builders.house()
    for role in Role:
        made.client(role)
    return made


@pytest.fixture
def on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Writers cannot wait for each other in SQLite's memory: let other threads use a file."""

    def moved() -> None:
        if connection.vendor != "sqlite":
            return
        path = tmp_path / "house.sqlite3"
        connection.ensure_connection()
        with sqlite3.connect(path) as copy:
            connection.connection.backup(copy)
        copy.close()
        monkeypatch.setitem(connection.settings_dict, "NAME", str(path))

    return moved


def at_once(ask: Callable[[int], Any]) -> list[Any]:
    """The answers of threads that ask at the same time, each on a connection of its own."""
    ready = Barrier(AT_ONCE)

    def asking(number: int) -> Any:
        try:
            ready.wait(10)
            return ask(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as threads:
        return list(threads.map(asking, range(AT_ONCE)))


def elsewhere(ask: Callable[[], Any]) -> Any:
    """What another thread finds afterwards."""

    def asking() -> Any:
        try:
            return ask()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asking).result()


def clients(house: House) -> list[Any]:
    return [builders.client(house.attendant) for _ in range(AT_ONCE)]


def test_one_opening_sent_by_many_is_one_game(house: House, on_disk: Callable[[], None]) -> None:
    asking, body = clients(house), opening(house.table)
    on_disk()

    answers = at_once(lambda number: asking[number].post(GAMES, body))

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1


def test_one_throw_sent_by_many_is_one_throw(house: House, on_disk: Callable[[], None]) -> None:
    game, thrown, asking = opened(house), throw("Ada", 2, 2, 7), clients(house)
    on_disk()

    answers = at_once(lambda number: asking[number].post(f"{GAMES}{game}/commands/", thrown))

    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    state = elsewhere(lambda: asking[0].get(f"{GAMES}{game}/").json())
    assert len(state["throws"]) == 1


def test_of_many_throws_for_one_turn_one_is_taken(
    house: House, on_disk: Callable[[], None]
) -> None:
    game, asking = opened(house), clients(house)
    on_disk()

    answers = at_once(
        lambda number: asking[number].post(
            f"{GAMES}{game}/commands/", throw("Ada", 2, 2, number + 3)
        )
    )

    assert sorted(answer.status_code for answer in answers) == [200, *[422] * (AT_ONCE - 1)]
    state = elsewhere(lambda: asking[0].get(f"{GAMES}{game}/").json())
    assert len(state["throws"]) == 1


def test_of_many_games_for_one_table_one_opens(house: House, on_disk: Callable[[], None]) -> None:
    asking = clients(house)
    on_disk()

    answers = at_once(lambda number: asking[number].post(GAMES, opening(house.table)))

    refused = [answer.json()["code"] for answer in answers if answer.status_code == 422]
    assert sorted(answer.status_code for answer in answers) == [201, *[422] * (AT_ONCE - 1)]
    assert set(refused) <= {"table_taken", "dice_taken"}
