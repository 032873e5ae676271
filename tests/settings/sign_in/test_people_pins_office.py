"""What a session that a PIN opened may do, and when it ends (D3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import time_machine
from django.conf import settings as configured
from django.test import Client
from django.utils import timezone

from casino.house.attendants import lockout, pins
from casino.house.attendants.models import Employment, Role, SignIn, Tablet
from casino.settings.staff import operations, tablets
from tests.support import builders, playing, signing
from tests.support.pinned import NOWHERE, PAD, person_on, tablet_of, takes_over, with_pins
from tests.support.signing import somebody, tries

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _before_all_else(quick_passwords: object) -> None:
    del quick_passwords


@pytest.fixture
def house() -> House:
    return with_pins()


# --- A PIN records, no more -----------------------------------------------------------------------

OFFICE = [
    "/odds/", "/people/", "/people/tablets/", "/people/sign-ins/", "/me/", "/me/pin/",
    "/me/second-factor/", "/admin/", "/api/v1/establishments/", "/house/", "/approvals/",
]  # fmt: skip


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("path", OFFICE)
def test_d3_a_pin_does_not_open_the_office(house: House, path: str) -> None:
    device = tablet_of(house)
    takes_over(device, house.manager)

    for answer in (device.get(path), device.post(path)):
        assert answer.status_code == 403
        assert "took over by PIN" in answer.content.decode()


@pytest.mark.long("postgresql")
def test_d3_the_start_page_is_the_floor_then(house: House) -> None:
    device = tablet_of(house)
    takes_over(device, house.manager)

    assert device.get("/")["Location"] == "/floor/"
    assert device.get("/floor/").status_code == 200


@pytest.mark.long("postgresql")
def test_d3_a_manager_by_pin_is_an_attendant_of_this_house_alone(house: House) -> None:
    other = builders.house()
    builders.employed(other.establishment, Role.MANAGER, house.manager)
    theirs, ours = playing.opened(other), playing.opened(house)
    device = tablet_of(house)
    takes_over(device, house.manager)

    assert device.get(f"/floor/games/{theirs}/").status_code == 404
    assert device.get(f"/floor/games/{ours}/").status_code == 200


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("do", ["approve", "reject"])
def test_d3_a_supervisor_by_pin_does_not_approve(house: House, do: str) -> None:
    game = playing.opened(house)
    playing.round_played(house, game)
    playing.done(house, game, "void", back_to=2, reason="Misread.")
    request = playing.game_of(house, game).version
    device = tablet_of(house)
    takes_over(device, house.supervisor)

    answer = device.post(
        f"/floor/games/{game}/command/",
        {"do": do, "request": str(request), "reason": "Seen.", "command_id": playing.new_id()},
    )

    assert answer.status_code == 403
    assert playing.game_of(house, game).version == request
    assert 'value="approve"' not in device.get(f"/floor/games/{game}/").content.decode()


@pytest.mark.long("postgresql")
def test_d3_a_pin_takes_the_full_session_before_it_away(house: House) -> None:
    orso = somebody(house, Role.MANAGER, "orso")
    device = tablet_of(house)
    tries(device, "orso")
    office = str(device.session.session_key)
    takes_over(device, house.attendant)

    stolen = Client()
    stolen.cookies[configured.SESSION_COOKIE_NAME] = office

    assert stolen.get("/people/").status_code == 302
    assert str(orso.pk) != person_on(device)


@pytest.mark.long("postgresql")
def test_d3_a_full_sign_in_on_the_tablet_opens_the_office_again(house: House) -> None:
    somebody(house, Role.MANAGER, "orso")
    device = tablet_of(house)
    takes_over(device, house.manager)

    assert device.get("/sign-in/").status_code == 200
    assert tries(device, "orso")["Location"] == "/"
    assert device.get("/people/").status_code == 200


@pytest.mark.long("postgresql")
def test_d3_no_second_factor_makes_a_session_by_pin_a_full_one(house: House) -> None:
    secret = signing.app_of(house.manager)
    device = tablet_of(house)
    takes_over(device, house.manager)

    assert device.get("/sign-in/second/")["Location"] == "/sign-in/"
    code = {"code": signing.code_of(secret)}
    assert device.post("/sign-in/second/", code)["Location"] == "/sign-in/"
    assert device.get("/people/").status_code == 403


@pytest.mark.long("postgresql")
def test_d3_signed_out_on_a_tablet_the_next_gives_a_pin(house: House) -> None:
    device = tablet_of(house)
    takes_over(device, house.attendant)

    assert device.post("/sign-out/")["Location"] == PAD
    assert "Take over by PIN" in device.get("/sign-in/").content.decode()
    assert SignIn.objects.filter(what="signed_out", establishment=house.id).exists()


@pytest.mark.long("postgresql")
def test_d3_who_leaves_is_off_every_tablet_at_once(house: House) -> None:
    device, game = tablet_of(house), playing.opened(house)
    takes_over(device, house.attendant)

    operations.dismiss(
        employment=Employment.objects.get(attendant=house.attendant), by=house.manager
    )

    assert device.get(f"/floor/games/{game}/").status_code == 302  # to the sign-in page
    assert takes_over(device, house.attendant).status_code == 422


@pytest.mark.long("postgresql")
def test_d3_a_tablet_withdrawn_is_nobody_s_from_then_on(house: House) -> None:
    """A tablet that was stolen with somebody's session on it."""
    device, game = tablet_of(house), playing.opened(house)
    takes_over(device, house.attendant)
    assert device.get(f"/floor/games/{game}/").status_code == 200

    tablets.withdraw(tablet=Tablet.objects.get(), by=house.manager)

    assert device.get(f"/floor/games/{game}/").status_code == 302
    assert device.post(f"/floor/games/{game}/command/", {"do": "close"}).status_code == 401


@pytest.mark.long("postgresql")
def test_d3_another_pin_ends_what_was_opened_by_the_one_before(house: House) -> None:
    device, game = tablet_of(house), playing.opened(house)
    takes_over(device, house.attendant)

    pins.set_pin(person=house.attendant, pin="8264", place=NOWHERE, now=timezone.now())

    assert device.get(f"/floor/games/{game}/").status_code == 302
    assert takes_over(device, house.attendant, "8264").status_code == 302
    assert device.get(f"/floor/games/{game}/").status_code == 200


def test_d3_tablets_together_take_twenty_tries_a_day(house: House) -> None:
    """Five a quarter of an hour on each would be thousands; there are ten thousand PINs."""
    device, who = tablet_of(house), house.attendant
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for number in range(20):
            takes_over(device, who, f"{9000 + number}")
            clock.shift(lockout.WITHIN)
        locked = takes_over(device, who)
        assert locked.status_code == 422
        assert "Too many tries" in locked.content.decode()

        assert lockout.unlock(who, timezone.now()) == 1
        assert takes_over(device, who).status_code == 302
