"""Who works at a house: invited, given roles, linked to a player, let go, and listed (D1, D1b)."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from casino.approvals import answers
from casino.approvals.models import RequestRow
from casino.attendants import assurance, permissions
from casino.attendants.models import Attendant, Employment, Invitation, Role
from casino.operations import acts
from casino.pseudonyms import tokens as pseudonyms
from casino.staff import access, invitations, operations
from ledger import journal
from tests.support import approving, builders, playing, signing
from tests.support.at_once import at_once, on_a_file
from tests.support.listed import as_csv
from tests.support.playing import PAIR_7
from tests.support.signing import somebody, tries

if TYPE_CHECKING:
    from pathlib import Path
    from uuid import UUID

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

WEDNESDAY = "six-lamps-on-a-bridge"


@pytest.fixture(autouse=True)
def _quick(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def house() -> House:
    return builders.house()


def at(who: Attendant) -> Client:
    client = Client()
    client.force_login(who)
    return client


def employment(house: House, who: Attendant) -> Employment:
    return Employment.objects.get(establishment=house.id, attendant=who, until__isnull=True)


def page_of(house: House, who: Attendant) -> str:
    return f"/people/{employment(house, who).pk}/"


def told(do: str, **fields: str) -> dict[str, str]:
    """One of the forms on a person's page, filled in."""
    named = {f"{do}-{name}": value for name, value in fields.items()}
    return {"do": do, f"{do}-command_id": playing.new_id(), **named}


def last_event(house: House, kind: str) -> Any:
    event = journal.last(establishment=house.id, stream=f"record/{kind}")
    assert event is not None
    return event


# --- Invitations ----------------------------------------------------------------------------------


def invited(house: House, role: Role = Role.ATTENDANT, name: str = "Nell Ferro") -> str:
    """The link that a manager gets."""
    form = {"name": name, "role": role, "command_id": playing.new_id()}
    page = at(house.manager).post("/people/invite/", form).content.decode()
    found = re.search(r'class="link-once"[^>]*>([^<]+)<', page)
    assert found, page
    parts = urlsplit(html.unescape(found[1]))
    return f"{parts.path}?{parts.query}"


def newcomer(**more: str) -> dict[str, str]:
    return {
        "username": "nell",
        "first_name": "Nell",
        "last_name": "Ferro",
        "password": WEDNESDAY,
        "again": WEDNESDAY,
        **more,
    }


def test_d1_somebody_new_takes_a_place_with_a_password_of_their_own(house: House) -> None:
    link, nell = invited(house), Client()
    assert "Nell Ferro, you are invited" in nell.get(link).content.decode()

    answer = nell.post(link, newcomer())

    assert answer["Location"] == "/"
    job = employment(house, Attendant.objects.get(username="nell"))
    assert (job.role, job.attendant.check_password(WEDNESDAY)) == (Role.ATTENDANT, True)
    assert nell.get("/me/").status_code == 200
    event = last_event(house, "employment")
    assert event.data["after"]["invitation_id"] == str(Invitation.objects.get().pk)
    assert last_event(house, "invitation").data["after"]["accepted_by_id"] == str(job.attendant_id)


def test_d1_the_manager_who_invited_stands_in_the_ledger_and_no_name_or_secret(
    house: House,
) -> None:
    link = invited(house)

    event = last_event(house, "invitation")
    assert event.provenance.actor == str(house.manager.pk)
    assert "secret" not in event.data["after"]
    assert b"Nell" not in event.body
    key = link.partition("key=")[2]
    assert key not in Invitation.objects.get().secret


def test_d1_a_link_works_once(house: House) -> None:
    link = invited(house)
    Client().post(link, newcomer())

    again = Client().post(link, newcomer(username="nell-two"))

    assert again.status_code == 422
    assert not Attendant.objects.filter(username="nell-two").exists()


