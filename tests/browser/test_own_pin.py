"""One's own PIN, changed with a finger on an upright tablet, in Italian."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from casino.demo.house import PASSWORD
from tests.browser.people import box_of
from tests.browser.test_italian import english_on
from tests.browser.test_people import TAP, fits

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

    from tests.browser.conftest import People

pytestmark = pytest.mark.browser
UPRIGHT: ViewportSize = {"width": 834, "height": 1112}


def sets(page: Page, pin: str, again: str = "") -> None:
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("[name=pin]").fill(pin)
    page.locator("[name=again]").fill(again or pin)
    page.get_by_role("button", name="Imposta il PIN").tap()


@pytest.mark.long
def test_a_pin_is_changed_in_italian(people: People) -> None:
    page = people.arrives("mira", has_touch=True, viewport=UPRIGHT).page
    page.goto("/floor/")
    page.get_by_role("button", name="Italiano").tap()
    try:
        expect(page.locator("html")).to_have_attribute("lang", "it")
        page.goto("/me/pin/")
        assert english_on(page) == []
        for part in page.locator("main input:visible, main .button:visible").all():
            assert box_of(part)["height"] >= TAP - 4
        for pin, again, says in (
            ("8264", "8265", "I due non sono uguali"),
            ("1234", "", "Tutte uguali, o cifre in fila"),
            ("123", "", "cifre"),
        ):
            sets(page, pin, again)
            expect(page.get_by_text(says).first).to_be_visible()
            assert english_on(page) == []
        fits(page)
        for _ in range(2):  # the second time it is the same
            sets(page, "4711")
            expect(page.get_by_text("Il tuo PIN è impostato")).to_be_visible()
            page.goto("/me/pin/")
    finally:
        page.goto("/floor/")
        page.get_by_role("button", name="English").tap()
        expect(page.locator("html")).to_have_attribute("lang", "en")  # for whoever comes next
