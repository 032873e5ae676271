"""What a void takes back, said before it is asked for and before it is answered (G4)."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from casino.settings.staff.sign_in import one_time_approval
from tests.support import builders, playing
from tests.support.playing import PAIR_4, PAIR_7, game_of, opened, round_played, thrown
from tests.support.supervising import (
    address,
    answers,
    by_name,
    by_pin,
    last,
    refuses,
    waiting,
    with_pins_and_passwords,
)

if TYPE_CHECKING:
    import uuid

    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]


@pytest.fixture(autouse=True)
def _before_all_else(quick_passwords: object) -> None:
    del quick_passwords


@pytest.fixture
def house() -> House:
    return with_pins_and_passwords()


# --- What is answered is what was shown -----------------------------------------------------------


def test_g4_what_goes_back_is_said_before_it_is_asked_and_before_it_is_answered(
    house: House, game: uuid.UUID, device: Client
) -> None:
    before = device.get(address(game, "void"), {"event": 3}).content.decode()
    after = device.get(address(game), {"request": waiting(house, game)[0]}).content.decode()

    assert "1 throw<" in before
    assert "2 throws" in after
    assert "1 round that had ended" in after
    assert "7 r of payments" in after.replace("\xa0", " ")
    assert "entered wrongly" in after


def test_g4_an_answer_to_what_has_moved_on_is_not_taken(
    house: House, game: uuid.UUID, device: Client
) -> None:
    before = game_of(house, game).version
    thrown(house, game, "Ada", PAIR_7)

    answer = answers(device, house, game, **by_pin(house.supervisor), version=before)

    refuses(answer, "Look again")
    assert "3 throws" in answer.content.decode()


def test_g4_nor_is_one_that_something_overtakes(
    house: House, game: uuid.UUID, device: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the PIN and the entry in the ledger somebody records."""
    proven = one_time_approval.by_pin

    def slowly(**given: Any) -> Attendant:
        person = proven(**given)
        thrown(house, game, "Ada", PAIR_7)
        return person

    monkeypatch.setattr(one_time_approval, "by_pin", slowly)
    answer = answers(device, house, game, **by_pin(house.supervisor))

    assert answer.status_code == HTTPStatus.CONFLICT
    assert "3 throws" in answer.content.decode()
    assert waiting(house, game)


def test_what_waits_no_longer_is_said_to(house: House, game: uuid.UUID, device: Client) -> None:
    number = waiting(house, game)[0]
    answers(device, house, game, **by_pin(house.supervisor))

    again = device.get(address(game), {"request": number})

    assert "waits no longer" in again.content.decode()
    for nonsense in ("", "x", "٣", "9" * 30):
        assert device.get(address(game), {"request": nonsense}).status_code == 200


# --- From the log: what may be voided, alone or with a second person ------------------------------


def test_g4_each_entry_that_may_be_voided_says_so_in_the_log(house: House) -> None:
    running = opened(house)
    round_played(house, running)
    thrown(house, running, "Ada", PAIR_4)
    desk = builders.signed_in(house.attendant)

    page = desk.get(f"/floor/games/{running}/").content.decode()

    numbers = [each for each in range(1, 9) if f'?event={each}"' in page]
    assert 1 not in numbers
    assert {2, 3, 4}.issubset(numbers)
    looks_on = builders.signed_in(house.auditor).get(f"/floor/games/{running}/").content.decode()
    assert "?event=" not in looks_on


def test_g4_the_last_throw_of_a_round_that_runs_is_one_s_own_to_void(house: House) -> None:
    running = opened(house)
    thrown(house, running, "Ada", PAIR_7)
    desk = builders.signed_in(house.attendant)

    sheet = desk.get(address(running, "void"), {"event": 2}).content.decode()

    assert "You may void it yourself" in sheet
    desk.post(
        f"/floor/games/{running}/command/",
        {"do": "void", "back_to": 2, "reason": "wrong player", "command_id": playing.new_id()},
        format="multipart",
    )
    assert last(house, running)[0] == "game.voided"


REFUSED = [
    (1,   "opened the game"),
    (99,  "There is no event 99"),
]  # fmt: skip


@pytest.mark.parametrize(("event", "words"), REFUSED)
def test_g4_what_cannot_be_voided_is_refused_in_the_rules_own_words(
    game: uuid.UUID, device: Client, event: int, words: str
) -> None:
    assert words in device.get(address(game, "void"), {"event": event}).content.decode()


def test_g4_what_is_asked_already_is_not_asked_again(game: uuid.UUID, device: Client) -> None:
    sheet = device.get(address(game, "void"), {"event": 2}).content.decode()

    assert "asked for already" in sheet
    assert 'name="reason"' not in sheet


def test_without_scripts_the_sheets_are_pages(house: House, game: uuid.UUID) -> None:
    desk = Client()
    desk.force_login(house.attendant)

    queries = {"void": {"event": 3}, "supervisor": {"request": waiting(house, game)[0]}}
    for part, query in queries.items():
        page = desk.get(address(game, part), query).content.decode()
        assert "<html" in page
        assert "Back to the table" in page
    answer = answers(desk, house, game, **by_name(house.supervisor))
    assert answer["Location"] == f"/floor/games/{game}/"