def test_d1_a_link_ends_after_seven_days_or_when_it_is_called_back(house: House) -> None:
    late, back = invited(house), invited(house, name="Ada Brook")
    row = Invitation.objects.order_by("made_at").last()
    assert row is not None
    at(house.manager).post(f"/people/invitations/{row.pk}/revoke/")

    assert Client().get(back).status_code == 422
    with time_machine.travel(timezone.now() + invitations.HOLDS):
        assert Client().post(late, newcomer()).status_code == 422
    assert not Attendant.objects.filter(username="nell").exists()


@pytest.mark.parametrize("key", ["", "made-up", "x" * 5000, "%00"])
def test_d1_a_link_that_was_made_up_opens_nothing(key: str) -> None:
    assert Client().get(f"/invitation/?key={key}").status_code == 422
    assert Client().post(f"/invitation/?key={key}", newcomer()).status_code == 422


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"password": "12345678", "again": "12345678"}, "too common"),
        ({"again": "another"}, "not the same"),
        ({"username": "no spaces!"}, "Enter a valid username"),
        ({"username": "mira"}, "already exists"),
        ({"first_name": ""}, "required"),
    ],
)
def test_d1_what_does_not_do_is_said_and_the_link_still_holds(
    house: House, wrong: dict[str, str], sentence: str
) -> None:
    somebody(house, Role.ATTENDANT, "mira")
    link = invited(house)

    refused = Client().post(link, newcomer(**wrong))

    assert (refused.status_code, sentence in refused.content.decode()) == (422, True)
    assert Client().post(link, newcomer()).status_code == 302


def test_d1_somebody_known_takes_a_place_with_the_sign_in_they_have(house: House) -> None:
    other = builders.house()
    mira = somebody(other, Role.MANAGER, "mira")
    link = invited(house, Role.SUPERVISOR)
    at_hers = Client()
    assert "sign-in/?next=%2Finvitation" in at_hers.get(link).content.decode()
    assert tries(at_hers, "mira", next=link)["Location"] == link

    at_hers.post(link)

    assert permissions.roles(mira) == {other.id: Role.MANAGER, house.id: Role.SUPERVISOR}


def test_d1_who_works_here_already_is_not_taken_on_twice(house: House) -> None:
    link = invited(house, Role.MANAGER)

    answer = at(house.attendant).post(link)

    assert answer.status_code == 422
    assert "You work here already" in answer.content.decode()
    assert permissions.roles(house.attendant) == {house.id: Role.ATTENDANT}


def test_d2_who_is_to_approve_is_led_to_a_second_factor(house: House) -> None:
    assert (
        Client().post(invited(house, Role.SUPERVISOR), newcomer())["Location"]
        == "/me/second-factor/"
    )


def test_a_second_tap_makes_no_second_invitation(house: House) -> None:
    form = {"name": "Nell", "role": Role.ATTENDANT, "command_id": playing.new_id()}
    for _ in range(2):
        at(house.manager).post("/people/invite/", form)

    assert Invitation.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_d1_of_two_that_take_a_link_at_once_one_gets_the_place(
    tmp_path: Path, house: House
) -> None:
    _, key = invitations.invite(
        house=house.establishment,
        name="Nell",
        role=Role.ATTENDANT,
        by=house.manager,
        now=timezone.now(),
    )
    people = [builders.person() for _ in range(4)]

    def take(number: int) -> bool:
        try:
            invitations.accept(secret=key, person=people[number], now=timezone.now())
        except invitations.InvitationSpent:
            return False
        return True

    with on_a_file(tmp_path):
        assert Invitation.objects.count() == 1
        took = at_once(4, take)
        taken = Employment.objects.filter(attendant__in=people).count()

    assert (sum(took), taken) == (1, 1)


# --- Roles ----------------------------------------------------------------------------------------


