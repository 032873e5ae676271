"""C1, on a phone: what waits is seen and answered by thumb, with scripts or without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.test_looks import SIZES, look

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 360, "height": 740}
WHY = "Ada's dice were misread at the far end."


def void_asked_for(mira: Person, house: House) -> str:
    """A round that has ended is to be voided; the id of its game."""
    game = mira.opens("Table 1", "Ada", "Bo")
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.throws(3, 4, 5, then="Ada to throw")
    mira.sees_booked()
    house.put("mira", game, "void", back_to=2, reason=WHY)
    return game


@pytest.mark.long
def test_c1_a_request_is_approved_on_a_phone(people: People, house: House) -> None:
    mira, sela = people.arrives("mira"), people.arrives("sela", viewport=PHONE)
    game = void_asked_for(mira, house)

    card = sela.card(WHY)
    expect(card).to_contain_text("Void")
    expect(card).to_contain_text(WHY)
    expect(card).to_contain_text("goes back to before event 2")
    found = look(sela, "approvals", [PHONE, SIZES[0]])
    sela.page.set_viewport_size(PHONE)
    card.get_by_role("button", name="Reject").click()
    expect(sela.said).to_contain_text("Give a reason")
    found += look(sela, "approval refused", [PHONE])
    card.get_by_role("button", name="Approve").click()
    expect(sela.page.get_by_role("status")).to_contain_text("Approved, and done.")
    sela.page.goto("/approvals/history/")
    expect(sela.page.locator("tbody tr").first).to_contain_text("approved")
    found += look(sela, "approvals, history", [PHONE, SIZES[0]])
    sela.page.goto("/exceptions/")
    found += look(sela, "exceptions", [PHONE, SIZES[0]])

    assert "voided" in house.events(game)
    assert not found
    assert not mira.wrong
    assert not sela.wrong


@pytest.mark.long
def test_c1_without_a_script_it_is_rejected_all_the_same(people: People, house: House) -> None:
    mira = people.arrives("mira")
    game = void_asked_for(mira, house)
    people.arrives("sela")  # the cookie is kept
    sela = people.arrives("sela", viewport=PHONE, java_script_enabled=False)

    card = sela.card(WHY)
    card.get_by_label("Reason").fill("The dice lay as recorded.")
    card.get_by_role("button", name="Reject").click()

    expect(sela.page.get_by_role("status")).to_contain_text("Rejected.")
    assert "void_rejected" in house.events(game)


@pytest.mark.long
def test_the_hall_says_how_many_wait(people: People, house: House) -> None:
    mira, sela = people.arrives("mira"), people.arrives("sela")
    void_asked_for(mira, house)
    expect(sela.card(WHY)).to_be_visible()

    sela.page.goto("/floor/")
    waiting = sela.page.locator(".bar-approvals")
    expect(waiting).to_contain_text("1")
    assert not look(sela, "hall with approvals", [PHONE, SIZES[0]])
    waiting.click()
    expect(sela.page.locator("h1")).to_have_text("Approvals")
    mira.page.goto("/floor/")
    expect(mira.page.locator(".bar-approvals")).to_have_count(0)
