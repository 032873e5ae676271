"""A supervisor answers on the attendant's device: proven for one act, signed in by none (D2)."""

from __future__ import annotations

from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils import timezone

from casino.attendants import assurance, factors, permissions, pins, signins
from casino.attendants.models import Attendant, Employment, Role, SignIn
from casino.establishments.models import Establishment
from casino.sign_in import one_time_approval
from casino.staff import tablets
from ledger import journal
from tests.support import builders, playing
from tests.support.playing import PAIR_4, PAIR_7, done, game_of, opened, round_played, thrown
from tests.support.signing import app_of, code_of

if TYPE_CHECKING:
    import uuid
    from collections.abc import Mapping

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]

PIN, PASSWORD = "4711", builders.PASSWORD
NOWHERE = signins.Where()
SHEET = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def _quick(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def house() -> House:
    made = builders.house()
    for who in (made.attendant, made.supervisor, made.manager):
        pins.set_pin(person=who, pin=PIN, place=NOWHERE, now=timezone.now())
        who.set_password(PASSWORD)
        who.save()
    return made


@pytest.fixture
def game(house: House) -> uuid.UUID:
    """A game in which Ada lost the first round, 7 coins; the attendant asks to void it."""
    running = opened(house)
    round_played(house, running)
    done(house, running, "void", back_to=2, reason="entered wrongly")
    return running


@pytest.fixture
def device(house: House) -> Client:
    """An enrolled tablet in the attendant's hands."""
    console = assurance.at_console(Attendant.objects.get(pk=house.manager.pk))
    _, cookie = tablets.enrol(house=house.establishment, name="Tablet 1", by=console)
    made = Client(headers=SHEET)
    made.cookies[tablets.COOKIE] = cookie
    made.post("/floor/attendant/", {"person": str(house.attendant.pk), "pin": PIN})
    return made


def address(game: uuid.UUID, part: str = "supervisor") -> str:
    return f"/floor/games/{game}/{part}/"


def waiting(house: House, game: uuid.UUID) -> list[int]:
    return [each.request for each in game_of(house, game).state.requests]


def answers(
    device: Client, house: House, game: uuid.UUID, do: str = "approve", **fields: Any
) -> Any:
    """The request that waits is answered, as the sheet sends it."""
    loaded = game_of(house, game)
    sent = {
        "do": do,
        "request": waiting(house, game)[0],
        "version": loaded.version,
        "command_id": playing.new_id(),
        **({"reason": "as thrown"} if do == "reject" else {}),
        **fields,
    }
    return device.post(address(game), sent)


def by_pin(who: Attendant, pin: str = PIN, **more: Any) -> dict[str, Any]:
    return {"person": str(who.pk), "pin": pin, **more}


def by_name(who: Attendant, password: str = PASSWORD, **more: Any) -> dict[str, Any]:
    return {"username": who.username, "password": password, **more}


def last(house: House, game: uuid.UUID) -> tuple[str, str, Mapping[str, Any]]:
    """Type, actor and data of a game's last event."""
    event = journal.last(establishment=house.id, stream=f"game/{game}")
    assert event is not None
    return event.event_type, event.provenance.actor, event.data


def session_of(device: Client) -> dict[str, Any]:
    return dict(device.session.items())


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
    supervisor.standing = assurance.Standing(second_factor=True, only="approve")

    permissions.require(supervisor, "approve", house.establishment)
    for act in ("record", "configure", "audit"):
        with pytest.raises(permissions.NotYours):
            permissions.require(supervisor, act, house.establishment)


# --- Who may not ---------------------------------------------------------------------------------


def refuses(answer: Any, words: str) -> None:
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY, answer.content
    assert words in answer.content.decode()


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


def test_d2_wrong_passwords_lock_out_as_at_the_door(
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
    person.standing = assurance.Standing(only="approve")

    with pytest.raises(permissions.SecondFactorNeeded):
        playing.ask(house, game, "approve", by=person, request=waiting(house, game)[0])


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


# --- Change of attendant and handover at the table ------------------------------------------------


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
