"""Taking people on in the admin, and who may sign in there (D1, D1b)."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from casino.house.attendants.models import Attendant, Employment, Role
from ledger import journal
from tests.support import builders

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]

STAFF = "/admin/attendants/employment/"


def signed_in(person: Attendant) -> Client:
    client = Client()
    client.force_login(person)
    return client


def hiring(house: builders.House, **fields: str) -> dict[str, str]:
    return {
        "establishment": str(house.id),
        "username": "nell",
        "first_name": "Nell",
        "last_name": "Ferro",
        "password": "six-lamps-on-a-bridge",
        "role": Role.ATTENDANT,
        **fields,
    }


@pytest.mark.parametrize(
    ("role", "status"),
    [(Role.MANAGER, 200), (Role.AUDITOR, 200), (Role.SUPERVISOR, 302), (Role.ATTENDANT, 302)],
)
def test_the_admin_opens_to_who_looks_into_the_house(role: Role, status: int) -> None:
    house = builders.house()

    assert signed_in(house.people[role]).get("/admin/").status_code == status


def test_the_admin_stays_shut_for_a_superuser_whom_no_house_employs() -> None:
    somebody = builders.person(is_superuser=True, is_staff=True)

    assert signed_in(somebody).get("/admin/").status_code == 302


def test_d2_the_admin_takes_the_second_factor_where_one_is_asked_for(settings: Any) -> None:
    settings.SECOND_FACTOR = "required"
    at = signed_in(builders.house().manager)
    assert at.get("/admin/")["Location"] == "/sign-in/second/?next=%2Fadmin%2F"

    session = at.session
    session["second_factor"] = "app"
    session.save()
    assert at.get("/admin/").status_code == 200


def test_somebody_new_is_taken_on_with_a_first_password() -> None:
    house = builders.house()

    answer = signed_in(house.manager).post(f"{STAFF}add/", hiring(house))

    assert answer.status_code == 302
    person = Attendant.objects.get(username="nell")
    assert person.check_password("six-lamps-on-a-bridge")
    assert Employment.objects.get(attendant=person).role == Role.ATTENDANT
    [event] = journal.stream(establishment=house.id, stream="record/employment")
    assert event.event_type == "employment.created"
    assert b"Nell" not in event.body


def test_somebody_who_works_elsewhere_keeps_their_sign_in() -> None:
    house, other = builders.house(), builders.house()
    person = other.attendant

    answer = signed_in(house.manager).post(
        f"{STAFF}add/", hiring(house, username=person.username, password="")
    )

    assert answer.status_code == 302
    assert Employment.objects.filter(attendant=person, until__isnull=True).count() == 2


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"password": "12345678"}, "too common"),
        ({"password": ""}, "too short"),
        ({"username": "no spaces!"}, "Enter a valid username"),
        ({"role": "emperor"}, "Select a valid choice"),
    ],
)
def test_what_does_not_do_is_said_and_nobody_is_taken_on(
    fields: dict[str, str], sentence: str
) -> None:
    house = builders.house()

    answer = signed_in(house.manager).post(f"{STAFF}add/", hiring(house, **fields))

    assert sentence in answer.content.decode()
    assert not Attendant.objects.filter(username=fields.get("username", "nell")).exists()


def test_nobody_is_employed_twice_at_a_house() -> None:
    house = builders.house()

    answer = signed_in(house.manager).post(
        f"{STAFF}add/", hiring(house, username=house.attendant.username)
    )

    assert "work at this house already" in answer.content.decode()


def test_no_list_of_other_houses_people_is_shown() -> None:
    house, other = builders.house(), builders.house()

    page = signed_in(house.manager).get(f"{STAFF}add/").content.decode()

    assert other.attendant.username not in page
    assert str(other.id) not in page
