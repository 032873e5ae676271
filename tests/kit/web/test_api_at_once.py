"""The same request from two devices at the same instant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from casino.house.attendants.models import Role
from tests.support import builders
from tests.support.at_once import at_once, on_a_file
from tests.support.builders import GAMES, House, opened, opening, throw

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 4


@pytest.fixture
def house() -> House:
    made = builders.house()
    for role in Role:
        made.client(role)
    return made


def clients(house: House) -> list[Any]:
    return [builders.client(house.attendant) for _ in range(AT_ONCE)]


def test_one_opening_sent_by_many_is_one_game(house: House, tmp_path: Path) -> None:
    asking, body = clients(house), opening(house.table)
    with on_a_file(tmp_path):
        answers = at_once(AT_ONCE, lambda number: asking[number].post(GAMES, body))

        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.content for answer in answers}) == 1


def test_one_throw_sent_by_many_is_one_throw(house: House, tmp_path: Path) -> None:
    game, thrown, asking = opened(house), throw("Ada", 2, 2, 7), clients(house)
    with on_a_file(tmp_path):
        answers = at_once(
            AT_ONCE, lambda number: asking[number].post(f"{GAMES}{game}/commands/", thrown)
        )

        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.content for answer in answers}) == 1
        state = asking[0].get(f"{GAMES}{game}/").json()
        assert len(state["throws"]) == 1


def test_of_many_throws_for_one_turn_one_is_taken(house: House, tmp_path: Path) -> None:
    game, asking = opened(house), clients(house)
    with on_a_file(tmp_path):
        answers = at_once(
            AT_ONCE,
            lambda number: asking[number].post(
                f"{GAMES}{game}/commands/", throw("Ada", 2, 2, number + 3)
            ),
        )

        assert sorted(answer.status_code for answer in answers) == [200, *[422] * (AT_ONCE - 1)]
        state = asking[0].get(f"{GAMES}{game}/").json()
        assert len(state["throws"]) == 1


def test_of_many_games_for_one_table_one_opens(house: House, tmp_path: Path) -> None:
    asking = clients(house)
    with on_a_file(tmp_path):
        answers = at_once(AT_ONCE, lambda number: asking[number].post(GAMES, opening(house.table)))

        refused = [answer.json()["code"] for answer in answers if answer.status_code == 422]
        assert sorted(answer.status_code for answer in answers) == [201, *[422] * (AT_ONCE - 1)]
        assert set(refused) <= {"table_taken", "dice_taken"}
