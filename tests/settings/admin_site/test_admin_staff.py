"""Taking people on in the admin, and who may sign in there (D1, D1b)."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from casino.house.attendants.models import Attendant, Role
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
