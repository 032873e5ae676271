"""Settings and set-up, as a manager and an auditor see them, on a desk and on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.test_looks import SIZES, look
from tests.forms import every

if TYPE_CHECKING:
    from tests.browser.conftest import People

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 360, "height": 740}
SETTINGS = (
    "", "tables/", "tables/new/", "dice/", "rules/", "rules/stone-hand/", "home-throws/",
    "prizes/", "import/", "import/tables/", "changes/",
)  # fmt: skip
STEPS = ("house/", "tables/", "dice/", "games/", "home-throw/", "staff/", "done/")


@pytest.mark.long
def test_every_page_of_settings_is_well_made(people: People) -> None:
    orso = people.arrives("orso")

    found = []
    for path in SETTINGS[:: every(4)]:
        orso.page.goto(f"/settings/{path}")
        expect(orso.page.locator(".tabs [aria-current=page]")).to_be_visible()
        found += look(orso, f"settings/{path}", [PHONE, SIZES[0]])

    assert not found, found
    assert not orso.wrong


@pytest.mark.long
def test_every_step_of_the_set_up_is_well_made(people: People) -> None:
    orso = people.arrives("orso")

    found = []
    for path in STEPS:
        orso.page.goto(f"/set-up/{path}")
        expect(orso.page.locator(".steps [aria-current=step]")).to_be_visible()
        found += look(orso, f"set-up/{path}", [PHONE, SIZES[0]])
    stranger = people.arrives()
    stranger.page.goto("/set-up/?key=worn-out")
    expect(stranger.said).to_contain_text("the command setup makes another")
    found += look(stranger, "set-up, spent", [PHONE])

    assert not found, found
    assert not orso.wrong


@pytest.mark.long
def test_without_a_script_a_list_is_looked_at(people: People) -> None:
    people.arrives("orso")  # the cookie is kept
    orso = people.arrives("orso", viewport=PHONE, java_script_enabled=False)

    orso.page.goto("/settings/import/tables/")
    orso.page.get_by_label("Or its lines, pasted").fill("name;stake_min\nCellar;5\nTable 1;x\n")
    orso.page.get_by_role("button", name="Look at it").click()

    expect(orso.said).to_contain_text("Line 3, name")
    expect(orso.said).to_contain_text("Line 3, stake_min")
    expect(orso.page.get_by_role("button", name="Carry it out")).to_have_count(0)