def test_d1_a_role_changes_with_before_after_and_why(house: House) -> None:
    answer = at(house.manager).post(
        page_of(house, house.attendant),
        told("role", role=Role.SUPERVISOR, reason="Passed the exam."),
    )

    assert answer.status_code == 302
    event = last_event(house, "employment")
    assert event.event_type == "employment.changed"
    assert (event.data["before"]["role"], event.data["after"]["role"]) == (
        "attendant",
        "supervisor",
    )
    assert pseudonyms.resolve(house.id, event.data["reason"]) == "Passed the exam."
    assert event.provenance.actor == str(house.manager.pk)


def test_d1_a_role_does_not_change_without_a_reason(house: House) -> None:
    answer = at(house.manager).post(
        page_of(house, house.attendant), told("role", role=Role.SUPERVISOR, reason=" ")
    )

    assert answer.status_code == 422
    assert permissions.roles(house.attendant)[house.id] == Role.ATTENDANT


@pytest.mark.parametrize("role", [Role.ATTENDANT, Role.SUPERVISOR, Role.AUDITOR])
@pytest.mark.parametrize("do", ["role", "leaving", "player", "unlock", "reset"])
def test_d1_nobody_but_a_manager_changes_anything(house: House, role: Role, do: str) -> None:
    head = journal.head(establishment=house.id)
    form = told(do, role=Role.MANAGER, reason="Because.", player="")

    assert at(house.people[role]).post(page_of(house, house.attendant), form).status_code == 403
    assert journal.head(establishment=house.id) == head


def test_d1_nobody_changes_their_own_role(house: House) -> None:
    builders.employed(house.establishment, Role.MANAGER)

    answer = at(house.manager).post(
        page_of(house, house.manager),
        told("role", role=Role.AUDITOR, reason="Less to do."),
        follow=True,
    )

    assert "Nobody changes their own role" in answer.content.decode()
    assert permissions.roles(house.manager)[house.id] == Role.MANAGER
    with pytest.raises(operations.OwnRole):
        operations.change_role(
            employment=employment(house, house.manager),
            role=Role.AUDITOR,
            by=house.manager,
            reason="Less to do.",
        )


def test_d1_the_admin_is_no_way_around_it(house: House) -> None:
    job = employment(house, house.manager)

    answer = at(house.manager).post(
        f"/admin/attendants/employment/{job.pk}/change/",
        {"role": Role.AUDITOR, "until_0": "", "until_1": ""},
    )

    assert "Nobody changes their own role" in answer.content.decode()
    assert permissions.roles(house.manager)[house.id] == Role.MANAGER


def test_d1_a_house_keeps_a_manager(house: House) -> None:
    job = employment(house, house.manager)

    with pytest.raises(operations.LastManager):
        operations.dismiss(employment=job, by=house.manager, reason="Off.")
    assert permissions.roles(house.manager)[house.id] == Role.MANAGER

    other = builders.employed(house.establishment, Role.MANAGER)
    operations.change_role(
        employment=employment(house, house.manager), role=Role.AUDITOR, by=other, reason="Rest."
    )
    with pytest.raises(operations.LastManager):
        operations.dismiss(employment=employment(house, other), by=other)


@pytest.mark.django_db(transaction=True)
def test_d1_two_managers_do_not_dismiss_each_other_at_once(tmp_path: Path, house: House) -> None:
    pair = [house.manager, builders.employed(house.establishment, Role.MANAGER)]
    jobs = [employment(house, who) for who in pair]

    def dismiss(number: int) -> bool:
        try:
            operations.dismiss(employment=jobs[1 - number], by=pair[number])
        except (operations.LastManager, permissions.NotYours):
            return False
        return True

    with on_a_file(tmp_path):
        assert Employment.objects.exists()
        done = at_once(2, dismiss)
        left = Employment.objects.filter(
            establishment=house.id, role=Role.MANAGER, until__isnull=True
        ).count()

    assert (sum(done), left) == (1, 1)


def test_d1_the_database_knows_one_role_a_house(house: House) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        builders.employed(house.establishment, Role.AUDITOR, house.attendant)


