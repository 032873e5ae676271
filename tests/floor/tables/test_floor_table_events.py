"""The floor beside the play: breaks, handovers, other dice, disputes, witnesses."""

from __future__ import annotations

import uuid
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from tests.support import builders
from tests.support.playing import PAIR_4, PAIR_7, done, game_of, opened, round_played, thrown

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]


@pytest.fixture
def house() -> House:
    return builders.house()


def at_their_tablet(who: Attendant) -> Any:
    """Everybody has a device of their own: the first to record a game goes on recording it."""
    client = builders.signed_in(who)
    client.cookies["device"] = f"floor-{who.pk.hex[:12]}"
    return client


def post(who: Attendant, game: uuid.UUID, do: str, **fields: Any) -> Any:
    sent = {"do": do, "command_id": str(uuid.uuid4()), **fields}
    address = reverse("floor-command", args=[game])
    return at_their_tablet(who).post(address, sent, format="multipart")


def seen(who: Attendant, game: uuid.UUID, name: str = "floor-game") -> str:
    answer = at_their_tablet(who).get(reverse(name, args=[game]))
    assert answer.status_code == HTTPStatus.OK
    text: str = answer.text
    return text


def test_a_paused_table_offers_to_go_on_and_nothing_else_to_throw(house: House) -> None:
    game = opened(house)

    post(house.attendant, game, "pause", note="dice on the floor")
    page = seen(house.attendant, game)

    assert "The table is paused" in page
    assert "paused: dice on the floor" in page
    assert 'id="do-resume"' in page
    assert "data-face" not in page
    post(house.attendant, game, "resume")
    assert "data-face" in seen(house.attendant, game)


def test_b3_only_who_is_named_is_asked_to_take_the_table(house: House) -> None:
    game = opened(house)
    thrown(house, game, "Ada", PAIR_7)
    to = str(house.supervisor.pk)

    page = seen(house.attendant, game, "floor-table-events")
    assert to in page
    assert str(house.auditor.pk) not in page
    post(house.attendant, game, "handover", to=to)

    assert 'id="do-take-over"' in seen(house.supervisor, game)
    assert 'id="do-take-over"' not in seen(house.attendant, game)
    assert "hands the table over to" in seen(house.attendant, game)
    post(house.supervisor, game, "handover", to=to)
    assert 'id="do-take-over"' not in seen(house.supervisor, game)
    assert "takes the table over from" in seen(house.supervisor, game)


def test_f1_only_sets_that_fit_are_offered_between_rounds(house: House) -> None:
    game = opened(house)
    unfit = builders.dice_set(house.establishment, sides=6)

    page = seen(house.attendant, game, "floor-table-events")
    assert str(house.dice_sets[1].pk) in page
    assert str(unfit.pk) not in page
    thrown(house, game, "Ada", PAIR_7)
    assert "Dice are changed between rounds" in seen(house.attendant, game, "floor-table-events")
    thrown(house, game, "Bo", PAIR_4)
    chosen = str(house.dice_sets[1].pk)
    answer = post(house.attendant, game, "change_dice", dice_set=chosen, reason="chipped")
    assert answer.status_code == HTTPStatus.FOUND
    assert "Other dice: chipped" in seen(house.attendant, game)
    assert game_of(house, game).place["dice_set"] == chosen


def test_c3_a_dispute_is_raised_and_seen_on_the_board_and_in_its_round(house: House) -> None:
    game = opened(house)
    round_played(house, game)

    post(house.attendant, game, "dispute", round="1", reason="Ada says a one")

    page = seen(house.attendant, game)
    assert "Dispute 5 is open" in page
    text = builders.signed_in(house.auditor).get(reverse("floor-round", args=[game, 1])).text
    assert "Dispute 5, about round 1: Ada says a one" in text


def test_a7_a_payout_is_witnessed_by_somebody_else(house: House) -> None:
    game = opened(house, stake=7)
    round_played(house, game)

    assert "Somebody else has to." in seen(house.attendant, game, "floor-table-events")
    page = seen(house.supervisor, game, "floor-table-events")
    assert "I saw it" in page
    payout = f"{game_of(house, game).version}.0"
    post(house.supervisor, game, "witness", payout=payout)
    assert "witnessed" in seen(house.supervisor, game, "floor-table-events")


def test_who_only_looks_has_no_page_beside_the_play(house: House) -> None:
    game = opened(house)

    answer = builders.signed_in(house.auditor).get(reverse("floor-table-events", args=[game]))
    stranger = builders.signed_in(builders.house().attendant)

    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert (
        stranger.get(reverse("floor-table-events", args=[game])).status_code == HTTPStatus.NOT_FOUND
    )


@pytest.mark.parametrize("game", ["cinnabar-gate", "river", "threes-away", "dice-breaker"])
def test_every_game_has_it(house: House, game: str) -> None:
    builders.dice_for_every_game(house.establishment, sets=1)
    price: dict[str, Any] = {"price": 2} if game == "river" else {}
    running = opened(house, game=game, **price)

    done(house, running, "pause")
    assert 'id="do-resume"' in seen(house.attendant, running)
    assert 'id="do-handover"' in seen(house.attendant, running, "floor-table-events")
    done(house, running, "resume")
    assert 'id="do-hand-over"' in seen(house.attendant, running)
