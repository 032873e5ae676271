"""A game opened wrongly is opened anew, before any throw: one tap, and the form as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from casino.floor.tables import open_form
from casino.play.core import queries
from tests.support import builders, two_people
from tests.support.playing import (
    PAIR_7,
    ask_open,
    balances,
    game_of,
    new_id,
    nothing_parked,
    opened,
    settled,
    thrown,
)

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    made = builders.house(dice_sets=0)
    builders.dice_for_every_game(made.establishment, sets=1)
    return made


def opened_again(house: House, game: uuid.UUID) -> Any:
    client = two_people.office(house.attendant)
    return client.post(reverse("floor-anew", args=[game]), follow=True)


def test_it_is_closed_paid_back_and_asked_again_as_it_was(house: House) -> None:
    game = opened(
        house, players=["Ada", "Bo", "Cyd"], stake=30, first="Bo",
        options={"rethrow": 2}, fee={"kind": "seat", "amount": 1},
    )  # fmt: skip

    page = opened_again(house, game)
    settled(house)

    assert page.status_code == 200
    form = page.context["form"]
    assert [seat["name"] for seat in form["players"] if seat["name"]] == ["Ada", "Bo", "Cyd"]
    assert (form["stake"], form["first"]) == ("30", 1)
    assert queries.running_game(house.table) is None
    assert balances(house) == {}
    assert nothing_parked(house)
    assert [fact.__class__.__name__ for fact in game_of(house, game).facts][-4:] == [
        "GameEnded", "CashedOut", "CashedOut", "CashedOut",
    ]  # fmt: skip


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(
    ("game", "more"),
    [
        ("cinnabar-gate", {"options": {"empty": "also"}}),
        ("river", {"price": 3}),
        ("threes-away", {"options": {"ante": 2}}),
        ("dice-breaker", {"options": {"ante": 3}}),
    ],
)
def test_every_game_is_asked_again_as_it_was(house: House, game: str, more: dict[str, Any]) -> None:
    before = opened(house, game=game, players=["Ada", "Bo", "Cyd"], **more)
    form = open_form.fill_form(game_of(house, before))
    opened_again(house, before)

    answer = ask_open(house, {**open_form.command(form), "do": "open", "command_id": new_id()})

    assert answer.refusal is None
    assert opening(house, answer.key.game) == opening(house, before)


def opening(house: House, game: uuid.UUID) -> dict[str, Any]:
    data = dict(game_of(house, game).opening.data)
    return {name: data[name] for name in data if name not in {"at", "dice_set"}}


def test_tapped_twice_it_is_closed_once(house: House) -> None:
    game = opened(house)

    opened_again(house, game)
    version = game_of(house, game).version
    again = opened_again(house, game)

    assert again.status_code == 200
    assert game_of(house, game).version == version


def test_where_somebody_has_thrown_it_is_refused_and_says_why(house: House) -> None:
    game = opened(house)
    thrown(house, game, "Ada", PAIR_7)

    answer = opened_again(house, game)

    assert answer.status_code == 422
    assert "Somebody has thrown" in answer.text
    assert not game_of(house, game).closed


def test_what_was_recorded_says_on_paper_when_it_was_printed(house: House) -> None:
    game = opened(house)

    page = two_people.office(house.attendant).get(reverse("floor-log", args=[game]))

    assert 'class="print-foot"' in page.text
    assert house.establishment.name in page.text
