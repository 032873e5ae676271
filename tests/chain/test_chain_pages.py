"""What the pages of a chain show, and that they ask as much for many houses as for few."""

from __future__ import annotations

import re
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from casino.chain import summaries
from casino.chain.models import ChainHouse, HouseSummary
from casino.house.attendants.models import Role
from casino.house.establishments.models import Establishment
from tests.support import builders
from tests.support.builders import throw
from tests.support.chained import browser, chained, joined
from tests.support.listed import as_csv, on_page

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
STATEMENTS_MOST = 16
"""Of a page of a chain: session, person, role, the list with its order, sums, counts, the frame."""


def statements(client: Client, path: str) -> int:
    client.get(path)  # what a process keeps
    with CaptureQueriesContext(connection) as asked:
        assert client.get(path).status_code == HTTPStatus.OK
    return len(asked)


@pytest.mark.rows(postgresql=1)
@pytest.mark.parametrize("path", ["/chain/", "/chain/compare/", "/chain/people/"])
def test_a_page_asks_as_much_for_many_houses_as_for_few(path: str) -> None:
    here = chained(2)
    client = browser(here.manager)
    few = statements(client, path)
    made = Establishment.objects.bulk_create(
        Establishment(name=f"{here.chain} {number}") for number in range(40)
    )
    for house in made:
        here.chain.houses.create(establishment=house)
    HouseSummary.objects.bulk_create(
        HouseSummary(
            establishment=house, summed_at=timezone.now(), due_at=timezone.now(), staked=number
        )
        for number, house in enumerate(made)
    )

    assert statements(client, path) == few <= STATEMENTS_MOST


@pytest.mark.rows(postgresql=2)
@pytest.mark.parametrize("sort", ["", "-staked", "as_of", "-signed_at", "approvals"])
def test_a_long_list_is_paged_and_each_house_stands_on_one_page(sort: str) -> None:
    here = chained(0)
    made = Establishment.objects.bulk_create(
        Establishment(name=f"{here.chain} {number:02}") for number in range(7)
    )
    ChainHouse.objects.bulk_create(
        ChainHouse(establishment=house, chain=here.chain) for house in made
    )
    HouseSummary.objects.bulk_create(HouseSummary(establishment=house) for house in made)
    client, found = builders.client(here.auditor), []
    path = f"/api/v1/chain/houses/?limit=3{f'&sort={sort}' if sort else ''}"
    while path:
        answer = client.get(path).json()
        found += [row["name"] for row in answer["results"]]
        path = answer["next"]
    assert sorted(found) == [house.name for house in made]


@pytest.mark.long("postgresql", but="citus")
def test_no_page_computes_a_summary() -> None:
    here = chained(1)
    client = browser(here.manager)
    client.get("/chain/")
    with CaptureQueriesContext(connection) as asked:
        client.get("/chain/")
    tables = ("ledger_account", "play_dayfigures", "surveillance_alarm", "approvals_requestrow")
    told = " ".join(each["sql"] for each in asked)
    assert not [table for table in tables if table in told]


def test_the_list_says_of_each_house_what_its_summary_has() -> None:
    here = chained(1, currency_code="EUR", currency_symbol="€", coin_digits=2)
    HouseSummary.objects.update(staked=12345, throws=7, games=2, approvals=3, alarms=1, lag=900)
    [item] = on_page(browser(here.manager), "/chain/")
    assert (item.money("staked"), item.row.throws, item.behind) == ("€123.45", 7, True)

    [row] = builders.client(here.auditor).get("/api/v1/chain/houses/").json()["results"]
    assert (row["staked"], row["currency"], row["throws"]) == (12345, "EUR", 7)
    assert (row["approvals"], row["alarms"], row["lag"], row["old"]) == (3, 1, 900, False)
    [line] = as_csv(browser(here.auditor), "/chain/?format=csv", head="staked_coins")
    assert (line["staked"], line["staked_coins"], line["currency"]) == ("€123.45", "12345", "EUR")


def test_money_sorts_within_a_currency() -> None:
    here = chained(0)
    for symbol, staked in (("r", 5), ("a", 900), ("r", 70), ("a", 3)):
        house = builders.house(currency_symbol=symbol)
        joined(here.chain, house)
        HouseSummary.objects.filter(establishment=house.id).update(staked=staked)
    found = on_page(browser(here.manager), "/chain/?sort=staked")
    assert [item.row.staked for item in found] == [3, 900, 5, 70]


