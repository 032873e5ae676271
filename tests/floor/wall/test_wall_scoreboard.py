"""The scoreboard on the house's wall: who leads, who rose, what is to win; names as allowed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.floor.players.player_names import choose, number_of
from casino.floor.tables import news
from casino.house.establishments import gaming_day
from casino.play.settlement.models import PrizeRule, Season
from tests.support import builders
from tests.support.cashing import act
from tests.support.dayend import TODAY, closed
from tests.support.playing import NOW, PAIR_4, PAIR_7, opened, round_played, settled, token

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterator

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

ADA, BO = "Ada Lovelace", "Bo Diddley"


@pytest.fixture(autouse=True)
def _no_tickets() -> Iterator[None]:
    news.TICKETS.forget()
    news.DRAWN.forget()
    yield
    news.TICKETS.forget()
    news.DRAWN.forget()


@pytest.fixture
def house() -> House:
    made = builders.house()
    made.establishment.wall = made.establishment.wall_names = True
    made.establishment.save()
    return made


@pytest.fixture
def game(house: House) -> uuid.UUID:
    """Ada has two points, Bo one."""
    PrizeRule.objects.create(
        establishment=house.establishment, kind="points", at=5, prize="A lamp", amount=0
    )
    game = opened(house, players=["Eve", ADA, BO], options={"mode": "scoreboard"}, stake=0)
    for hand in (PAIR_4, (2, 2, 5)):
        round_played(house, game, ("Eve", PAIR_7), (ADA, PAIR_4), (BO, hand))
    settled(house)
    return game


def board(house: House, query: str = "") -> Any:
    address = reverse("wall-board", args=[house.establishment.wall_key])
    return Client().get(f"{address}{query}")


def ranks(text: str) -> list[tuple[str, str]]:
    return re.findall(
        r'class="wall-name">([^<]*)</span>.*?class="wall-points">([^<]*)<', text, re.DOTALL
    )


def test_it_is_a_part_of_the_board_of_the_house(house: House, game: uuid.UUID) -> None:
    text = board(house).content.decode()

    assert ranks(text) == [("Ada L.", "2"), ("Bo D.", "1")]
    assert "A lamp" in text
    assert "5 points" in text
    assert ADA not in text
    assert token(house, game, ADA) not in text
    assert text.count("<section") > 1


def test_a_screen_of_its_own_shows_nothing_else(house: House, game: uuid.UUID) -> None:
    address = reverse("wall", args=[house.establishment.wall_key])
    page = Client().get(f"{address}?part=scoreboards&light").content.decode()

    assert (
        f'data-live="{reverse("wall-board", args=[house.establishment.wall_key])}?part=sco' in page
    )
    text = board(house, "?part=scoreboards")
    assert text.content.decode().count("<section") == 1
    assert text["ETag"] != board(house)["ETag"]
    assert board(house, "?part=nonsense").content == board(house).content
    assert game


def test_a_name_is_shown_as_its_player_allows_from_then_on(house: House, game: uuid.UUID) -> None:
    ada = token(house, game, ADA)
    before = board(house)["ETag"]

    choose(act(house, by=house.attendant), player=ada, shown="number")

    answer = board(house)
    assert ranks(answer.content.decode())[0] == (f"number {number_of(ada)}", "2")
    assert answer["ETag"] != before


def test_a_season_that_has_just_begun_shows_who_won_the_one_before(
    house: House, game: uuid.UUID
) -> None:
    assert game
    Season.objects.filter(establishment=house.id).update(last_day=TODAY)
    closed(house)
    settled(house)
    later = NOW + gaming_day.A_DAY
    after = opened(
        house, players=["Eve", BO], options={"mode": "scoreboard"}, stake=0,
        table=house.tables[1], now=later,
    )  # fmt: skip
    round_played(house, after, ("Eve", PAIR_7), (BO, PAIR_4), now=later)
    settled(house)

    assert ranks(board(house).content.decode()) == [("Bo D.", "1"), ("Ada L.", "2"), ("Bo D.", "1")]


def test_a_season_that_does_not_run_and_one_without_points_are_left_out(
    house: House, game: uuid.UUID
) -> None:
    Season.objects.filter(establishment=house.id).update(state="ended", last_day="2026-11-22")

    assert ranks(board(house).content.decode()) == []
    assert game
