"""Games looked at through the API: what is played and booked, events, lists, explanations."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from tests.support import builders
from tests.support.api_rounds import PLAYERS, a_round, body_of
from tests.support.builders import GAMES, command, opened, opening, put, settled, throw

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


# --- Looking --------------------------------------------------------------------------------------


@pytest.mark.long("postgresql")
def test_a_game_shows_what_is_played_and_what_is_booked(house: House) -> None:
    game = opened(house)
    put(house, game, *a_round())
    played = body_of(house.client().get(f"{GAMES}{game}/"))
    settled(house)
    booked = body_of(house.client().get(f"{GAMES}{game}/"))

    assert played["stakes"] == {"Ada": 25, "Bruno": 25, "Cleo": 20}
    assert played["booked"] == {"Ada": 25, "Bruno": 25, "Cleo": 25}
    assert booked["booked"] == booked["stakes"] == played["stakes"]
    assert (played["settled_through"], booked["settled_through"]) == (-1, booked["position"])


@pytest.mark.long("postgresql")
def test_a_game_that_stands_still_answers_304(house: House) -> None:
    url = f"{GAMES}{opened(house)}/"
    tag = house.client().get(url).headers["ETag"]

    still = house.client().get(url, headers={"If-None-Match": tag})

    assert (still.status_code, still.content, still.headers["ETag"]) == (304, b"", tag)


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("moved", ["played", "settled"])
def test_a_game_that_moved_answers_anew(house: House, moved: str) -> None:
    game = opened(house)
    url = f"{GAMES}{game}/"
    put(house, game, *a_round())
    tag = house.client().get(url).headers["ETag"]
    if moved == "settled":
        settled(house)
    else:
        put(house, game, throw("Cleo", 1, 1, 4))

    anew = house.client().get(url, headers={"If-None-Match": tag})

    assert anew.status_code == 200
    assert anew.headers["ETag"] != tag


@pytest.mark.long("postgresql")
def test_events_come_a_page_at_a_time_each_once(house: House) -> None:
    game = opened(house)
    put(house, game, *a_round())

    numbers, url = [], f"{GAMES}{game}/events/?limit=2"
    while url:
        page = body_of(house.client().get(url))
        numbers += [event["number"] for event in page["results"]]
        url = page["next"]

    assert numbers == [1, 2, 3, 4, 5]
    assert body_of(house.client().get(page["previous"]))["results"][0]["number"] == 3


@pytest.mark.long("postgresql")
def test_an_event_shows_names_where_the_ledger_has_tokens(house: House) -> None:
    game = opened(house)
    put(house, game, throw("Ada", 2, 2, 7))

    page = body_of(house.client().get(f"{GAMES}{game}/events/?after=1"))

    [thrown] = page["results"]
    assert (thrown["type"], thrown["data"]["player"]) == ("stone_hand.dice_thrown", "Ada")


@pytest.mark.long("postgresql")
def test_a_round_explains_itself_once_it_has_ended(house: House) -> None:
    game = opened(house)
    put(house, game, *a_round())

    body = body_of(house.client().get(f"{GAMES}{game}/explain/1/"))
    running = house.client().get(f"{GAMES}{game}/explain/2/")

    [payment] = body["payments"]
    assert (payment["from"], payment["to"], payment["amount"]) == ("Cleo", "pot", 5)
    assert {row["player"] for row in payment["throws"]} == set(PLAYERS)
    assert running.status_code == 404


def test_the_list_of_games_has_the_newest_first_and_turns_pages_both_ways() -> None:
    house = builders.house(tables=5, dice_sets=5)
    for table in house.tables:
        assert house.client().post(GAMES, opening(table)).status_code == 201
    settled(house)

    first = body_of(house.client().get(f"{GAMES}?limit=2"))
    second = body_of(house.client().get(first["next"]))
    third = body_of(house.client().get(second["next"]))

    found = [card["table"] for page in (first, second, third) for card in page["results"]]
    assert found == [str(table.pk) for table in reversed(house.tables)]
    assert third["next"] is None
    assert body_of(house.client().get(second["previous"]))["results"] == first["results"]


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("status=open", 1),
        ("status=closed", 1),
        ("gaming_day=1999-12-31", 0),
        ("table={other}", 1),
        ("establishment={house}", 2),
        ("establishment={nobody}", 0),
    ],
)
def test_the_list_of_games_is_filtered(house: House, query: str, found: int) -> None:
    put(house, opened(house), command("close"))
    house.client().post(GAMES, opening(house.tables[1]))
    settled(house)

    names = {"house": house.id, "other": house.tables[1].pk, "nobody": uuid4()}
    page = body_of(house.client().get(f"{GAMES}?{query.format(**names)}"))

    assert len(page["results"]) == found