def test_d1_nobody_touches_another_house_s_people(house: House) -> None:
    other = builders.house()
    page = page_of(other, other.attendant)

    assert at(house.manager).get(page).status_code == 404
    leaving = told("leaving", reason="Because.")
    assert at(house.manager).post(page, leaving).status_code == 404
    assert permissions.roles(other.attendant)


# --- Leaving --------------------------------------------------------------------------------------


def test_d1_who_leaves_is_cut_off_at_once_and_the_record_stays(house: House) -> None:
    mira = somebody(house, Role.ATTENDANT, "mira")
    session, program = at(mira), builders.client(mira)
    Attendant.objects.filter(pk=mira.pk).update(pin="set")
    assert session.get("/").status_code == 200

    at(house.manager).post(page_of(house, mira), told("leaving", reason="Moved away."))

    assert session.get("/").status_code == 302  # to the sign-in page
    assert program.get("/api/v1/establishments/").status_code == 401
    mira.refresh_from_db()
    assert mira.pin == ""
    gone = Employment.objects.get(attendant=mira)
    assert gone.until is not None
    event = last_event(house, "employment")
    assert (event.data["before"]["until"], event.data["after"]["until"] is None) == (None, False)
    assert "Mira" in at(house.auditor).get("/people/access/").content.decode()


def test_d1_who_works_elsewhere_too_stays_signed_in_there(house: House) -> None:
    other = builders.house()
    builders.employed(other.establishment, Role.ATTENDANT, house.attendant)
    session = at(house.attendant)

    operations.dismiss(employment=employment(house, house.attendant), by=house.manager)

    assert session.get("/").status_code == 200
    assert permissions.houses(house.attendant) == [other.id]


def test_d1_an_employment_that_ended_is_not_taken_up_again(house: House) -> None:
    job = employment(house, house.attendant)
    operations.dismiss(employment=job, by=house.manager)
    job.until = None

    with pytest.raises(operations.HasLeft):
        operations.revise(employment=job, by=house.manager)


# --- Staff who play -------------------------------------------------------------------------------


def plays_as(house: House, who: Attendant, name: str) -> None:
    [token] = pseudonyms.player_tokens(house.id, [name], new=True).values()
    operations.link_player(employment=employment(house, who), player=token, by=house.manager)


def test_d1b_who_plays_at_a_table_does_not_record_there(house: House) -> None:
    game = playing.opened(house)
    plays_as(house, house.attendant, "Ada")
    version = playing.game_of(house, game).version

    answer = playing.ask(house, game, "throw", player="Ada", dice=list(PAIR_7))

    assert answer.refusal is not None
    assert answer.refusal.code == "own_table"
    assert playing.game_of(house, game).version == version
    by_another = playing.ask(
        house, game, "throw", by=house.supervisor, player="Ada", dice=list(PAIR_7)
    )
    assert by_another.refusal is None


def test_d1b_the_refusal_is_said_on_the_floor_and_by_the_api(house: House) -> None:
    game = builders.opened(house)
    plays_as(house, house.attendant, "Ada")

    api = house.client().post(f"/api/v1/games/{game}/commands/", builders.throw("Ada", 2, 2, 7))
    floor = at(house.attendant).post(
        f"/floor/games/{game}/command/",
        {"do": "throw", "player": "Ada", "dice": ["2", "2", "7"], "command_id": playing.new_id()},
    )

    assert (api.status_code, api.json()["code"]) == (422, "own_table")
    assert "You play at this table" in floor.content.decode()


def test_d1b_nor_approves_there(house: House) -> None:
    game = playing.opened(house)
    playing.round_played(house, game)
    playing.done(house, game, "void", back_to=2, reason="Misread.")
    plays_as(house, house.supervisor, "Ada")

    answer = playing.ask(
        house, game, "approve", by=house.supervisor, request=playing.game_of(house, game).version
    )

    assert answer.refusal is not None
    assert answer.refusal.code == "own_table"


