"""A shared tablet: attendants take turns by a PIN of their own, and a PIN records, no more (D3)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from casino.house.attendants import lockout, pins
from casino.house.attendants.models import Employment, Role, SignIn, Tablet
from casino.settings.staff import operations, tablets
from ledger import journal
from tests.support import builders, playing, signing
from tests.support.builders import PASSWORD
from tests.support.pinned import NOWHERE, PAD, PIN, person_on, tablet_of, takes_over, with_pins
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


# --- Taking over ----------------------------------------------------------------------------------


@pytest.mark.long("postgresql")
def test_d3_a_tap_and_a_pin_and_the_tablet_is_in_other_hands(house: House) -> None:
    device = tablet_of(house)
    game = playing.opened(house)
    back = f"/floor/games/{game}/"

    answer = takes_over(device, house.attendant, next=back)

    assert answer["Location"] == back
    assert person_on(device) == str(house.attendant.pk)
    first = device.session.session_key
    takes_over(device, house.supervisor)
    assert person_on(device) == str(house.supervisor.pk)
    assert device.session.session_key != first
    assert list(SignIn.objects.filter(what="pin_taken").values_list("establishment", "way")) == [
        (house.id, "pin"),
        (house.id, "pin"),
    ]


@pytest.mark.long("postgresql")
def test_d3_what_is_recorded_bears_the_name_of_who_gave_the_pin(house: House) -> None:
    device = tablet_of(house)
    takes_over(device, house.attendant)
    game = playing.opened(house)

    device.post(
        f"/floor/games/{game}/command/",
        {"do": "throw", "player": "Ada", "dice": ["2", "2", "7"], "command_id": playing.new_id()},
    )

    last = journal.last(establishment=house.id, stream=f"game/{game}")
    assert last is not None
    assert last.provenance.actor == str(house.attendant.pk)


@pytest.mark.long("postgresql")
def test_d3_the_pad_names_only_who_records_here_and_has_a_pin(house: House) -> None:
    other = builders.house()
    pins.set_pin(person=other.attendant, pin=PIN, place=NOWHERE, now=timezone.now())
    pins.set_pin(person=house.auditor, pin=PIN, place=NOWHERE, now=timezone.now())
    without = builders.employed(house.establishment, Role.ATTENDANT)

    page = tablet_of(house).get(PAD).content.decode()

    for who in (house.attendant, house.supervisor, house.manager):
        assert str(who.pk) in page
    for who in (house.auditor, other.attendant, without):
        assert str(who.pk) not in page


WRONG = ["", "4712", "471", "47110", "٤٧١١", "4711 ", "four", "4" * 5000]


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("pin", WRONG)
def test_d3_a_wrong_pin_changes_nothing(house: House, pin: str) -> None:
    device = tablet_of(house)
    takes_over(device, house.attendant)

    assert takes_over(device, house.supervisor, pin).status_code == 422
    assert person_on(device) == str(house.attendant.pk)


@pytest.mark.long("postgresql")
def test_d3_anothers_pin_is_not_one_s_own(house: House) -> None:
    pins.set_pin(person=house.supervisor, pin="9031", place=NOWHERE, now=timezone.now())
    device = tablet_of(house)

    assert takes_over(device, house.attendant, "9031").status_code == 422
    assert person_on(device) == ""


@pytest.mark.long("postgresql")
def test_d3_a_pin_is_worth_nothing_where_no_tablet_was_enrolled(house: House) -> None:
    for cookie in (None, "", "made.up", f"{Tablet().pk}.secret"):
        device = Client()
        if cookie is not None:
            device.cookies[tablets.COOKIE] = cookie
        answer = takes_over(device, house.attendant)
        assert "no floor tablet yet" in answer.content.decode()
        assert person_on(device) == ""


@pytest.mark.long("postgresql")
def test_d3_nor_on_one_that_was_withdrawn(house: House) -> None:
    device = tablet_of(house)
    tablets.withdraw(tablet=Tablet.objects.get(), by=house.manager)

    assert "no floor tablet yet" in takes_over(device, house.attendant).content.decode()
    assert person_on(device) == ""


@pytest.mark.long("postgresql")
def test_d3_anothers_people_do_not_take_a_tablet_over(house: House) -> None:
    other = builders.house()
    pins.set_pin(person=other.attendant, pin=PIN, place=NOWHERE, now=timezone.now())

    assert takes_over(tablet_of(house), other.attendant).status_code == 422


@pytest.mark.long("postgresql")
def test_d3_one_is_sent_back_to_the_floor_and_nowhere_else(house: House) -> None:
    device = tablet_of(house)
    for wanted in ("https://elsewhere.example/floor/", "/people/", "//elsewhere/floor/", ""):
        assert takes_over(device, house.attendant, next=wanted)["Location"] == "/floor/"


# --- Lockout -------------------------------------------------------------------------------------


def test_d3_five_wrong_pins_lock_the_person_on_this_tablet(house: House) -> None:
    device, other = tablet_of(house), tablet_of(house, "Tablet 2")
    for _ in range(5):
        last = takes_over(device, house.attendant, "0815")

    assert "no more are taken for 15 minutes" in last.content.decode()
    assert takes_over(device, house.attendant).status_code == 422
    assert takes_over(device, house.supervisor).status_code == 302
    assert takes_over(other, house.attendant).status_code == 302
    assert SignIn.objects.filter(what="locked", way="pin").exists()


@pytest.mark.long("postgresql")
def test_d3_the_lock_ends_by_itself_or_by_a_manager(house: House) -> None:
    device = tablet_of(house)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(5):
            takes_over(device, house.attendant, "0815")
        clock.shift(lockout.WITHIN + timedelta(seconds=1))
        assert takes_over(device, house.attendant).status_code == 302
        for _ in range(5):
            takes_over(device, house.attendant, "0815")
        operations.unlock(
            employment=Employment.objects.get(attendant=house.attendant),
            by=house.manager,
            place=NOWHERE,
            now=timezone.now(),
        )
        assert takes_over(device, house.attendant).status_code == 302


@pytest.mark.long("postgresql")
def test_d3_a_locked_pin_leaves_the_password_open(house: House) -> None:
    mira = somebody(house, Role.ATTENDANT, "mira")
    pins.set_pin(person=mira, pin=PIN, place=NOWHERE, now=timezone.now())
    device = tablet_of(house)
    for _ in range(5):
        takes_over(device, mira, "0815")

    assert tries(device, "mira").status_code == 302


# fmt: off
# --- Setting a PIN --------------------------------------------------------------------------------

UNFIT = ["", "123", "123456789", "12a4", "٤٧١١", "1111", "00000000", "1234", "4321", "90123"[1:],
         "7890", " 4711"]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("pin", UNFIT)
def test_d3_a_pin_that_anybody_would_try_is_not_taken(house: House, pin: str) -> None:
    with pytest.raises(pins.PinUnfit):
        pins.set_pin(person=house.attendant, pin=pin, place=NOWHERE, now=timezone.now())


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("pin", ["4711", "1357", "90218834", "00001"])
def test_d3_others_are(house: House, pin: str) -> None:
    pins.set_pin(person=house.attendant, pin=pin, place=NOWHERE, now=timezone.now())

    assert takes_over(tablet_of(house), house.attendant, pin).status_code == 302


@pytest.mark.long("postgresql")
def test_d3_a_pin_is_set_on_one_s_own_page_and_kept_as_a_hash(house: House) -> None:
    mira = somebody(house, Role.ATTENDANT, "mira")
    at = signing.client()
    tries(at, "mira")

    differs = at.post("/me/pin/", {"password": PASSWORD, "pin": "8264", "again": "8265"})
    weak = at.post("/me/pin/", {"password": PASSWORD, "pin": "1234", "again": "1234"})
    done = at.post("/me/pin/", {"password": PASSWORD, "pin": "8264", "again": "8264"})

    assert (differs.status_code, weak.status_code, done.status_code) == (422, 422, 302)
    mira.refresh_from_db()
    assert "8264" not in mira.pin
    assert takes_over(tablet_of(house), mira, "8264").status_code == 302


@pytest.mark.long("postgresql")
def test_d3_without_the_password_no_pin_is_set_and_guesses_of_it_are_limited(house: House) -> None:
    mira = somebody(house, Role.ATTENDANT, "mira")
    at = signing.client()
    tries(at, "mira")
    new = {"pin": "8264", "again": "8264"}

    assert at.post("/me/pin/", new).status_code == 422
    for _ in range(lockout.TRIES):
        assert at.post("/me/pin/", {**new, "password": "wrong"}).status_code == 422
    locked = at.post("/me/pin/", {**new, "password": PASSWORD})

    assert (locked.status_code, "D2" in locked.text) == (422, True)
    mira.refresh_from_db()
    assert mira.pin == ""
    noted = SignIn.objects.filter(attendant=mira).values_list("what", flat=True)
    assert {"wrong_password", "locked"} <= set(noted)


@pytest.mark.long("postgresql")
def test_d3_an_auditor_sets_none(house: House) -> None:
    at = builders.signed_in(house.auditor)

    assert (
        at.post("/me/pin/", {"pin": "8264", "again": "8264"}, format="multipart").status_code == 403
    )
