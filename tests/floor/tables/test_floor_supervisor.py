"""A supervisor answers on the attendant's device: proven for one act, signed in by none (D2)."""

from __future__ import annotations

from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from casino.house.attendants import assurance, permissions, pins
from casino.house.attendants.models import Attendant, Employment, Role, SignIn
from casino.settings.staff import tablets
from tests.support import builders, playing
from tests.support.playing import PAIR_7, done, opened, round_played, thrown
from tests.support.supervising import (
    NOWHERE,
    PASSWORD,
    PIN,
    SHEET,
    address,
    answers,
    by_name,
    by_pin,
    last,
    refuses,
    session_of,
    waiting,
    with_pins_and_passwords,
)

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]


@pytest.fixture(autouse=True)
def _before_all_else(quick_passwords: object) -> None:
    del quick_passwords


@pytest.fixture
def house() -> House:
    return with_pins_and_passwords()


# --- The act is the supervisor's, the session stays the attendant's -------------------------------


@pytest.mark.parametrize("way", [by_pin, by_name])
@pytest.mark.parametrize("do", ["approve", "reject"])
def test_c1_a_supervisor_answers_and_the_attendant_stays_signed_in(
    house: House, game: uuid.UUID, device: Client, way: Any, do: str
) -> None:
    before, key = session_of(device), device.session.session_key

    answer = answers(device, house, game, do, **way(house.supervisor))

    assert answer.status_code == HTTPStatus.NO_CONTENT, answer.content
    kind, actor, data = last(house, game)
    assert kind == {"approve": "game.voided", "reject": "game.void_rejected"}[do]
    assert actor == str(house.supervisor.pk)
    if do == "approve":
        assert (data["asked_by"], data["approved_by"]) == (str(house.attendant.pk), actor)
    assert waiting(house, game) == []
    assert (session_of(device), device.session.session_key) == (before, key)
    assert "sessionid" not in answer.cookies


def test_d3_the_sign_in_log_notes_the_act_its_way_and_its_device(
    house: House, game: uuid.UUID, device: Client
) -> None:
    device.cookies["device"] = "floor-abc"

    answers(device, house, game, **by_pin(house.supervisor))

    line = SignIn.objects.get(what="one_act")
    assert (line.attendant_id, line.way, line.device) == (house.supervisor.pk, "pin", "floor-abc")
    assert not SignIn.objects.filter(what__in=["signed_in", "pin_taken"]).filter(
        attendant=house.supervisor
    )


def test_d1_the_proof_holds_for_one_act_and_for_no_other(house: House) -> None:
    supervisor = Attendant.objects.get(pk=house.manager.pk)
    supervisor.standing = assurance.Assurance(second_factor=True, only="approve")

    permissions.require(supervisor, "approve", house.establishment)
    for act in ("record", "configure", "audit"):
        with pytest.raises(permissions.NotYours):
            permissions.require(supervisor, act, house.establishment)


# --- Who may not ---------------------------------------------------------------------------------


def test_c1_who_asked_does_not_answer_themselves(house: House, device: Client) -> None:
    running = opened(house)
    round_played(house, running)
    done(house, running, "void", by=house.supervisor, back_to=2, reason="entered wrongly")
    page = device.get(address(running), {"request": waiting(house, running)[0]}).content.decode()

    assert str(house.supervisor.pk) not in page
    assert str(house.manager.pk) in page
    refuses(answers(device, house, running, **by_pin(house.supervisor)), "Tap your name first")
    refuses(answers(device, house, running, **by_name(house.supervisor)), "a second person")
    assert waiting(house, running)


@pytest.mark.parametrize("way", [by_pin, by_name])
def test_d1b_whoever_plays_in_the_game_does_not_answer(
    house: House, game: uuid.UUID, device: Client, way: Any
) -> None:
    seat = playing.token(house, game, "Ada")
    Employment.objects.filter(attendant=house.supervisor).update(player=seat)

    answer = answers(device, house, game, **way(house.supervisor))

    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert waiting(house, game)


@pytest.mark.parametrize("role", [Role.ATTENDANT, Role.AUDITOR])
def test_d1_whose_role_does_not_approve_does_not_answer(
    house: House, game: uuid.UUID, device: Client, role: Role
) -> None:
    other = builders.employed(house.establishment, role, builders.person(password=PASSWORD))
    pins.set_pin(person=other, pin=PIN, place=NOWHERE, now=timezone.now())

    refuses(answers(device, house, game, **by_pin(other)), "Tap your name first")
    refuses(answers(device, house, game, **by_name(other)), "Your role at this house")
    assert waiting(house, game)