def test_d1b_nor_takes_a_request_back_there(house: House) -> None:
    game = playing.opened(house)
    playing.round_played(house, game)
    playing.done(house, game, "void", back_to=2, reason="Misread.")
    playing.settled(house)
    asked = RequestRow.objects.get(establishment=house.id, game=game)
    plays_as(house, house.attendant, "Ada")

    with pytest.raises(acts.WasRefused) as refused:
        answers.withdraw(approving.act(house, house.attendant), asked.id)

    assert refused.value.code == "own_table"


def test_d1b_nor_seats_themselves(house: House) -> None:
    plays_as(house, house.attendant, "Ada")

    opened = playing.ask_open(house)

    assert opened.refusal is not None
    assert opened.refusal.code == "own_table"
    assert playing.ask_open(house, by=house.supervisor).refusal is None


def test_d1b_at_other_tables_they_work(house: House) -> None:
    plays_as(house, house.attendant, "Zeno")

    assert playing.ask_open(house).refusal is None


def test_d1b_a_manager_links_by_the_name_at_the_table(house: House) -> None:
    playing.opened(house)
    page = page_of(house, house.attendant)

    unknown = at(house.manager).post(page, told("player", player="Nobody"), follow=True)
    at(house.manager).post(page, told("player", player="Ada"))

    assert "Nobody called “Nobody” has played here" in unknown.content.decode()
    token = employment(house, house.attendant).player
    assert pseudonyms.resolve(house.id, token) == "Ada"
    assert b"Ada" not in last_event(house, "employment").body
    assert "Ada" in at(house.auditor).get("/people/").content.decode()
    at(house.manager).post(page, told("player", player=""))
    assert employment(house, house.attendant).player == ""


def test_d1b_two_colleagues_are_not_one_player(house: House) -> None:
    plays_as(house, house.attendant, "Ada")

    with pytest.raises(operations.PlayerTaken):
        plays_as(house, house.supervisor, "Ada")
    with pytest.raises(IntegrityError), transaction.atomic():
        Employment.objects.filter(attendant=house.supervisor).update(
            player=employment(house, house.attendant).player
        )


def test_d1b_a_player_of_another_house_is_nobody_here(house: House) -> None:
    other = builders.house()
    [token] = pseudonyms.player_tokens(other.id, ["Ada"], new=True).values()

    with pytest.raises(ValidationError):
        operations.link_player(
            employment=employment(house, house.attendant), player=token, by=house.manager
        )


# --- The access listing ---------------------------------------------------------------------------


def taken_on(house: House, role: Role, name: str) -> Attendant:
    who = builders.person(name)
    operations.employ(establishment=house.establishment, attendant=who, role=role, by=house.manager)
    return who


def role_then(house: House, who: Attendant, when: Any) -> tuple[str, list[str]]:
    [row] = [each for each in access.listing(house.establishment, when) if each.person.pk == who.pk]
    return row.role, [spell.role for spell in row.spells]


def test_d1_the_listing_says_who_had_which_role_when(house: House) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        moments = [timezone.now()]
        nell = taken_on(house, Role.ATTENDANT, "nell")
        for change in ("supervisor", "manager"):
            clock.shift(timedelta(days=30))
            moments.append(timezone.now())
            operations.change_role(
                employment=employment(house, nell), role=Role(change), by=None, reason="Grown."
            )
        clock.shift(timedelta(days=30))
        moments.append(timezone.now())
        operations.dismiss(employment=employment(house, nell), by=house.manager)
        day = timedelta(days=1)

        assert role_then(house, nell, moments[0] + day) == ("attendant", ["attendant"])
        assert role_then(house, nell, moments[1] + day) == (
            "supervisor",
            ["attendant", "supervisor"],
        )
        assert role_then(house, nell, moments[2] + day)[0] == "manager"
        assert role_then(house, nell, moments[3] + day) == (
            "",
            ["attendant", "supervisor", "manager"],
        )
        before = access.listing(house.establishment, moments[0] - day)
    assert nell.pk not in {row.person.pk for row in before}


