"""A shared tablet: attendants take turns by a PIN of their own, and a PIN records, no more (D3)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.conf import settings as configured
from django.test import Client
from django.utils import timezone

from casino.attendants import assurance, lockout, pins, signins
from casino.attendants.models import Employment, Role, SignIn, Tablet
from casino.staff import operations, tablets
from ledger import journal
from tests.support import builders, playing, signing
from tests.support.signing import somebody, tries

if TYPE_CHECKING:
    from casino.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

PAD = "/floor/attendant/"
PIN = "4711"
NOWHERE = signins.Where()


@pytest.fixture(autouse=True)
def _quick(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def house() -> House:
    made = builders.house()
    for who in (made.attendant, made.supervisor, made.manager):
        pins.set_pin(person=who, pin=PIN, place=NOWHERE, now=timezone.now())
    return made


def tablet_of(house: House, name: str = "Tablet 1") -> Client:
    """A device enrolled as a floor tablet, with nobody signed in."""
    _, cookie = tablets.enrol(
        house=house.establishment, name=name, by=assurance.at_console(house.manager)
    )
    device = Client()
    device.cookies[tablets.COOKIE] = cookie
    return device


def takes_over(device: Client, who: Attendant, pin: str = PIN, **more: Any) -> Any:
    return device.post(PAD, {"person": str(who.pk), "pin": pin, **more})


def person_on(device: Client) -> str:
    return str(device.session.get("_auth_user_id", ""))


# --- Taking over ----------------------------------------------------------------------------------


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


@pytest.mark.parametrize("pin", WRONG)
def test_d3_a_wrong_pin_changes_nothing(house: House, pin: str) -> None:
    device = tablet_of(house)
    takes_over(device, house.attendant)

    assert takes_over(device, house.supervisor, pin).status_code == 422
    assert person_on(device) == str(house.attendant.pk)


def test_d3_anothers_pin_is_not_one_s_own(house: House) -> None:
    pins.set_pin(person=house.supervisor, pin="9031", place=NOWHERE, now=timezone.now())
    device = tablet_of(house)

    assert takes_over(device, house.attendant, "9031").status_code == 422
    assert person_on(device) == ""


def test_d3_a_pin_is_worth_nothing_where_no_tablet_was_enrolled(house: House) -> None:
    for cookie in (None, "", "made.up", f"{Tablet().pk}.secret"):
        device = Client()
        if cookie is not None:
            device.cookies[tablets.COOKIE] = cookie
        answer = takes_over(device, house.attendant)
        assert "no floor tablet yet" in answer.content.decode()
        assert person_on(device) == ""


def test_d3_nor_on_one_that_was_withdrawn(house: House) -> None:
    device = tablet_of(house)
    tablets.withdraw(tablet=Tablet.objects.get(), by=house.manager)

    assert "no floor tablet yet" in takes_over(device, house.attendant).content.decode()
    assert person_on(device) == ""


def test_d3_anothers_people_do_not_take_a_tablet_over(house: House) -> None:
    other = builders.house()
    pins.set_pin(person=other.attendant, pin=PIN, place=NOWHERE, now=timezone.now())

    assert takes_over(tablet_of(house), other.attendant).status_code == 422


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


def test_d3_a_locked_pin_leaves_the_password_open(house: House) -> None:
    mira = somebody(house, Role.ATTENDANT, "mira")
    pins.set_pin(person=mira, pin=PIN, place=NOWHERE, now=timezone.now())
    device = tablet_of(house)
    for _ in range(5):
        takes_over(device, mira, "0815")

    assert tries(device, "mira").status_code == 302


# --- A PIN records, no more -----------------------------------------------------------------------

OFFICE = [
    "/odds/", "/people/", "/people/tablets/", "/people/sign-ins/", "/me/", "/me/pin/",
    "/me/second-factor/", "/admin/", "/api/v1/establishments/", "/house/", "/approvals/",
]  # fmt: skip


@pytest.mark.parametrize("path", OFFICE)
def test_d3_a_pin_does_not_open_the_office(house: House, path: str) -> None:
    device = tablet_of(house)
    takes_over(device, house.manager)

    for answer in (device.get(path), device.post(path)):
        assert answer.status_code == 403
        assert "took over by PIN" in answer.content.decode()


def test_d3_the_start_page_is_the_floor_then(house: House) -> None:
    device = tablet_of(house)
    takes_over(device, house.manager)

    assert device.get("/")["Location"] == "/floor/"
    assert device.get("/floor/").status_code == 200


def test_d3_a_manager_by_pin_is_an_attendant_of_this_house_alone(house: House) -> None:
    other = builders.house()
    builders.employed(other.establishment, Role.MANAGER, house.manager)
    theirs, ours = playing.opened(other), playing.opened(house)
    device = tablet_of(house)
    takes_over(device, house.manager)

    assert device.get(f"/floor/games/{theirs}/").status_code == 404
    assert device.get(f"/floor/games/{ours}/").status_code == 200


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


def test_d3_a_full_sign_in_on_the_tablet_opens_the_office_again(house: House) -> None:
    somebody(house, Role.MANAGER, "orso")
    device = tablet_of(house)
    takes_over(device, house.manager)

    assert device.get("/sign-in/").status_code == 200
    assert tries(device, "orso")["Location"] == "/"
    assert device.get("/people/").status_code == 200


def test_d3_no_second_factor_makes_a_session_by_pin_a_full_one(house: House) -> None:
    secret = signing.app_of(house.manager)
    device = tablet_of(house)
    takes_over(device, house.manager)

    assert device.get("/sign-in/second/")["Location"] == "/sign-in/"
    code = {"code": signing.code_of(secret)}
    assert device.post("/sign-in/second/", code)["Location"] == "/sign-in/"
    assert device.get("/people/").status_code == 403


def test_d3_signed_out_on_a_tablet_the_next_gives_a_pin(house: House) -> None:
    device = tablet_of(house)
    takes_over(device, house.attendant)

    assert device.post("/sign-out/")["Location"] == PAD
    assert "Take over by PIN" in device.get("/sign-in/").content.decode()
    assert SignIn.objects.filter(what="signed_out", establishment=house.id).exists()


def test_d3_who_leaves_is_off_every_tablet_at_once(house: House) -> None:
    device, game = tablet_of(house), playing.opened(house)
    takes_over(device, house.attendant)

    operations.dismiss(
        employment=Employment.objects.get(attendant=house.attendant), by=house.manager
    )

    assert device.get(f"/floor/games/{game}/").status_code == 302  # to the sign-in page
    assert takes_over(device, house.attendant).status_code == 422


def test_d3_a_tablet_withdrawn_is_nobody_s_from_then_on(house: House) -> None:
    """A tablet that was stolen with somebody's session on it."""
    device, game = tablet_of(house), playing.opened(house)
    takes_over(device, house.attendant)
    assert device.get(f"/floor/games/{game}/").status_code == 200

    tablets.withdraw(tablet=Tablet.objects.get(), by=house.manager)

    assert device.get(f"/floor/games/{game}/").status_code == 302
    assert device.post(f"/floor/games/{game}/command/", {"do": "close"}).status_code == 401


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