def test_houses_are_found_by_name_state_and_need() -> None:
    here = chained(3)
    rows = HouseSummary.objects.order_by("establishment__name")
    HouseSummary.objects.filter(pk=rows[0].pk).update(alarms=1)
    client = browser(here.manager)
    name = here.houses[1].establishment.name
    assert [item.name for item in on_page(client, f"/chain/?name={name.lower()}")] == [name]
    assert [item.row.pk for item in on_page(client, "/chain/?needs=alarms")] == [rows[0].pk]
    assert len(on_page(client, "/chain/?state=open")) == 3
    assert len(on_page(client, "/chain/?currency=.r.0")) == 3


@pytest.mark.long("postgresql", but="citus")
def test_an_old_summary_says_so_on_the_page() -> None:
    here = chained(1)
    client = browser(here.manager)
    assert "old: " not in client.get("/chain/").content.decode()
    long_ago = timezone.now() - timedelta(hours=1)
    HouseSummary.objects.update(summed_at=long_ago, due_at=long_ago)
    assert "old: 1 h" in client.get("/chain/").content.decode()


@pytest.mark.long("postgresql", but="citus")
def test_a_house_is_looked_at_by_its_figures_and_none_of_its_players() -> None:
    here = chained(1)
    game = builders.opened(here.house)
    builders.put(here.house, game, throw("Ada", 2, 2, 7))
    builders.settled(here.house)
    summaries.refresh(here.house.id)
    page = browser(here.auditor).get(f"/chain/houses/{here.house.id}/")
    content = page.content.decode()
    assert page.status_code == HTTPStatus.OK
    assert here.house.establishment.name in content
    assert page.context["item"].row.throws == 1
    assert "Ada" not in content
    assert not re.search(rf"\b{here.house.attendant.username}\b", content)
    assert 'action="/house/"' not in content


@pytest.mark.long("postgresql", but="citus")
def test_a_closed_day_is_listed_with_what_it_came_to() -> None:
    here = chained(1)
    builders.opened(here.house)
    builders.settled(here.house)
    path = f"/api/v1/chain/houses/{here.house.id}/days/"
    [day] = builders.client(here.manager).get(path).json()["results"]
    assert day["state"] == "open"


@pytest.mark.long("postgresql", but="citus")
def test_houses_are_compared_within_a_currency() -> None:
    here = chained(0)
    for symbol, staked in (("r", 5), ("a", 900), ("r", 70)):
        house = builders.house(currency_symbol=symbol)
        joined(here.chain, house)
        HouseSummary.objects.filter(establishment=house.id).update(staked=staked, throws=staked)
    client = browser(here.manager)
    page = client.get("/chain/compare/?figure=staked&currency=.r.0").content.decode()
    assert ("70\xa0r" in page, "900\xa0a" in page) == (True, False)
    other = client.get("/chain/compare/?figure=staked&currency=.a.0").content.decode()
    assert ("70\xa0r" in other, "900\xa0a" in other) == (False, True)
    throws = client.get("/chain/compare/?figure=throws").content.decode()
    assert "900" in throws
    assert client.get("/chain/compare/?figure=nothing&currency=%F0").status_code == HTTPStatus.OK


@pytest.mark.long("postgresql", but="citus")
class TestMyHouses:
    def test_a_few_are_in_the_rail(self) -> None:
        house = builders.house()
        builders.employed(builders.house().establishment, Role.AUDITOR, house.manager)
        page = browser(house.manager).get("/").content.decode()
        assert ('class="rail-houses"' in page, 'href="/houses/"' in page) == (True, False)

    def test_of_many_there_is_a_list_that_is_searched(self) -> None:
        house = builders.house()
        others = [builders.house(tables=0, dice_sets=0).establishment for _ in range(7)]
        for each in others:
            builders.employed(each, Role.AUDITOR, house.manager)
        client = browser(house.manager)
        start = client.get("/").content.decode()
        assert ('class="rail-houses"' in start, 'href="/houses/"' in start) == (False, True)
        [found] = on_page(client, f"/houses/?name={others[3].name}")
        assert (found.house, found.role, found.here) == (others[3], "Auditor", False)
        client.post("/house/", {"house": others[3].pk})
        here = [item.house for item in on_page(client, "/houses/") if item.here]
        assert here == [others[3]]