def test_d1_the_file_has_a_line_for_each_spell_and_no_formula(house: House) -> None:
    nell = taken_on(house, Role.ATTENDANT, "nell")
    Attendant.objects.filter(pk=nell.pk).update(first_name='=HYPERLINK("x")')
    operations.change_role(
        employment=employment(house, nell), role=Role.SUPERVISOR, by=house.manager, reason="Grown."
    )
    signing.app_of(nell)

    rows = as_csv(at(house.auditor), "/people/access/?format=csv", head="username")

    own = [row for row in rows if row["username"] == "nell"]
    assert [row["role"] for row in own] == ["attendant", "supervisor"]
    assert {row["now"] for row in own} == {"supervisor"}
    assert {row["second_factor"] for row in own} == {"app"}
    assert own[0]["name"] == '\'=HYPERLINK("x")'


@pytest.mark.parametrize(
    ("role", "status"),
    [(Role.MANAGER, 200), (Role.AUDITOR, 200), (Role.SUPERVISOR, 403), (Role.ATTENDANT, 403)],
)
def test_d1_people_and_their_logs_are_for_managers_and_auditors(
    house: House, role: Role, status: int
) -> None:
    page = page_of(house, house.attendant)
    for path in ("/people/", "/people/sign-ins/", "/people/access/", page):
        assert at(house.people[role]).get(path).status_code == status, path
    for path in ("people/", "access/", "sign-ins/"):
        assert house.client(role).get(house.url(path)).status_code == status, path


def test_d1_the_api_lists_people_access_and_sign_ins(house: House) -> None:
    tries(signing.client(), somebody(house, Role.ATTENDANT, "mira").username)
    plays_as(house, house.attendant, "Ada")
    auditor = house.client(Role.AUDITOR)

    people = {row["username"]: row for row in auditor.get(house.url("people/")).json()["results"]}
    listed = auditor.get(house.url("access/"), {"as_of": "2001-01-01T00:00:00Z"}).json()
    [line] = auditor.get(house.url("sign-ins/")).json()["results"]

    assert people["mira"]["role"] == "attendant"
    assert people["mira"]["last_sign_in"] is not None
    assert people[house.attendant.username]["player"] == "Ada"
    assert listed["results"] == []
    assert (line["what"], line["name"]) == ("signed_in", "Mira")
    wrong = auditor.get(house.url("access/"), {"as_of": "yesterday"})
    assert (wrong.status_code, wrong.json()["field"]) == (400, "as_of")


@pytest.mark.parametrize("path", ["people/", "access/", "sign-ins/"])
def test_d1_another_house_s_people_are_nowhere(house: House, path: str) -> None:
    other = builders.house()

    assert other.client(Role.MANAGER).get(house.url(path)).status_code == 404


def test_d1b_a_house_with_one_manager_says_so(house: House) -> None:
    alone = at(house.auditor).get("/people/").content.decode()
    builders.employed(house.establishment, Role.MANAGER)
    two = at(house.auditor).get("/people/").content.decode()

    assert "This house has one manager" in alone
    assert "This house has one manager" not in two


def test_the_page_costs_the_same_however_many_work_there(
    house: House, django_assert_max_num_queries: Any
) -> None:
    for _ in range(12):
        builders.employed(house.establishment, Role.ATTENDANT)
    auditor = at(house.auditor)
    auditor.get("/people/")

    with django_assert_max_num_queries(20):
        auditor.get("/people/")


def test_the_console_founds_with_a_first_invitation(house: House) -> None:
    _, key = invitations.invite(
        house=house.establishment, name="Orso", role=Role.MANAGER, by=None, now=timezone.now()
    )

    assert Client().get(f"/invitation/?key={key}").status_code == 200
    who: UUID = assurance.at_console(house.manager).pk
    assert who == house.manager.pk