# --- Setting a PIN --------------------------------------------------------------------------------

# fmt: off
UNFIT = ["", "123", "123456789", "12a4", "٤٧١١", "1111", "00000000", "1234", "4321", "90123"[1:],
         "7890", " 4711"]
# fmt: on


@pytest.mark.parametrize("pin", UNFIT)
def test_d3_a_pin_that_anybody_would_try_is_not_taken(house: House, pin: str) -> None:
    with pytest.raises(pins.PinUnfit):
        pins.set_pin(person=house.attendant, pin=pin, place=NOWHERE, now=timezone.now())


@pytest.mark.parametrize("pin", ["4711", "1357", "90218834", "00001"])
def test_d3_others_are(house: House, pin: str) -> None:
    pins.set_pin(person=house.attendant, pin=pin, place=NOWHERE, now=timezone.now())

    assert takes_over(tablet_of(house), house.attendant, pin).status_code == 302


def test_d3_a_pin_is_set_on_one_s_own_page_and_kept_as_a_hash(house: House) -> None:
    mira = somebody(house, Role.ATTENDANT, "mira")
    at = signing.client()
    tries(at, "mira")

    differs = at.post("/me/pin/", {"pin": "8264", "again": "8265"})
    weak = at.post("/me/pin/", {"pin": "1234", "again": "1234"})
    done = at.post("/me/pin/", {"pin": "8264", "again": "8264"})

    assert (differs.status_code, weak.status_code, done.status_code) == (422, 422, 302)
    mira.refresh_from_db()
    assert "8264" not in mira.pin
    assert takes_over(tablet_of(house), mira, "8264").status_code == 302


def test_d3_an_auditor_sets_none(house: House) -> None:
    at = builders.signed_in(house.auditor)

    assert (
        at.post("/me/pin/", {"pin": "8264", "again": "8264"}, format="multipart").status_code == 403
    )


# --- Enrolling ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "status"),
    [(Role.ATTENDANT, 403), (Role.AUDITOR, 403), (Role.SUPERVISOR, 302), (Role.MANAGER, 302)],
)
def test_d3_a_tablet_is_enrolled_by_who_answers_for_it(
    house: House, role: Role, status: int
) -> None:
    device = Client()
    device.force_login(house.people[role])

    answer = device.post("/people/tablets/", {"name": "Garden", "command_id": playing.new_id()})

    assert answer.status_code == status
    assert Tablet.objects.filter(enrolled_by=house.people[role]).exists() == (status == 302)
    assert bool(device.cookies.get(tablets.COOKIE)) == (status == 302)
    if status == 302:
        cookie = device.cookies[tablets.COOKIE]
        assert cookie["httponly"]
        assert cookie.value.partition(".")[2] not in Tablet.objects.get().secret
        last = journal.last(establishment=house.id, stream="record/tablet")
        assert last is not None
        assert last.provenance.actor == str(house.people[role].pk)
        assert takes_over(device, house.attendant).status_code == 302


def test_d3_two_tablets_do_not_bear_one_name(house: House) -> None:
    tablet_of(house)
    device = Client()
    device.force_login(house.manager)

    again = device.post("/people/tablets/", {"name": "Tablet 1", "command_id": playing.new_id()})

    assert again.status_code == 422
    assert "another tablet has it" in again.content.decode()


def test_d3_nobody_withdraws_a_tablet_of_another_house(house: House) -> None:
    tablet_of(house)
    other = Client()
    other.force_login(builders.house().manager)

    assert other.post(f"/people/tablets/{Tablet.objects.get().pk}/withdraw/").status_code == 404
    assert Tablet.objects.get().withdrawn_at is None
