"""Who waits is called and entered at a table by a finger, and offered a seat where people join."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.test_wall import SOON, wall_of

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.running import House

pytestmark = pytest.mark.browser


def entered(house: House, *names: str, game: str = "cinnabar-gate") -> None:
    """Players who wait for a game; who waited before is taken off."""
    client = house.client("mira")
    [at] = client.get("establishments/")["results"]
    path = f"establishments/{at['id']}/waiting/"
    for line in client.get(path)["games"]:
        for place in line["places"]:
            body = {"command_id": str(uuid.uuid4())}
            client.post(f"{path}{place['entry']}/take-off/", body)
    for name in names:
        body = {"command_id": str(uuid.uuid4()), "name": name, "game": game}
        assert not client.post(path, body).refused


def test_two_taps_at_a_table_call_who_waits_and_the_next_is_entered_there(
    people: People, house: House
) -> None:
    entered(house, "Wanda", "Xaver")
    wall = people.arrives()
    mira = people.arrives("mira", has_touch=True)
    page = mira.page
    mira.goes_to("Table 1")
    mira.presses(page.get_by_role("button", name="Cinnabar Gate"))
    mira.seats("Ada", "Bo")
    mira.presses(page.get_by_role("button", name="Open the game"))
    page.wait_for_url("**/floor/games/*/")
    wall.page.goto(wall_of(house, "Table 1"))
    expect(wall.page.locator(".wall-wait-names")).to_have_text("Wanda, Xaver")

    page.locator("#waits-here").tap()
    page.locator("#sheet .wait").first.get_by_role("button", name="Call").tap()
    expect(page.locator("#sheet .wait").first).to_contain_text("to Table 1")
    expect(wall.page.locator(".wall-call")).to_contain_text("Wanda", timeout=SOON)

    page.locator("#wait-name").fill("Yana")
    page.locator("#do-wait").tap()
    expect(page.locator("#sheet .wait")).to_have_count(3)
    page.get_by_role("link", name="Back to the table").tap()

    page.locator("#do-more").tap()
    page.locator("#sure-join > summary").tap()
    expect(page.locator("#picker-list [role=option]").first).to_have_text("Wanda · waits")
    entered(house)
    assert not mira.wrong + wall.wrong
