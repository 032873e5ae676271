"""Tablets of the floor: who enrols and withdraws them (D3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client

from casino.house.attendants.models import Role, Tablet
from casino.settings.staff import tablets
from ledger import journal
from tests.support import builders, playing
from tests.support.pinned import tablet_of, takes_over, with_pins

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]


@pytest.fixture(autouse=True)
def _before_all_else(quick_passwords: object) -> None:
    del quick_passwords


@pytest.fixture
def house() -> House:
    return with_pins()


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
