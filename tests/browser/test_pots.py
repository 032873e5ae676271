"""What lies in pots, on a phone and on a tablet: every term readable, nothing sideways (A1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.test_looks import SMALLEST, look

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.running import House

pytestmark = pytest.mark.browser


@pytest.mark.long
def test_a1_the_equation_is_read_on_any_screen(people: People, house: House) -> None:
    mira, sela = people.arrives("mira"), people.arrives("sela")
    sela.page.goto("/pots/")
    found = look(sela, "no pots", SMALLEST)
    game = mira.opens("Table 1", "Ada", "Bo", stake=20)
    for player, dice in (("Ada", [2, 2, 7]), ("Bo", [2, 2, 4])):
        house.put("mira", game, "throw", player=player, dice=dice)

    for _ in range(40):
        sela.page.goto("/pots/")
        if "7" in sela.page.locator("tfoot").first.inner_text():
            break
        sela.page.wait_for_timeout(250)
    expect(sela.page.locator("tfoot td").last).to_have_text("7\u00a0r")
    found += look(sela, "pots", SMALLEST)
    sela.page.get_by_role("link", name="Payouts", exact=True).last.click()
    expect(sela.page.get_by_role("heading", name="The pot")).to_be_visible()
    found += look(sela, "pot of a game", SMALLEST)

    assert not found, "\n".join(map(str, found))