def test_d1_a_supervisor_of_another_house_does_not_answer(
    house: House, game: uuid.UUID, device: Client
) -> None:
    stranger = builders.house().supervisor
    stranger.set_password(PASSWORD)
    stranger.save()

    refuses(answers(device, house, game, **by_name(stranger)), "Your role at this house")


def test_d3_a_pin_is_worth_nothing_where_no_tablet_is_enrolled(
    house: House, game: uuid.UUID
) -> None:
    desk = Client(headers=SHEET)
    desk.force_login(house.attendant)

    page = desk.get(address(game), {"request": waiting(house, game)[0]}).content.decode()

    assert 'name="pin"' not in page
    refuses(answers(desk, house, game, **by_pin(house.supervisor)), "Tap your name first")
    assert answers(desk, house, game, **by_name(house.supervisor)).status_code == 204


def test_d3_a_tablet_of_another_house_is_none_here(house: House, game: uuid.UUID) -> None:
    other = builders.house()
    _, cookie = tablets.enrol(
        house=other.establishment, name="T", by=assurance.at_console(other.manager)
    )
    desk = Client(headers=SHEET)
    desk.force_login(house.attendant)
    desk.cookies[tablets.COOKIE] = cookie

    refuses(answers(desk, house, game, **by_pin(house.supervisor)), "Tap your name first")


def test_who_only_looks_has_no_sheet(house: House, game: uuid.UUID) -> None:
    desk = Client(headers=SHEET)
    assert desk.get(address(game)).status_code == HTTPStatus.UNAUTHORIZED
    desk.force_login(house.auditor)
    assert desk.get(address(game)).status_code == HTTPStatus.FORBIDDEN
    assert answers(desk, house, game, **by_name(house.supervisor)).status_code == 403


# --- Change of attendant and handover at the table ------------------------------------------------


def test_the_pad_of_a_tablet_that_nobody_holds_forgets_who_held_it(device: Client) -> None:
    pad = "/floor/attendant/"
    whole = {"HX-Request": ""}
    assert "js/floor/forget" not in device.get(pad, headers=whole).content.decode()

    del device.cookies[settings.SESSION_COOKIE_NAME]

    assert "js/floor/forget" in device.get(pad, headers=whole).content.decode()


def test_d3_a_change_of_attendant_over_the_table_leaves_the_page_to_the_other(
    house: House, game: uuid.UUID, device: Client
) -> None:
    sheet = device.get("/floor/attendant/", {"next": f"/floor/games/{game}/"}).content.decode()
    assert str(house.attendant.pk) not in sheet  # who is here already
    assert str(house.supervisor.pk) in sheet
    before = device.session.session_key

    answer = device.post("/floor/attendant/", by_pin(house.supervisor))

    assert (answer.status_code, answer["Floor-Reload"]) == (HTTPStatus.NO_CONTENT, "yes")
    assert device.session["_auth_user_id"] == str(house.supervisor.pk)
    assert device.session.session_key != before


def test_b3_whoever_takes_the_tablet_signs_for_the_table_with_the_same_pin(
    house: House, device: Client
) -> None:
    running = opened(house)
    thrown(house, running, "Ada", PAIR_7)
    other = builders.employed(house.establishment, Role.ATTENDANT)
    pins.set_pin(person=other, pin=PIN, place=NOWHERE, now=timezone.now())
    done(house, running, "handover", to=str(other.pk))

    sheet = device.get(
        "/floor/attendant/", {"sign": str(running), "person": str(other.pk)}
    ).content.decode()
    assert "Round 1, as it stands after event" in sheet
    device.post("/floor/attendant/", by_pin(other, sign=str(running)))

    kind, actor, _data = last(house, running)
    assert (kind, actor) == ("game.handed_over", str(other.pk))


def test_b3_nobody_signs_for_a_table_that_was_offered_to_somebody_else(
    house: House, device: Client
) -> None:
    running = opened(house)
    done(house, running, "handover", to=str(house.manager.pk))

    device.post("/floor/attendant/", by_pin(house.supervisor, sign=str(running)))

    assert last(house, running)[0] == "game.handover_offered"
    assert device.session["_auth_user_id"] == str(house.supervisor.pk)


def test_d3_a_leaver_s_pin_answers_nothing(house: House, game: uuid.UUID, device: Client) -> None:
    Employment.objects.filter(attendant=house.supervisor).update(
        until=timezone.now() - timedelta(minutes=1)
    )

    refuses(answers(device, house, game, **by_pin(house.supervisor)), "Tap your name first")
    refuses(answers(device, house, game, **by_name(house.supervisor)), "Your role at this house")
