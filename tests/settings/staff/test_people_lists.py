"""Lists of people: looked up at once, and asked for any day there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils import timezone

from casino.house.attendants.models import Employment, Role
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.house.establishments.models import Establishment
from casino.settings.staff import invitations
from tests.support import builders

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]


@pytest.fixture
def house() -> House:
    return builders.house()


def auditor(house: House) -> Client:
    client = Client()
    client.force_login(house.auditor)
    return client


def more(house: House, names: list[str]) -> None:
    """For each name somebody who plays under it, and somebody who is invited."""
    tokens = pseudonyms.player_tokens(house.id, names, new=True)
    for name in names:
        who = builders.employed(house.establishment, Role.ATTENDANT)
        Employment.objects.filter(attendant=who).update(player=tokens[name])
        invitations.invite(
            house=house.establishment,
            name=f"Guest {name}",
            role=Role.ATTENDANT,
            by=None,
            now=timezone.now(),
        )


def test_players_and_invitations_are_resolved_at_once(
    house: House, django_assert_max_num_queries: Any
) -> None:
    client = auditor(house)
    more(house, ["Ada"])
    with django_assert_max_num_queries(100) as asked:
        client.get("/people/")
    few = len(asked)
    more(house, [f"Bo {number}" for number in range(9)])

    with django_assert_max_num_queries(few):
        text = client.get("/people/").content.decode()

    assert "Guest Bo 8" in text
    assert text.count("Bo 8") == 2


@pytest.mark.rows(12)
@pytest.mark.long("postgresql")
@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31", "2026-02-30", "today", ""])
@pytest.mark.parametrize("path", ["sign-ins/?day", "access/?as_of"])
def test_any_day_may_be_asked_for(house: House, zone: str, day: str, path: str) -> None:
    Establishment.objects.filter(pk=house.id).update(time_zone=zone)

    assert auditor(house).get(f"/people/{path}={day}").status_code == 200
