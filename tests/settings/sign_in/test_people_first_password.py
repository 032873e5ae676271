"""A first password, given by somebody else, opens the choice of one's own, for a week (D2)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.core.cache import cache
from django.utils import timezone

from casino.house.attendants import factors, passwords
from casino.house.attendants.models import Attendant, Role
from casino.settings.staff import operations
from tests.support import builders, signing
from tests.support.signing import app_of, code_of, inside, logged, tries

if TYPE_CHECKING:
    from django.test import Client

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]

FIRST, OWN = "milora-tepina-203", "two-herons-at-dusk"
PAGE = "/sign-in/password/"


@pytest.fixture(autouse=True)
def _nobody_has_asked_too_often() -> None:
    cache.clear()


@pytest.fixture
def house() -> House:
    made = builders.house()
    operations.hire(
        establishment=made.establishment, username="nell", first_name="Nell", last_name="",
        password=FIRST, role=Role.ATTENDANT, by=None,
    )  # fmt: skip
    return made


def chooses(at: Client, new: str = OWN, again: str = "") -> Any:
    return at.post(PAGE, {"new_password1": new, "new_password2": again or new})


def nell() -> Attendant:
    return Attendant.objects.get(username="nell")


def test_d2_it_leads_to_a_password_of_ones_own(house: House) -> None:
    at = signing.client()
    assert tries(at, "nell", FIRST)["Location"] == PAGE
    assert not inside(at)
    assert at.get("/floor/").status_code == 302

    assert chooses(at)["Location"] == "/"

    assert inside(at)
    assert not passwords.is_first(nell())
    assert logged(house) == ["password_changed", "signed_in"]
    assert not inside(again := signing.client())
    assert tries(again, "nell", OWN).status_code == 302
    assert "No attendant has this" in tries(signing.client(), "nell", FIRST).content.decode()


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    ("new", "again", "sentence"),
    [
        (FIRST, "", "This is the first one"),
        ("too-short", "", "too short"),
        (OWN, "another-one-again", "match"),
    ],
)
def test_d2_what_does_not_do_is_said(new: str, again: str, sentence: str) -> None:
    at = signing.client()
    tries(at, "nell", FIRST)

    answer = chooses(at, new, again)

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert passwords.is_first(nell())


@pytest.mark.usefixtures("house")
def test_d2_it_opens_nothing_else() -> None:
    """No token, however often it was given; nor does the page open to who has not given it."""
    sent = {"username": "nell", "password": FIRST}
    for _ in range(2):
        answer = builders.client().post("/api/v1/tokens/", sent)
        assert (answer.status_code, answer.json()["code"]) == (401, "authentication_failed")
        assert passwords.is_first(nell())

    assert signing.client().get(PAGE)["Location"] == "/sign-in/"


@pytest.mark.usefixtures("house")
def test_d2_it_holds_for_a_week() -> None:
    with time_machine.travel(timezone.now() + passwords.FIRST_HOLDS, tick=False) as clock:
        assert "No attendant has this" in tries(signing.client(), "nell", FIRST).content.decode()
        clock.shift(timedelta(minutes=-1))
        assert tries(signing.client(), "nell", FIRST)["Location"] == PAGE


@pytest.mark.usefixtures("house")
def test_d2_a_second_factor_is_asked_for_all_the_same() -> None:
    secret = app_of(nell())
    at = signing.client()
    tries(at, "nell", FIRST)

    assert chooses(at)["Location"] == signing.SECOND
    assert not inside(at)
    at.post(signing.SECOND, {"code": code_of(secret)})
    assert inside(at)
    assert factors.of(nell()).exists()
