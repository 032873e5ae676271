"""What is sent to a game once more, and lists of commands: each counts once, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from ledger.models import Event
from tests.support import builders
from tests.support.api_rounds import a_round, body_of
from tests.support.builders import GAMES, opened, opening, put, settled, throw

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


# --- Asked again ----------------------------------------------------------------------------------


@pytest.mark.long("postgresql")
def test_the_same_opening_again_gets_the_same_bytes(house: House) -> None:
    body = opening(house.table)
    first = house.client().post(GAMES, body)
    put(house, body_of(first)["id"], *a_round())
    events = Event.objects.count()

    again = house.client().post(GAMES, body)

    assert (again.status_code, again.content) == (201, first.content)
    assert Event.objects.count() == events


def test_the_same_command_again_gets_the_same_bytes_whatever_came_between(house: House) -> None:
    game = opened(house)
    *before, last = a_round()
    put(house, game, *before)
    url = f"{GAMES}{game}/commands/"
    first = house.client().post(url, last)
    settled(house)
    put(house, game, throw("Cleo", 1, 1, 4))
    events = Event.objects.count()

    again = house.client().post(url, last)

    assert first.status_code == again.status_code == 200
    assert again.content == first.content
    assert body_of(first)["events"][0]["type"] == "stone_hand.dice_thrown"
    assert Event.objects.count() == events


@pytest.mark.long("postgresql")
def test_a_list_may_be_sent_again_as_a_whole(house: House) -> None:
    game = opened(house)
    url, commands = f"{GAMES}{game}/commands/", a_round()
    put(house, game, commands[0])

    first, again = (house.client().post(url, commands) for _ in range(2))

    assert body_of(first)["done"] == 3
    assert again.content == first.content


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("changed", [{"dice": [1, 2, 4]}, {"occurred_at": "2026-01-01T20:00:00Z"}])
def test_a_command_id_used_for_something_else_is_a_conflict(
    house: House, changed: dict[str, Any]
) -> None:
    game, thrown = opened(house), throw("Ada", 2, 2, 7)
    put(house, game, thrown)

    answer = house.client().post(f"{GAMES}{game}/commands/", {**thrown, **changed})

    assert (answer.status_code, body_of(answer)["code"]) == (409, "command_reused")
    assert body_of(answer)["command_id"] == thrown["command_id"]


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("changed", ["table", "dice_set", "players"])
def test_an_opening_under_the_same_id_with_another_body_is_a_conflict(
    house: House, changed: str
) -> None:
    other = {
        "table": str(house.tables[1].pk),
        "dice_set": str(house.dice_sets[1].pk),
        "players": ["Ada", "Bruno"],
    }
    body = opening(house.table)
    house.client().post(GAMES, body)

    answer = house.client().post(GAMES, {**body, changed: other[changed]})

    assert (answer.status_code, body_of(answer)["code"]) == (409, "command_reused")


@pytest.mark.long("postgresql")
def test_a_refused_command_stays_refused_until_it_is_asked_under_a_new_id(house: House) -> None:
    game, early = opened(house), throw("Bruno", 3, 3, 8)
    url = f"{GAMES}{game}/commands/"
    first = house.client().post(url, early)
    put(house, game, throw("Ada", 2, 2, 7))

    again = house.client().post(url, early)
    anew = house.client().post(url, {**early, "command_id": str(uuid4())})

    assert (first.status_code, body_of(first)["code"]) == (422, "not_your_turn")
    assert again.content == first.content
    assert anew.status_code == 200


# --- Lists ----------------------------------------------------------------------------------------


@pytest.mark.long("postgresql")
def test_a_list_is_carried_out_in_order(house: House) -> None:
    game = opened(house)

    results = put(house, game, *a_round())

    assert [result["version"] for result in results] == [2, 3, 5]
    assert [len(result["events"]) for result in results] == [1, 1, 2]


@pytest.mark.long("postgresql")
def test_a_list_stops_at_the_first_refusal_and_says_how_far_it_got(house: House) -> None:
    game = opened(house)
    ada, bruno, cleo = a_round()

    answer = house.client().post(f"{GAMES}{game}/commands/", [ada, cleo, bruno])

    body = body_of(answer)
    assert (answer.status_code, body["code"], body["done"]) == (422, "not_your_turn", 1)
    assert body["command_id"] == cleo["command_id"]
    assert [result["command_id"] for result in body["results"]] == [ada["command_id"]]
    assert Event.objects.filter(stream=f"game/{game}").count() == 2


@pytest.mark.long("postgresql")
def test_a_malformed_command_in_a_list_leaves_nothing_half_done(house: House) -> None:
    game = opened(house)
    ada, bruno, _ = a_round()

    answer = house.client().post(f"{GAMES}{game}/commands/", [ada, {**bruno, "dice": "3-3-8"}])

    assert (answer.status_code, body_of(answer)["code"]) == (400, "malformed")
    assert Event.objects.filter(stream=f"game/{game}").count() == 1


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("length", [0, 501])
def test_a_list_holds_one_to_five_hundred_commands(house: House, length: int) -> None:
    game = opened(house)

    answer = house.client().post(
        f"{GAMES}{game}/commands/", [throw("Ada", 2, 2, 7) for _ in range(length)]
    )

    assert (answer.status_code, body_of(answer)["code"]) == (400, "malformed")
