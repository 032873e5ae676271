"""The start page: whose figures, which links, and what it costs."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse

from casino.house.attendants.models import Role
from tests.support import builders

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]
QUERIES = 54  # a manager's page with one running game of two tables, however many payouts


def signed_in(person: Attendant) -> Client:
    client = Client()
    client.force_login(person)
    return client


def played(house: House, times: int) -> str:
    """Bruno wins Ada's stake so many times, each in a game of its own; then a game runs."""
    for _ in range(times):
        game = builders.opened(house, stake=7, players=["Ada", "Bruno"])
        builders.put(house, game, builders.throw("Ada", 2, 2, 7), builders.throw("Bruno", 2, 2, 4))
    builders.opened(house, stake=500)
    builders.settled(house)
    return game


def test_everybody_of_the_house_sees_today_and_a_payout_leads_to_its_reasons() -> None:
    house = builders.house()
    game = played(house, 1)

    for role, person in house.people.items():
        today = signed_in(person).get("/")
        assert today.status_code == HTTPStatus.OK
        assert "Bruno is the last in the game and wins the pool" in today.text
        assert reverse("floor-round", args=[game, 1]) in today.text
        mine = signed_in(person).get(reverse("me"))
        assert (reverse("admin:index") in mine.text) == (role in {Role.MANAGER, Role.AUDITOR})


def test_another_house_s_day_is_not_shown() -> None:
    played(builders.house(), 1)

    today = signed_in(builders.house().manager).get("/")

    assert "Ada" not in today.text


def test_whoever_is_employed_nowhere_is_told_so() -> None:
    assert signed_in(builders.person()).get("/").status_code == HTTPStatus.FORBIDDEN


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("times", [1, 5])
def test_the_page_costs_the_same_however_much_was_paid(
    times: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    house = builders.house()
    played(house, times)
    orso = signed_in(house.manager)
    orso.get("/")

    with django_assert_num_queries(QUERIES):
        orso.get("/")


def test_a_house_of_somebody_s_own_can_be_chosen_no_other() -> None:
    first, second = builders.house(name="A house"), builders.house(name="Another house")
    builders.employed(second.establishment, Role.AUDITOR, first.manager)
    orso = signed_in(first.manager)

    assert "Another house" in orso.get("/").text
    answer = orso.post(reverse("choose-house"), {"house": str(second.id)}, follow=True)
    assert answer.context["house"] == second.establishment
    stranger = builders.house().id
    refused = orso.post(reverse("choose-house"), {"house": str(stranger)})
    assert refused.status_code == HTTPStatus.NOT_FOUND
