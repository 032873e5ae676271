"""
No page looks for a few rows of what is played by reading all that a house ever played.

Without statistics SQLite thinks that any index that holds an equality and gives the order asked for
is good enough: that of the house alone, down which it reads the whole ledger.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.money.cash import balance_snapshots
from casino.play.settlement.models import Payout
from casino.proof.disputes.regrade.grading import Scope, grade
from casino.proof.disputes.regrade.reading import Period
from casino.reports.registers import catalogue
from ledger import journal
from tests.forms import every
from tests.kit.web.test_office_queries import FEW, grown, signed_in
from tests.proof.search.test_search_plans import plans, scanned, unkeyed
from tests.support import access, addressed_house, module_data
from tests.support.playing import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

    from tests.support.addressed_house import AddressedHouse

pytestmark = pytest.mark.django_db
PARTS = 4  # in which all pages are looked at
PLAYED: Final = "ledger_event|ledger_transfer|ledger_commandreceipt|settlement_payout|play_roundrow"
"""Tables with a row for each thing that happens, unlike those with one for each game or day."""
KEYED: Final = re.compile(rf"(?:SCAN|SEARCH) (?:{PLAYED})\b(?:.*\((.*)\))?")
WHOLE: Final = re.compile(r"establishment(?:_id)?=\?(?: AND position<\?)?")
NEXT: Final = re.compile(
    r"WHERE \(?\S+ = '\w+'(?: AND NOT \(\S+ IN \([^)]*\)\)\))? ORDER BY .* LIMIT \d+$"
)
"""The first or last that come, whatever they are; what rules pay is hardly ever not to players."""


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[AddressedHouse]:
    del django_db_setup

    def build() -> AddressedHouse:
        world = addressed_house.furnished()
        grown(world.house, FEW)
        # From its first marks on, an account is read from the last one.
        balance_snapshots.mark(world.house.id, journal.head(establishment=world.house.id))
        return world

    yield from module_data.built_once(build, django_db_blocker)


@pytest.mark.parametrize("part", range(PARTS))
def test_pages_and_reports_find_what_they_show_by_its_own_key(
    world: AddressedHouse, part: int
) -> None:
    browser = signed_in(world.house.manager)
    found: dict[str, list[str]] = {}
    step = PARTS * every(8)
    for address in islice(addresses(world), part, None, step):
        with CaptureQueriesContext(connection) as queries:
            browser.get(address)
        if read := [f"{plan}\n{sql}" for sql, plan in plans(queries) if reads_all(sql, plan)]:
            found[address] = read

    assert found == {}


def test_regrade_fetches_the_rest_of_a_game_by_its_own_key(world: AddressedHouse) -> None:
    whole = range(journal.head(establishment=world.house.id) + 1)
    with CaptureQueriesContext(connection) as queries:
        grade(Scope(world.house.id, Period(), whole), whole[len(whole) // 2 :])

    assert [sql for sql, plan in plans(queries) if reads_all(sql, plan)] == []


def addresses(world: AddressedHouse) -> Iterator[str]:
    for each in access.addresses():
        if access.DECISIONS[each.route].get:
            yield each.path(world.arguments)
    for report in catalogue.BY_NAME:
        yield f"{reverse('report', args=[report])}?day={NOW.date()}"
    for payout in Payout.objects.filter(establishment=world.house.id)[:3]:
        yield reverse("payout", args=[payout.game, payout.cause, payout.seq])


def reads_all(sql: str, plan: str) -> bool:
    """
    Whether it goes down all that a house ever played, to find what the query asks for.

    PostgreSQL plans by how many rows there are, which are few in a test: of it only reading without
    any key is looked for, where it may not (`plans`).
    """
    if connection.vendor == "postgresql":
        return bool((scanned(plan) | unkeyed(plan)) & set(PLAYED.split("|")))
    whole = any(not by or WHOLE.fullmatch(by) for by in KEYED.findall(plan))
    return whole and not NEXT.search(sql)
