"""What a supervisor proves on the attendant's device: tries are counted, a code may be asked."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from casino.house.attendants import assurance, factors, permissions
from casino.house.attendants.models import Attendant, SignIn
from casino.house.establishments.models import Establishment
from tests.support import playing
from tests.support.signing import app_of, code_of
from tests.support.supervising import (
    NOWHERE,
    address,
    answers,
    by_name,
    by_pin,
    refuses,
    waiting,
    with_pins_and_passwords,
)

if TYPE_CHECKING:
    import uuid

    from django.test import Client

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]


@pytest.fixture(autouse=True)
def _before_all_else(quick_passwords: object) -> None:
    del quick_passwords


@pytest.fixture
def house() -> House:
    return with_pins_and_passwords()


# --- What is guessed at (D2, D3) ------------------------------------------------------------------


def test_d3_wrong_pins_are_counted_with_those_of_a_change_of_attendant(
    house: House, game: uuid.UUID, device: Client
) -> None:
    for _ in range(4):
        refuses(answers(device, house, game, **by_pin(house.supervisor, "0815")), "not the PIN")
    refuses(answers(device, house, game, **by_pin(house.supervisor, "0815")), "Too many tries")
    refuses(answers(device, house, game, **by_pin(house.supervisor)), "Too many tries")

    taken = device.post("/floor/attendant/", by_pin(house.supervisor))
    refuses(taken, "Too many tries")
    assert waiting(house, game)
    assert SignIn.objects.filter(what="pin_refused").count() == 5


def test_d2_wrong_passwords_lock_out_as_at_sign_in(
    house: House, game: uuid.UUID, device: Client
) -> None:
    for _ in range(5):
        answers(device, house, game, **by_name(house.supervisor, "guessed"))

    refuses(answers(device, house, game, **by_name(house.supervisor)), "Too many tries")
    assert SignIn.objects.filter(what="wrong_password").count() == 5


def test_nothing_is_tried_while_something_else_is_wrong(
    house: House, game: uuid.UUID, device: Client
) -> None:
    wrong = by_pin(house.supervisor, "0815")

    refuses(answers(device, house, game, **wrong, version=1), "Look again")
    refuses(answers(device, house, game, "reject", **{**wrong, "reason": " "}), "Say why")
    assert not SignIn.objects.filter(what="pin_refused")


# --- The second factor (D2) -----------------------------------------------------------------------


@pytest.mark.parametrize("way", [by_pin, by_name])
def test_d2_who_has_a_second_factor_gives_its_code_too(
    house: House, game: uuid.UUID, device: Client, way: Any
) -> None:
    secret = app_of(house.supervisor)

    refuses(answers(device, house, game, **way(house.supervisor)), "Give the code")
    refuses(answers(device, house, game, **way(house.supervisor, code="123")), "not valid")
    assert waiting(house, game)
    answer = answers(device, house, game, **way(house.supervisor, code=code_of(secret)))

    assert answer.status_code == HTTPStatus.NO_CONTENT
    assert list(SignIn.objects.filter(what="factor_passed").values_list("way", flat=True)) == [
        "app"
    ]


def test_d2_where_it_is_required_nobody_answers_without_one(
    house: House, game: uuid.UUID, device: Client, settings: Any
) -> None:
    settings.SECOND_FACTOR = "required"

    refuses(answers(device, house, game, **by_pin(house.supervisor)), "Set up a second factor")
    codes = factors.new_codes(person=house.supervisor, place=NOWHERE, now=timezone.now())
    answer = answers(device, house, game, **by_pin(house.supervisor, code=codes[0]))
    assert answer.status_code == HTTPStatus.NO_CONTENT


def pins_are_enough(house: House, large_prize: int = 500) -> None:
    Establishment.objects.filter(pk=house.id).update(
        pin_approves_voids=True, large_prize=large_prize
    )


def test_d2_a_house_may_let_a_pin_stand_for_both(
    house: House, game: uuid.UUID, device: Client, settings: Any
) -> None:
    settings.SECOND_FACTOR = "required"
    app_of(house.supervisor)
    pins_are_enough(house, large_prize=7)

    page = device.get(address(game), {"request": waiting(house, game)[0]}).content.decode()
    assert "data-code>" not in page
    refuses(answers(device, house, game, **by_name(house.supervisor)), "Give the code")
    answer = answers(device, house, game, **by_pin(house.supervisor))

    assert answer.status_code == HTTPStatus.NO_CONTENT


def test_d2_but_not_where_more_than_a_large_prize_goes_back(
    house: House, game: uuid.UUID, device: Client, settings: Any
) -> None:
    settings.SECOND_FACTOR = "required"
    app_of(house.supervisor)
    pins_are_enough(house, large_prize=6)

    page = device.get(address(game), {"request": waiting(house, game)[0]}).content.decode()
    assert "data-code" in page
    refuses(answers(device, house, game, **by_pin(house.supervisor)), "Give the code")


def test_d2_an_approval_without_the_factor_is_refused_by_the_operation_itself(
    house: House, game: uuid.UUID, settings: Any
) -> None:
    settings.SECOND_FACTOR = "required"
    person = Attendant.objects.get(pk=house.supervisor.pk)
    person.standing = assurance.Assurance(only="approve")

    with pytest.raises(permissions.SecondFactorNeeded):
        playing.ask(house, game, "approve", by=person, request=waiting(house, game)[0])
