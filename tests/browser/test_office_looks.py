"""The office's pages, on a desk and on a phone, by day and by night: readable, reachable, whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import pytest

from tests.browser.test_looks import SMALLEST, look, unreadable
from tests.forms import every

if TYPE_CHECKING:
    from tests.browser.conftest import People

pytestmark = [pytest.mark.browser, pytest.mark.once]

PAGES = (
    "/games/", "/games/{game}/at/2/", "/tables/{table}/at/", "/pots/{game}/at/",
    "/pots/{game}/lineage/", "/house/at/", "/events/", "/events/1/", "/dice/", "/dice/entries/",
    "/dice/of/house/all/", "/dice/sets/", "/reports/", "/reports/rounds/", "/reports/voids/",
    "/reports/pots/", "/reports/summary/", "/reports/dice-fairness/", "/what-if/", "/jobs/",
    "/controls/", "/find/", "/find/?q=table",
)  # fmt: skip


def test_every_page_of_the_office(people: People) -> None:
    mira, orso = people.arrives("mira"), people.arrives("orso")
    game = mira.opens("Table 1", "Ada", "Bo", "Cyd")
    mira.throws(2, 2, 7, then="Bo to throw")
    orso.page.goto("/settings/tables/")
    shown = orso.page.content()
    table = re.search(r"/settings/tables/([0-9a-f-]{36})/", shown)
    assert table is not None

    found = []
    for page in PAGES[:: every(13)]:
        answer = orso.page.goto(page.format(game=game, table=table.group(1)))
        assert answer is not None
        assert answer.ok, page
        found += look(orso, page, SMALLEST)

    assert not found
    assert not orso.wrong


ROWS = ("ledger/event/", "ledger/transfer/", "establishments/table/", "play/gamecard/")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_django_s_admin_under_the_policy_of_every_page(
    people: People, scheme: Literal["light", "dark"]
) -> None:
    """Its start, its lists and a row of each."""
    people.arrives("mira").opens("Table 1", "Ada", "Bo", "Cyd")
    orso = people.arrives("orso", color_scheme=scheme)
    page, found = orso.page, []
    for address in ("/admin/", *(f"/admin/{each}" for each in ROWS[:: every(3)])):
        answer = page.goto(address)
        assert answer is not None
        assert answer.ok, address
        found += [(address, each) for each in unreadable(page)]
        row = page.locator("#result_list tbody th a")
        if row.count():
            row.first.click()
            page.wait_for_url("**/change/**")
            found += [(f"{address} a row", each) for each in unreadable(page)]

    assert not found
    assert not orso.wrong
