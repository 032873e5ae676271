"""Who works at a house: invited, given roles, linked to a player, let go, and listed (D1, D1b)."""

from __future__ import annotations

from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from casino.house.attendants import assurance, permissions
from casino.house.attendants.models import Attendant, Employment, Role
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.settings.staff import invitations, listings, operations
from ledger import journal
from tests.support import builders, signing
from tests.support.at_once import at_once, on_a_file
from tests.support.employing import at, employment, last_event, page_of, plays_as, told
from tests.support.listed import as_csv
from tests.support.signing import somebody, tries

if TYPE_CHECKING:
    from pathlib import Path
    from uuid import UUID

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _before_all_else(quick_passwords: object) -> None:
    del quick_passwords


@pytest.fixture
def house() -> House:
    return builders.house()


# --- Roles ----------------------------------------------------------------------------------------


@pytest.mark.long("postgresql")
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


@pytest.mark.long("postgresql")
def test_d1_a_role_does_not_change_without_a_reason(house: House) -> None:
    answer = at(house.manager).post(
        page_of(house, house.attendant), told("role", role=Role.SUPERVISOR, reason=" ")
    )

    assert answer.status_code == 422
    assert permissions.roles(house.attendant)[house.id] == Role.ATTENDANT


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("role", [Role.ATTENDANT, Role.SUPERVISOR, Role.AUDITOR])
@pytest.mark.parametrize("do", ["role", "leaving", "player", "unlock", "reset"])
def test_d1_nobody_but_a_manager_changes_anything(house: House, role: Role, do: str) -> None:
    head = journal.head(establishment=house.id)
    form = told(do, role=Role.MANAGER, reason="Because.", player="")

    assert at(house.people[role]).post(page_of(house, house.attendant), form).status_code == 403
    assert journal.head(establishment=house.id) == head


@pytest.mark.long("postgresql")
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


@pytest.mark.long("postgresql")
def test_d1_the_admin_is_no_way_around_it(house: House) -> None:
    job = employment(house, house.manager)

    answer = at(house.manager).post(
        f"/admin/attendants/employment/{job.pk}/change/",
        {"role": Role.AUDITOR, "until_0": "", "until_1": ""},
    )

    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert permissions.roles(house.manager)[house.id] == Role.MANAGER


@pytest.mark.long("postgresql")
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


@pytest.mark.long("postgresql")
def test_d1_who_works_elsewhere_too_stays_signed_in_there(house: House) -> None:
    other = builders.house()
    builders.employed(other.establishment, Role.ATTENDANT, house.attendant)
    session = at(house.attendant)

    operations.dismiss(employment=employment(house, house.attendant), by=house.manager)

    assert session.get("/").status_code == 200
    assert permissions.houses(house.attendant) == [other.id]


@pytest.mark.long("postgresql")
def test_d1_an_employment_that_ended_is_not_taken_up_again(house: House) -> None:
    job = employment(house, house.attendant)
    operations.dismiss(employment=job, by=house.manager)
    job.until = None

    with pytest.raises(operations.HasLeft):
        operations.revise(employment=job, by=house.manager)


# --- The access listing ---------------------------------------------------------------------------


def taken_on(house: House, role: Role, name: str) -> Attendant:
    who = builders.person(name)
    operations.employ(establishment=house.establishment, attendant=who, role=role, by=house.manager)
    return who


def role_then(house: House, who: Attendant, when: Any) -> tuple[str, list[str]]:
    [row] = [
        each
        for each in listings.access_listing(house.establishment, when)
        if each.person.pk == who.pk
    ]
    return row.role, [spell.role for spell in row.spells]


@pytest.mark.long("postgresql")
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
        before = listings.access_listing(house.establishment, moments[0] - day)
    assert nell.pk not in {row.person.pk for row in before}


@pytest.mark.long("postgresql")
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


@pytest.mark.long("postgresql")
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


@pytest.mark.long("postgresql")
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


@pytest.mark.long("postgresql")
def test_d1b_a_house_with_one_manager_says_so(house: House) -> None:
    alone = at(house.auditor).get("/people/").content.decode()
    builders.employed(house.establishment, Role.MANAGER)
    two = at(house.auditor).get("/people/").content.decode()

    assert "This house has one manager" in alone
    assert "This house has one manager" not in two


@pytest.mark.long("postgresql")
def test_the_page_costs_the_same_however_many_work_there(
    house: House, django_assert_max_num_queries: Any
) -> None:
    for _ in range(12):
        builders.employed(house.establishment, Role.ATTENDANT)
    auditor = at(house.auditor)
    auditor.get("/people/")

    with django_assert_max_num_queries(20):
        auditor.get("/people/")


@pytest.mark.long("postgresql")
def test_the_console_founds_with_a_first_invitation(house: House) -> None:
    _, key = invitations.invite(
        house=house.establishment, name="Orso", role=Role.MANAGER, by=None, now=timezone.now()
    )

    assert Client().get(f"/invitation/?key={key}").status_code == 200
    who: UUID = assurance.at_console(house.manager).pk
    assert who == house.manager.pk
