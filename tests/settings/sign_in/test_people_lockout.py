"""A lock-out keeps out who guesses, and nobody else; guessing is bounded all the same (D2, D3)."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.core.cache import cache
from django.utils import timezone

from casino.house.attendants import assurance, known_browsers, lockout, pins, signins
from casino.house.attendants.models import Attendant, Role
from casino.settings.staff import operations, tablets
from tests.support import builders, signing
from tests.support.authenticator import Authenticator
from tests.support.builders import PASSWORD
from tests.support.signing import ELSEWHERE, HERE, SECOND, app_of, code_of, inside, somebody, tries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

LOCAL = {"host": "localhost"}
PIN = "4711"


@pytest.fixture(autouse=True)
def _quick(settings: Any) -> Iterator[None]:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture
def orso(house: House) -> Attendant:
    return somebody(house, Role.MANAGER, "orso")


def own_desk(address: str = HERE) -> Client:
    """A browser in which Orso has signed in before, and signed out again."""
    at = signing.client(address)
    assert tries(at, "orso").status_code == 302
    at.post("/sign-out/")
    return at


def guesses(address: str, times: int = 6, name: str = "orso") -> list[bool]:
    """Somebody tries passwords from a browser of their own; whether each try was looked at."""
    answers = [tries(signing.client(address), name, "wrong") for _ in range(times)]
    return ["no more are taken" not in answer.content.decode() for answer in answers]


# --- Passwords ------------------------------------------------------------------------------------


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("orso")
@pytest.mark.parametrize("address", [HERE, ELSEWHERE], ids=["same network", "elsewhere"])
def test_d2_who_guesses_keeps_nobody_from_their_own_desk(address: str) -> None:
    desk = own_desk()

    assert guesses(address) == [True] * 4 + [False] * 2  # the fifth says so already
    assert "no more are taken" in tries(signing.client(address), "orso").content.decode()

    assert tries(desk, "orso").status_code == 302
    assert inside(desk)


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("orso")
def test_d2_many_who_guess_have_no_more_tries_together() -> None:
    desk = own_desk()
    with time_machine.travel(timezone.now(), tick=False) as clock:
        looked_at = sum(sum(guesses(f"198.51.100.{each}", times=4)) for each in range(12))
        assert looked_at == lockout.PASSWORD_TRIES - 1  # the last of them says that it was
        assert "no more are taken" in tries(signing.client("203.0.113.9"), "orso").content.decode()
        assert tries(desk, "orso").status_code == 302  # and gives nobody another try
        assert guesses("203.0.113.10", times=1) == [False]

        clock.shift(timedelta(hours=1, seconds=1))
        assert guesses("203.0.113.11", times=1) == [True]


@pytest.mark.long  # in short the same is asked of one's own desk, above
@pytest.mark.usefixtures("orso")
def test_d2_nor_is_a_try_more_for_who_gets_it_right_elsewhere() -> None:
    for each in range(6):
        guesses(f"198.51.100.{each}", times=4)
        assert tries(signing.client("203.0.113.9"), "orso").status_code == 302
    guesses("198.51.100.99", times=4)

    assert sum(guesses(f"192.0.2.{each}", times=1)[0] for each in range(100, 110)) == 1


@pytest.mark.usefixtures("orso")
def test_d2_one_s_own_desk_has_five_tries_too() -> None:
    desk = own_desk()
    for _ in range(4):
        tries(desk, "orso", "wrong")

    assert "no more are taken" in tries(desk, "orso", "wrong").content.decode()
    assert "no more are taken" in tries(desk, "orso").content.decode()
    assert tries(signing.client(ELSEWHERE), "orso").status_code == 302


@pytest.mark.long("postgresql")
def test_d2_a_desk_is_nobody_else_s(house: House, orso: Attendant) -> None:
    """Whoever shares a browser shares no tries; what is made up or of before counts as nothing."""
    mira = somebody(house, Role.ATTENDANT, "mira")
    desk = own_desk()
    tries(desk, "mira")
    cookie = desk.cookies[known_browsers.COOKIE].value

    assert len(cookie.split("_")) == 2
    assert known_browsers.number(cookie, orso)
    assert known_browsers.number(cookie, mira) not in {"", known_browsers.number(cookie, orso)}
    line = next(each for each in cookie.split("_") if each.startswith(orso.pk.hex))
    for made_up in (
        line.replace(orso.pk.hex, mira.pk.hex),
        line[:-1] + ("0" if line[-1] != "0" else "1"),
        "x" * 5000,
        "",
    ):
        assert known_browsers.number(made_up, mira) == "", made_up
    assert known_browsers.number(line, None) == ""

    operations.cut_off(person=orso, now=timezone.now())
    assert known_browsers.number(cookie, Attendant.objects.get(pk=orso.pk)) == ""
    mira.set_password("another-one-entirely")
    assert known_browsers.number(cookie, mira) == ""


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("orso")
def test_d2_who_changes_the_password_stays_known_where_they_did() -> None:
    desk = own_desk()
    tries(desk, "orso")
    new = "two-herons-at-dusk"
    desk.post(
        "/me/password/", {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    )
    desk.post("/sign-out/")
    guesses(HERE)

    assert tries(desk, "orso", new).status_code == 302


@pytest.mark.long("postgresql")
def test_d2_a_manager_unlocks_what_is_locked_from_everywhere(house: House, orso: Attendant) -> None:
    for each in range(8):
        guesses(f"198.51.100.{each}", times=4)

    operations.unlock(
        employment=orso.employments.get(), by=house.manager, place=signins.Where(),
        now=timezone.now(),
    )  # fmt: skip

    assert tries(signing.client("203.0.113.9"), "orso").status_code == 302


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("orso")
def test_d2_a_session_left_open_elsewhere_keeps_nobody_from_a_new_password() -> None:
    left, own = own_desk(ELSEWHERE), own_desk()
    for at in (left, own):
        tries(at, "orso")
    new = {"new_password1": "two-herons-at-dusk", "new_password2": "two-herons-at-dusk"}
    for _ in range(6):
        answer = left.post("/me/password/", {"old_password": "wrong", **new})

    assert "Too many tries" in answer.content.decode()
    assert own.post("/me/password/", {"old_password": PASSWORD, **new}).status_code == 302


# --- Codes and passkeys ---------------------------------------------------------------------------


def wrong_codes(address: str, times: int = 6) -> str:
    """Somebody has the password, and tries codes."""
    at = signing.client(address)
    tries(at, "orso")
    return "".join(at.post(SECOND, {"code": "000000"}).content.decode() for _ in range(times))


@pytest.mark.long("postgresql")
def test_d2_whoever_tries_codes_keeps_nobody_from_their_own_desk(orso: Attendant) -> None:
    desk = own_desk()
    secret = app_of(orso)
    assert "Too many tries" in wrong_codes(ELSEWHERE)

    tries(desk, "orso")
    assert desk.post(SECOND, {"code": code_of(secret)}).status_code == 302
    assert inside(desk)


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("house")
def test_d2_codes_are_tried_thirty_times_a_day_from_everywhere(orso: Attendant) -> None:
    app_of(orso)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(8):
            wrong_codes(ELSEWHERE, times=4)
            clock.shift(lockout.WITHIN)
        assert "Too many tries" in wrong_codes("203.0.113.9", times=1)


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("orso")
def test_d2_whoever_tries_codes_keeps_nobody_from_their_passkey() -> None:
    key, at = Authenticator(), signing.client()
    tries(at, "orso")
    options = asked(at.get("/me/second-factor/passkey/", headers=LOCAL))
    made = {"credential": json.dumps(key.makes(options)), "name": "Key"}
    assert at.post("/me/second-factor/passkey/", made, headers=LOCAL).status_code == 200
    assert "Too many tries" in wrong_codes(ELSEWHERE)
    stranger = signing.client(ELSEWHERE)
    tries(stranger, "orso")
    for _ in range(6):
        refused = stranger.post(SECOND, {"credential": "{}"}, headers=LOCAL)
    assert "Too many tries" in refused.content.decode()

    anew = signing.client("203.0.113.9")  # a browser that nobody knows
    tries(anew, "orso")
    signed = key.signs(asked(anew.get(SECOND, headers=LOCAL)))
    answer = anew.post(SECOND, {"credential": json.dumps(signed)}, headers=LOCAL)

    assert answer.status_code == 302
    assert inside(anew)


def asked(answer: Any) -> Any:
    found = re.search(r'data-options="([^"]+)"', answer.content.decode())
    assert found
    return json.loads(found[1].replace("&quot;", '"'))["publicKey"]


# --- PINs on a tablet that many hands share -------------------------------------------------------


@pytest.fixture
def mira(house: House) -> Attendant:
    who = somebody(house, Role.ATTENDANT, "mira")
    pins.set_pin(person=who, pin=PIN, place=signins.Where(), now=timezone.now())
    return who


@pytest.fixture
def device(house: House) -> Client:
    _, cookie = tablets.enrol(
        house=house.establishment, name="Tablet 1", by=assurance.at_console(house.manager)
    )
    device = signing.client()
    device.cookies[tablets.COOKIE] = cookie
    return device


def by_pin(device: Client, who: Attendant, pin: str = PIN) -> int:
    sent = {"person": str(who.pk), "pin": pin}
    return int(device.post("/floor/attendant/", sent).status_code)


@pytest.mark.long("postgresql")
def test_d3_who_guesses_a_colleague_s_pin_keeps_them_from_it_until_they_sign_in_in_full(
    mira: Attendant, device: Client
) -> None:
    for _ in range(6):
        by_pin(device, mira, "0815")
    assert by_pin(device, mira) == 422

    assert tries(device, "mira").status_code == 302

    assert by_pin(device, mira) == 302


@pytest.mark.long("postgresql")
def test_d3_a_right_pin_gives_nobody_another_twenty_tries(mira: Attendant, device: Client) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(5):
            for wrong in range(4):
                by_pin(device, mira, f"{9000 + wrong}")
            refused = by_pin(device, mira)
            clock.shift(lockout.WITHIN)

        assert refused == 422  # of the twenty-first try
        assert tries(device, "mira").status_code == 302
        assert by_pin(device, mira) == 302
