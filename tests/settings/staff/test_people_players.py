"""Staff who play: not at the tables where they record or approve (D1b)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from casino.house.acts import acts
from casino.house.attendants.models import Employment
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.kit.approvals import answers
from casino.kit.approvals.models import RequestRow
from casino.settings.staff import operations
from tests.support import approving, builders, playing
from tests.support.employing import at, employment, last_event, page_of, plays_as, told
from tests.support.playing import PAIR_7

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]


@pytest.fixture(autouse=True)
def _before_all_else(quick_passwords: object) -> None:
    del quick_passwords


@pytest.fixture
def house() -> House:
    return builders.house()


def test_d1b_who_plays_at_a_table_does_not_record_there(house: House) -> None:
    game = playing.opened(house)
    plays_as(house, house.attendant, "Ada")
    version = playing.game_of(house, game).version

    answer = playing.ask(house, game, "throw", player="Ada", dice=list(PAIR_7))

    assert answer.refusal is not None
    assert answer.refusal.code == "own_table"
    assert playing.game_of(house, game).version == version
    by_another = playing.ask(
        house, game, "throw", by=house.supervisor, player="Ada", dice=list(PAIR_7)
    )
    assert by_another.refusal is None


def test_d1b_the_refusal_is_said_on_the_floor_and_by_the_api(house: House) -> None:
    game = builders.opened(house)
    plays_as(house, house.attendant, "Ada")

    api = house.client().post(f"/api/v1/games/{game}/commands/", builders.throw("Ada", 2, 2, 7))
    floor = at(house.attendant).post(
        f"/floor/games/{game}/command/",
        {"do": "throw", "player": "Ada", "dice": ["2", "2", "7"], "command_id": playing.new_id()},
    )

    assert (api.status_code, api.json()["code"]) == (422, "own_table")
    assert "You play at this table" in floor.content.decode()


def test_d1b_nor_approves_there(house: House) -> None:
    game = playing.opened(house)
    playing.round_played(house, game)
    playing.done(house, game, "void", back_to=2, reason="Misread.")
    plays_as(house, house.supervisor, "Ada")

    answer = playing.ask(
        house, game, "approve", by=house.supervisor, request=playing.game_of(house, game).version
    )

    assert answer.refusal is not None
    assert answer.refusal.code == "own_table"


def test_d1b_nor_takes_a_request_back_there(house: House) -> None:
    game = playing.opened(house)
    playing.round_played(house, game)
    playing.done(house, game, "void", back_to=2, reason="Misread.")
    playing.settled(house)
    asked = RequestRow.objects.get(establishment=house.id, game=game)
    plays_as(house, house.attendant, "Ada")

    with pytest.raises(acts.WasRefused) as refused:
        answers.withdraw(approving.act(house, house.attendant), asked.id)

    assert refused.value.code == "own_table"


def test_d1b_nor_seats_themselves(house: House) -> None:
    plays_as(house, house.attendant, "Ada")

    opened = playing.ask_open(house)

    assert opened.refusal is not None
    assert opened.refusal.code == "own_table"
    assert playing.ask_open(house, by=house.supervisor).refusal is None


def test_d1b_at_other_tables_they_work(house: House) -> None:
    plays_as(house, house.attendant, "Zeno")

    assert playing.ask_open(house).refusal is None


def test_d1b_a_manager_links_by_the_name_at_the_table(house: House) -> None:
    playing.opened(house)
    page = page_of(house, house.attendant)

    unknown = at(house.manager).post(page, told("player", player="Nobody"), follow=True)
    at(house.manager).post(page, told("player", player="Ada"))

    assert "Nobody called “Nobody” has played here" in unknown.content.decode()
    token = employment(house, house.attendant).player
    assert pseudonyms.resolve(house.id, token) == "Ada"
    assert b"Ada" not in last_event(house, "employment").body
    assert "Ada" in at(house.auditor).get("/people/").content.decode()
    at(house.manager).post(page, told("player", player=""))
    assert employment(house, house.attendant).player == ""


def test_d1b_two_colleagues_are_not_one_player(house: House) -> None:
    plays_as(house, house.attendant, "Ada")

    with pytest.raises(operations.PlayerTaken):
        plays_as(house, house.supervisor, "Ada")
    with pytest.raises(IntegrityError), transaction.atomic():
        Employment.objects.filter(attendant=house.supervisor).update(
            player=employment(house, house.attendant).player
        )


def test_d1b_a_player_of_another_house_is_nobody_here(house: House) -> None:
    other = builders.house()
    [token] = pseudonyms.player_tokens(other.id, ["Ada"], new=True).values()

    with pytest.raises(ValidationError):
        operations.link_player(
            employment=employment(house, house.attendant), player=token, by=house.manager
        )
