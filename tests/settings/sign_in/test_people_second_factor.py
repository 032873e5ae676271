"""Whoever approves money or configuration shows a second factor (D2)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from casino.config import settings as configured
from casino.demo import house as demo
from casino.house.attendants import assurance, factors, permissions
from casino.house.attendants.models import Attendant, Factor
from casino.house.attendants.permissions import SecondFactorNeeded
from casino.settings.staff import operations
from tests.support import builders, playing, signing
from tests.support.at_once import at_once, on_a_file
from tests.support.builders import PASSWORD
from tests.support.signing import (
    NOWHERE,
    SECOND,
    TOKENS,
    app_of,
    code_of,
    inside,
    logged,
    renamed,
    tries,
)

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _before_all_else(quick_passwords: object, tries_forgotten: object) -> None:
    del quick_passwords, tries_forgotten


@pytest.fixture
def house() -> House:
    return builders.house()


# fmt: off
# --- The rule -------------------------------------------------------------------------------------

STANDINGS = [
    # how signed in, acts that are let through where a second factor is required
    (None,                                  {"look", "record", "audit"}),
    (assurance.Assurance(),                   {"look", "record", "audit"}),
    (assurance.Assurance(second_factor=True), {"look", "record", "audit", "approve", "configure"}),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("required")
@pytest.mark.parametrize(("how", "let_through"), STANDINGS)
def test_d2_required_it_takes_a_second_factor_to_approve_or_configure(
    house: House, how: Any, let_through: set[permissions.Act]
) -> None:
    house.manager.standing = how

    for act in permissions.ALLOWED:
        if act in let_through:
            permissions.require(house.manager, act, house.establishment)
        else:
            with pytest.raises(SecondFactorNeeded):
                permissions.require(house.manager, act, house.establishment)


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("required")
def test_d2_the_operation_itself_refuses_whatever_page_forgets_to_ask(house: House) -> None:
    with pytest.raises(SecondFactorNeeded):
        renamed(house, house.manager)

    renamed(house, assurance.at_console(house.manager))


@pytest.mark.long("postgresql")
def test_d2_offered_whoever_has_one_shows_it_all_the_same(house: House, orso: Attendant) -> None:
    renamed(house, orso)
    app_of(orso)

    with pytest.raises(SecondFactorNeeded):
        renamed(house, orso)


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("required")
def test_the_demo_house_is_made_where_it_is_required_too() -> None:
    assert demo.make().employments.count() == len(demo.STAFF)


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("required")
def test_d2_a_second_factor_is_no_role(house: House) -> None:
    mira = house.attendant
    mira.standing = assurance.Assurance(second_factor=True)

    with pytest.raises(permissions.NotYours):
        permissions.require(mira, "approve", house.establishment)


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("given", "production"), [("required", True), ("offered", False)])
def test_production_requires_it_and_the_demo_offers_it(given: str, production: bool) -> None:  # noqa: FBT001
    source = Path(configured.__file__).read_text()
    assert 'env("SECOND_FACTOR", "required" if PRODUCTION else "offered")' in source
    assert {True: "required", False: "offered"}[production] == given


# --- Signing in with it ---------------------------------------------------------------------------


def test_d2_behind_the_password_comes_the_code(house: House, orso: Attendant) -> None:
    secret = app_of(orso)
    at = signing.client()

    assert tries(at, "orso", next="/odds/").url == SECOND
    assert not inside(at)
    assert at.get("/").status_code == 302
    assert at.post(SECOND, {"code": code_of(secret)})["Location"] == "/odds/"

    assert inside(at)
    assert logged(house)[-2:] == ["factor_passed", "signed_in"]


@pytest.mark.long("postgresql")
def test_d2_a_code_works_once(orso: Attendant) -> None:
    secret = app_of(orso)
    code = code_of(secret)
    first, second = signing.client(), signing.client()
    for at in (first, second):
        tries(at, "orso")

    assert first.post(SECOND, {"code": code}).status_code == 302
    replayed = second.post(SECOND, {"code": code})

    assert replayed.status_code == 422
    assert "was used before" in replayed.content.decode()
    assert not inside(second)


@pytest.mark.long("postgresql")
def test_d2_an_older_code_is_none_once_a_newer_was_taken(orso: Attendant) -> None:
    secret, now = app_of(orso), timezone.now()
    before = code_of(secret, now - timedelta(seconds=30))
    factors.take_code(person=orso, code=code_of(secret, now), place=NOWHERE, now=now)

    with pytest.raises(factors.FactorRefused):
        factors.take_code(person=orso, code=before, place=NOWHERE, now=now)


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("seconds", "taken"), [(-30, True), (30, True), (-90, False), (90, False)])
def test_d2_a_phone_s_clock_may_be_half_a_minute_off(
    orso: Attendant,
    seconds: int,
    taken: bool,  # noqa: FBT001
) -> None:
    secret = app_of(orso)
    with time_machine.travel(timezone.now(), tick=False):
        now = timezone.now()
        code = code_of(secret, now + timedelta(seconds=seconds))
        if taken:
            assert factors.take_code(person=orso, code=code, place=NOWHERE, now=now) == "app"
        else:
            with pytest.raises(factors.FactorRefused):
                factors.take_code(person=orso, code=code, place=NOWHERE, now=now)


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("code", ["", "12345", "0000000", "١٢٣٤٥٦", "a" * 5000, "-1", "000000\n"])
def test_d2_what_is_no_code_is_refused(orso: Attendant, code: str) -> None:
    app_of(orso)
    at = signing.client()
    tries(at, "orso")

    assert at.post(SECOND, {"code": code}).status_code == 422
    assert not inside(at)


@pytest.mark.long("postgresql")
def test_d2_five_wrong_codes_lock_from_everywhere(house: House, orso: Attendant) -> None:
    secret = app_of(orso)
    for address in ("192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"):
        at = signing.client(address)
        tries(at, "orso")
        at.post(SECOND, {"code": "abc"})

    at = signing.client("192.0.2.6")
    tries(at, "orso")
    right = at.post(SECOND, {"code": code_of(secret)})

    assert "no more are taken" in right.content.decode()
    assert not inside(at)
    assert logged(house).count("factor_refused") == 5
    assert "locked" in logged(house)


@pytest.mark.django_db(transaction=True)
def test_d2_of_two_that_send_the_same_code_at_once_one_gets_in(
    tmp_path: Path, house: House, orso: Attendant
) -> None:
    secret, now = app_of(orso), timezone.now()
    code = code_of(secret, now)

    def take(_number: int) -> bool:
        try:
            factors.take_code(person=orso, code=code, place=NOWHERE, now=now)
        except factors.FactorRefused:
            return False
        return True

    with on_a_file(tmp_path):
        assert logged(house)
        took = at_once(4, take)

    assert sum(took) == 1


@pytest.mark.long("postgresql")
def test_d2_a_password_given_ten_minutes_ago_is_given_again(orso: Attendant) -> None:
    secret = app_of(orso)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        at = signing.client()
        tries(at, "orso")
        clock.shift(timedelta(minutes=10))
        assert at.post(SECOND, {"code": code_of(secret)})["Location"] == "/sign-in/"
        assert not inside(at)


@pytest.mark.long("postgresql")
def test_d2_a_password_changed_since_is_given_again(orso: Attendant) -> None:
    """Or somebody cut off since: what was half open is shut."""
    secret, at = app_of(orso), signing.client()
    tries(at, "orso")
    operations.cut_off(person=orso, now=timezone.now(), pin=False)

    assert at.post(SECOND, {"code": code_of(secret)})["Location"] == "/sign-in/"
    assert not inside(at)


@pytest.mark.long("postgresql")
def test_d2_without_a_password_nobody_is_asked_for_a_code() -> None:
    assert signing.client().get(SECOND)["Location"] == "/sign-in/"
    assert signing.client().post(SECOND, {"code": "123456"})["Location"] == "/sign-in/"


@pytest.mark.long("postgresql")
def test_d2_an_app_s_secret_does_not_lie_open_in_the_database(orso: Attendant) -> None:
    secret = app_of(orso)

    assert secret.encode() not in bytes(Factor.objects.get().proof)


@pytest.mark.long("postgresql")
def test_d2_under_another_key_of_the_house_the_app_is_of_no_use_but_recovery_is(
    orso: Attendant, settings: Any
) -> None:
    secret = app_of(orso)
    code = factors.new_codes(person=orso, place=NOWHERE, now=timezone.now())[0]
    settings.SECRET_KEY = "another-key-altogether-of-more-than-fifty-characters"
    now = timezone.now()

    with pytest.raises(factors.FactorRefused):
        factors.take_code(person=orso, code=code_of(secret), place=NOWHERE, now=now)
    assert factors.take_code(person=orso, code=code, place=NOWHERE, now=now) == "recovery"


# --- Sent there, and back -------------------------------------------------------------------------


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("required")
def test_d2_an_act_sends_to_the_second_factor_and_back(house: House, orso: Attendant) -> None:
    secret = app_of(orso)
    at = Client()
    at.force_login(orso)  # a session that has shown none

    sent = at.get("/people/invite/")
    answer = at.post(sent["Location"], {"code": code_of(secret), "next": "/people/invite/"})

    assert sent["Location"] == "/sign-in/second/?next=%2Fpeople%2Finvite%2F"
    assert answer["Location"] == "/people/invite/"
    assert at.get("/people/invite/").status_code == 200
    assert logged(house)[-1] == "factor_passed"


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("required", "orso")
def test_d2_who_has_none_is_led_to_set_one_up() -> None:
    at = signing.client()

    assert tries(at, "orso", next="/people/")["Location"] == "/me/second-factor/?next=%2Fpeople%2F"
    assert at.get("/people/").status_code == 200  # to look takes none
    act = at.get("/people/invite/")
    assert at.get(act["Location"])["Location"] == "/me/second-factor/?next=%2Fpeople%2Finvite%2F"


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("required")
def test_d2_a_tap_on_the_floor_is_led_there_too(house: House) -> None:
    game = playing.opened(house)
    at = Client()
    at.force_login(house.supervisor)
    address = f"/floor/games/{game}/"

    tapped = at.post(
        f"{address}command/",
        {"do": "approve", "request": "2", "command_id": playing.new_id()},
        HTTP_HX_REQUEST="true",
        HTTP_REFERER=f"http://testserver{address}",
    )

    assert tapped.status_code == 403
    assert tapped.headers["HX-Redirect"].startswith("/sign-in/second/?next=%2Ffloor%2Fgames")


@pytest.mark.long("postgresql")
def test_d2_nobody_is_sent_to_a_foreign_page(orso: Attendant) -> None:
    secret = app_of(orso)
    at = signing.client()
    tries(at, "orso", next="https://elsewhere.example/")

    assert at.post(SECOND, {"code": code_of(secret)})["Location"] == "/"


# --- Programs -------------------------------------------------------------------------------------


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("required")
def test_d2_a_token_made_with_a_code_may_approve_and_one_without_may_not(
    house: House, orso: Attendant
) -> None:
    secret = app_of(orso)
    game = playing.opened(house)
    given = {"username": "orso", "password": PASSWORD}
    act = {"do": "reject", "request": 2, "command_id": playing.new_id()}
    weak = builders.client().post(TOKENS, given).json()["token"]
    strong = builders.client().post(TOKENS, {**given, "code": code_of(secret)}).json()["token"]
    answers = []

    for token in (weak, strong):
        program = builders.client()
        program.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
        assert program.get(f"/api/v1/games/{game}/").status_code == 200
        answers.append(program.post(f"/api/v1/games/{game}/commands/", act))

    assert (answers[0].status_code, answers[0].json()["code"]) == (403, "second_factor_needed")
    assert answers[1].status_code == 422  # let through: the rules know no such request


@pytest.mark.long("postgresql")
def test_d2_a_wrong_or_spent_code_gets_no_token(orso: Attendant) -> None:
    secret = app_of(orso)
    given = {"username": "orso", "password": PASSWORD, "code": code_of(secret)}

    assert builders.client().post(TOKENS, given).status_code == 201
    for code in (given["code"], "000000"):
        answer = builders.client().post(TOKENS, {**given, "code": code})
        assert (answer.status_code, answer.json()["code"]) == (422, "second_factor_refused")
