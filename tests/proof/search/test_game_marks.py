"""Who saw a game before is told what changed since, whatever changed it: no board is stale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.kit.approvals import operations as approvals
from casino.kit.approvals import requests
from casino.money.payouts import adjustments, resuming
from casino.money.payouts.adjustments import Adjustment
from casino.play.settlement import payout_holds
from casino.play.settlement.models import PrizeRule
from games.payments import HOUSE
from tests.support import builders
from tests.support.approving import act
from tests.support.playing import NOW, opened, round_played, settled, token

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable

    from casino.house.acts import acts
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


def decided(house: House, asked: acts.Act) -> None:
    request = requests.id_of(house.id, asked.command_id)
    approvals.decide(act(house, house.manager), request, approve=True)
    settled(house)


def resumed(house: House, _game: uuid.UUID) -> None:
    mine = act(house, house.supervisor)
    resuming.ask(mine, reason="Looked at.")
    decided(house, mine)


def adjusted(house: House, game: uuid.UUID) -> None:
    mine = act(house, house.attendant)
    bo = token(house, game, "Bo")
    what = Adjustment(game=game, giver=bo, taker=HOUSE, amount=3, round_no=1)
    adjustments.ask(mine, what, reason="Too much.")
    decided(house, mine)


def prized_elsewhere(house: House, _game: uuid.UUID) -> None:
    """A prize reached in another game rests on the points of this one: nobody voids it any more."""
    PrizeRule.objects.create(
        establishment=house.establishment, kind=PrizeRule.Kind.POINTS, at=1, prize="A bottle"
    )
    other = opened(house, table=house.tables[1], options={"mode": "scoreboard"}, stake=0)
    round_played(house, other)
    settled(house)


WITHOUT_AN_EVENT_OF_THE_GAME = (resumed, adjusted, prized_elsewhere)


@pytest.fixture
def game(house: House) -> uuid.UUID:
    payout_holds.stop_payouts(house.establishment, why="regrade", about="x", now=NOW)
    game = opened(house)
    for _ in range(3):  # Bo wins Ada's 20 out of the pot
        round_played(house, game)
    settled(house)
    return game


def board(house: House, game: uuid.UUID, tag: str = "") -> Any:
    client = Client()
    client.force_login(house.attendant)
    return client.get(reverse("floor-board", args=[game]), headers={"If-None-Match": tag})


def answer(house: House, game: uuid.UUID, tag: str = "") -> Any:
    return house.client().get(f"/api/v1/games/{game}/", headers={"If-None-Match": tag})


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("shown", [board, answer])
@pytest.mark.parametrize("happens", WITHOUT_AN_EVENT_OF_THE_GAME)
def test_what_changed_without_an_event_of_the_game_is_shown(
    house: House,
    game: uuid.UUID,
    happens: Callable[[House, uuid.UUID], None],
    shown: Callable[..., Any],
) -> None:
    tag = shown(house, game).headers["ETag"]
    assert shown(house, game, tag).status_code == 304

    happens(house, game)

    assert shown(house, game, tag).status_code == 200


def test_a_board_is_not_the_same_for_somebody_else(house: House, game: uuid.UUID) -> None:
    """D3: at a shared tablet another person sees their own requests and offers."""
    tag = board(house, game).headers["ETag"]
    client = Client()
    client.force_login(house.supervisor)

    again = client.get(reverse("floor-board", args=[game]), headers={"If-None-Match": tag})

    assert again.status_code == 200
