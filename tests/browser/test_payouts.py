"""What waits, on a phone and on a tablet: found, understood, and led to what is to be done (C3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

from tests.browser.test_looks import SIZES, look

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 360, "height": 740}


def pool_in_dispute(mira: Person, house: House) -> str:
    """Bo has won Ada's five coins, and somebody objects; the id of the game."""
    game = mira.opens("Table 1", "Ada", "Bo", stake=5)
    for player, dice in (("Ada", [2, 2, 7]), ("Bo", [2, 2, 4])):
        house.put("mira", game, "throw", player=player, dice=dice)
    house.put("mira", game, "dispute", round=1, reason="The seven was a cocked die.")
    return game


def held(person: Person, game: str) -> Locator:
    """What is held of a game on the page of payouts, once the worker has booked it."""
    person.page.goto("/payouts/")
    of_game = person.page.locator(f'a[href^="/payouts/{game}/"]')
    return person.looks_until(person.page.locator(".held-payouts > li").filter(has=of_game))


@pytest.mark.long
def test_c3_what_waits_leads_to_what_is_to_be_done(people: People, house: House) -> None:
    mira, sela = people.arrives("mira"), people.arrives("sela", viewport=PHONE)
    game = pool_in_dispute(mira, house)

    waits = held(sela, game)
    expect(waits).to_contain_text("an open dispute")
    expect(waits).to_contain_text("Bo")
    found = look(sela, "payouts", [PHONE, SIZES[0]])
    waits.get_by_role("link", name="Bo", exact=True).click()
    expect(sela.page.get_by_role("heading", level=1)).to_contain_text("to Bo")
    expect(sela.page.locator("tbody tr").last).to_contain_text("Held; it waits for an open dispute")
    found += look(sela, "payout", [PHONE, SIZES[0]])
    sela.page.get_by_role("link", name="Ask for an adjustment").click()
    form = sela.page.locator("main form").last
    form.get_by_label("From").select_option(label="Bo")
    form.get_by_label("To").select_option(label="Ada")
    form.get_by_label("Amount").fill("0")
    form.get_by_label("Reason").fill("It was a four.")
    form.get_by_role("button").click()
    expect(sela.page.locator(".wrong")).to_have_count(1)
    found += look(sela, "payouts of a game", [PHONE, SIZES[0]])
    form.get_by_label("Amount").fill("2")
    form.get_by_role("button").click()
    expect(sela.page.get_by_role("status")).to_contain_text("A second person approves it")

    assert not found
    assert not sela.wrong
