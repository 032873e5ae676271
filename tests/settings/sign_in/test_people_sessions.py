"""How long a session lasts: half a day at most, and half an hour that nobody touches it (D2)."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.conf import settings as configured
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from casino.engine.processes import paths
from casino.house.attendants import assurance, known_browsers, pins, signins
from casino.house.attendants.models import Role
from casino.settings.staff import tablets
from tests.support import builders, signing
from tests.support.builders import PASSWORD, opened
from tests.support.signing import inside, somebody, tries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

IDLE = timedelta(seconds=configured.SESSION_IDLE)
WHOLE = timedelta(seconds=configured.SESSION_COOKIE_AGE)
PIN = "4711"


@pytest.fixture(autouse=True)
def _quick() -> None:
    cache.clear()


@pytest.fixture
def house() -> House:
    made = builders.house()
    somebody(made, Role.MANAGER, "orso")
    return made


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel(timezone.now(), tick=False) as travelled:
        yield travelled


@pytest.fixture
def orso(house: House, clock: Any) -> Client:
    del house, clock
    at = signing.client()
    tries(at, "orso")
    return at


@pytest.mark.long("postgresql")
def test_it_takes_no_more_than_half_an_hour_and_half_a_day() -> None:
    assert timedelta(minutes=30) >= IDLE
    assert timedelta(hours=12) >= WHOLE


@pytest.mark.long("postgresql")
def test_d2_a_session_that_nobody_touches_ends(orso: Client, clock: Any) -> None:
    clock.shift(IDLE - timedelta(seconds=1))
    assert inside(orso)
    clock.shift(IDLE)

    assert not inside(orso)
    assert not Session.objects.filter(expire_date__gt=timezone.now()).exists()


@pytest.mark.long("postgresql")
def test_d2_one_that_is_used_ends_after_half_a_day_all_the_same(orso: Client, clock: Any) -> None:
    step = IDLE * 0.9
    for _ in range(int(WHOLE / step)):
        clock.shift(step)
        assert inside(orso)
    clock.shift(step)

    assert not inside(orso)


@pytest.mark.long("postgresql")
def test_d2_a_page_that_asks_by_itself_keeps_none_open(
    house: House, orso: Client, clock: Any
) -> None:
    board = f"/floor/games/{opened(house)}/board/"
    for _ in range(3):
        clock.shift(IDLE / 3)
        last = orso.get(board, headers={"Asked-By": "page"})

    assert last.status_code not in {200, 304}
    assert not inside(orso)


@pytest.mark.long("postgresql")
def test_d2_a_person_who_comes_back_to_a_page_keeps_it_open(
    house: House, orso: Client, clock: Any
) -> None:
    """A browser that still has the page sends its ETag."""
    board = f"/floor/games/{opened(house)}/board/"
    etag = {"If-None-Match": orso.get(board).headers["ETag"]}
    for _ in range(4):
        clock.shift(IDLE * 0.7)
        orso.get(board, headers=etag)

    assert inside(orso)


BY_A_PERSON = {
    "at.js": "follows a link",
    "palette.js": "words are typed",
    "picker.js": "a name is typed",
    "floor/sheets.js": "a sheet is opened",
    "floor/send.js": "what a person entered",
    "floor/worker.js": "passes on what its pages ask for, header and all",
}
"""Where scripts ask for what a person wants at that moment; everything else asks by itself."""


def test_d2_whatever_a_script_asks_by_itself_says_so() -> None:
    scripts = paths.STATIC / "js"
    asking = {
        str(path.relative_to(scripts))
        for path in scripts.rglob("*.js")
        if re.search(r"\baskHouse\b(?!\.)", path.read_text()) and path.name != "ask_house.js"
    }
    assert asking == set(BY_A_PERSON)


def test_it_is_written_down_once_a_minute(orso: Client, clock: Any) -> None:
    def written() -> int:
        with CaptureQueriesContext(connection) as queries:
            orso.get("/me/pin/")
        told = [each["sql"] for each in queries if each["sql"].startswith("UPDATE")]
        return len([each for each in told if "django_session" in each])

    assert inside(orso)
    clock.shift(timedelta(seconds=59))
    assert written() == 0
    clock.shift(timedelta(seconds=1))
    assert written() == 1
    assert written() == 0


@pytest.mark.long("postgresql")
def test_d3_a_session_by_pin_lasts_the_shift_and_no_longer(house: House, clock: Any) -> None:
    """It records, no more; the table it lies on may be quiet for long."""
    who = house.attendant
    pins.set_pin(person=who, pin=PIN, place=signins.Where(), now=timezone.now())
    by = assurance.at_console(house.manager)
    _, cookie = tablets.enrol(house=house.establishment, name="Tablet 1", by=by)
    device, game = Client(), opened(house)
    device.cookies[tablets.COOKIE] = cookie
    device.post("/floor/attendant/", {"person": str(who.pk), "pin": PIN})

    clock.shift(WHOLE - timedelta(seconds=1))
    assert device.get(f"/floor/games/{game}/").status_code == 200
    clock.shift(timedelta(seconds=1))
    assert device.get(f"/floor/games/{game}/").status_code == 302


# --- What became of one's sign-in meanwhile -------------------------------------------------------


def told(at: Client) -> str:
    page = at.get("/me/").content.decode()
    found = re.search(r"Since you last came: (.*?) If that was not you", page)
    return found[1] if found else ""


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("house")
def test_d2_one_is_told_what_became_of_ones_sign_in_since(clock: Any) -> None:
    first = signing.client()
    tries(first, "orso")
    assert told(first) == ""
    clock.shift(timedelta(minutes=5))
    first.post("/me/pin/", {"password": PASSWORD, "pin": "8264", "again": "8264"})
    for _ in range(5):
        tries(signing.client(signing.ELSEWHERE), "orso", "wrong")
    clock.shift(timedelta(minutes=5))

    again = signing.client(signing.ELSEWHERE)
    again.cookies[known_browsers.COOKIE] = first.cookies[known_browsers.COOKIE].value
    tries(again, "orso")

    said = told(again)
    assert [each in said for each in ("signed in, ", "PIN set, ", "locked out, ")] == [True] * 3
    assert told(again) == ""  # once


@pytest.mark.long("postgresql")
def test_d2_when_it_happened_is_told_by_the_clock_of_the_house(house: House, clock: Any) -> None:
    where = {"time_zone": "Europe/Rome", "locale": "en-US"}
    type(house.establishment).objects.filter(pk=house.establishment.pk).update(**where)
    first = signing.client()
    tries(first, "orso")
    clock.shift(timedelta(minutes=5))
    first.post("/me/pin/", {"password": PASSWORD, "pin": "8264", "again": "8264"})
    at = timezone.now().astimezone(ZoneInfo("Europe/Rome"))
    clock.shift(timedelta(minutes=5))

    again = signing.client(signing.ELSEWHERE)
    again.cookies[known_browsers.COOKIE] = first.cookies[known_browsers.COOKIE].value
    tries(again, "orso")

    assert f"PIN set, {at:%m/%d/%Y} {at.hour % 12 or 12}:{at:%M}" in told(again)


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("house")
def test_d2_where_nothing_happened_nothing_is_said(clock: Any) -> None:
    for _ in range(2):
        clock.shift(timedelta(minutes=5))
        at = signing.client()
        tries(at, "orso")
        assert told(at) == ""


# --- Cookies and fields ---------------------------------------------------------------------------


@pytest.mark.long("postgresql")
def test_a_session_is_a_name_by_chance_in_a_cookie_that_scripts_do_not_see(house: House) -> None:
    del house
    one, other = signing.client(), signing.client()
    for at in (one, other):
        tries(at, "orso")
    kept = [at.cookies[configured.SESSION_COOKIE_NAME] for at in (one, other)]

    assert all(re.fullmatch(r"[a-z0-9]{32}", each.value) for each in kept)
    assert kept[0].value != kept[1].value
    assert all(each["httponly"] and each["samesite"] == "Lax" for each in kept)
    assert one.cookies[known_browsers.COOKIE]["httponly"]


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("house")
def test_a_new_password_is_measured_and_any_can_be_seen() -> None:
    """By a script; without one they are fields like any other, which managers of them fill in."""
    at = signing.client()
    door = at.get("/sign-in/").content.decode()
    tries(at, "orso")
    own = at.get("/me/password/").content.decode()

    for page, kept in ((door, "current-password"), (own, "new-password")):
        assert re.search(r"js/password(\.[0-9a-f]+)?\.js", page)  # as collected, or as it is
        assert 'data-show="Show the password"' in page
        assert f'autocomplete="{kept}"' in page
        assert "onpaste" not in page
