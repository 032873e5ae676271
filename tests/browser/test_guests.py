"""The guests' pages on phones and screens: readable, reachable, and without a cookie."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from casino.words.languages import spelled
from tests.browser.test_looks import look
from tests.browser.test_wall import configured

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.running import House

EVERY = 20_000  # milliseconds: guests.js
WATCH = """part => {
  window.replaced = 0;
  new MutationObserver(changes => { window.replaced += changes.length; })
    .observe(part, { childList: true });
}"""

pytestmark = [pytest.mark.browser, pytest.mark.once]


def test_the_guests_pages_are_readable_and_leave_nothing_behind(
    people: People, house: House
) -> None:
    configured(house, "house", None, guests=True)
    [[at]] = house.rows("SELECT id FROM establishments_establishment")
    page = f"/g/{spelled.compact(uuid.UUID(str(at)))}/"
    guest = people.arrives()
    found = []
    for part in ("", "rules/stone-hand/", "odds/threes-away/"):
        guest.page.goto(f"{page}{part}")
        found += look(guest, f"guests {part}")

    assert not found
    assert not guest.wrong
    assert not guest.page.context.cookies()


def test_with_a_code_from_the_desk_a_phone_has_its_player_s_own_page(
    people: People, house: House
) -> None:
    configured(house, "house", None, guests=True)
    [[at]] = house.rows("SELECT id FROM establishments_establishment")
    list_of = f"establishments/{uuid.UUID(str(at))}/waiting/"
    for name in ("Ada Lovelace", "Bruno Bean"):
        sent = {"command_id": str(uuid.uuid4()), "name": name, "game": "stone-hand"}
        assert not house.client("mira").post(list_of, sent).refused
    desk = people.arrives("mira")
    desk.page.goto("/players/codes/")
    desk.page.get_by_label("Name or id").fill("Bruno Bean")
    desk.page.get_by_role("button", name="Give a code").click()
    own = desk.page.locator(".qr + p a")
    expect(own).to_be_visible()
    found = look(desk, "guests codes")

    guest = people.arrives(has_touch=True)
    guest.page.goto(str(own.get_attribute("href")))
    expect(guest.page.get_by_text("1 waits before you.")).to_be_visible()
    found += look(guest, "guests own")
    guest.page.get_by_label("On a gaming day").fill("50")
    guest.page.get_by_role("button", name="Set my limits").click()
    expect(guest.page.get_by_text("At most 50")).to_be_visible()
    guest.page.get_by_role("button", name="Exclude myself").click()
    expect(guest.page.get_by_role("heading", name="Exclude yourself?")).to_be_visible()
    found += look(guest, "guests sure")
    guest.page.get_by_role("button", name="Yes, exclude me").click()
    expect(guest.page.get_by_text("You are excluded from now on.")).to_be_visible()
    found += look(guest, "guests excluded")

    assert not found
    assert not guest.wrong
    assert not guest.page.context.cookies()


def test_a_page_that_goes_on_replaces_what_changed_and_ends_with_its_code(
    people: People, house: House
) -> None:
    configured(house, "house", None, guests=True)
    [[at]] = house.rows("SELECT id FROM establishments_establishment")
    list_of = f"establishments/{uuid.UUID(str(at))}/waiting/"
    sent = {"command_id": str(uuid.uuid4()), "name": "Cleo Cane", "game": "stone-hand"}
    assert not house.client("mira").post(list_of, sent).refused
    desk, guest = people.arrives("mira"), people.arrives(has_touch=True)
    desk.page.goto("/players/codes/")
    desk.page.get_by_label("Name or id").fill("Cleo Cane")
    desk.page.get_by_role("button", name="Give a code").click()
    guest.page.clock.install()
    guest.page.goto(str(desk.page.locator(".qr + p a").get_attribute("href")))
    waits = guest.page.locator("#waits")
    expect(waits).to_contain_text("Stone Hand")
    waits.evaluate(WATCH)

    with guest.page.expect_response("**/me/**"):
        guest.page.clock.run_for(EVERY)
    guest.page.wait_for_timeout(500)

    assert guest.page.evaluate("replaced") == 0  # its forms have new ids, which nobody sees
    desk.page.get_by_label("Name or id").fill("Cleo Cane")
    desk.page.get_by_role("button", name="End the code").click()
    expect(desk.page.get_by_text("ended")).to_be_visible()
    guest.page.clock.run_for(EVERY)
    expect(guest.page.get_by_role("heading", name="This code has ended")).to_be_visible()
    expect(waits).to_have_count(0)
