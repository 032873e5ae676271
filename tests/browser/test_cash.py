"""B1, B2, B3 on a tablet at midnight: counted by two, handed over, filled; looked at by axe."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.test_looks import SIZES, look

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.people import Person

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 360, "height": 740}
FLOAT = {"100": 6, "25": 8, "5": 30, "1": 50}  # as the demo house brings it: 1,000


def cash_of(person: Person, table: str) -> None:
    person.page.goto("/cash/")
    person.page.get_by_role("link", name=table, exact=True).click()
    expect(person.page.locator("h1")).to_have_text(f"Cash at {table}")


def counts(person: Person, pieces: dict[str, int]) -> None:
    """Fill the sheet in, and say so."""
    for value, number in pieces.items():
        person.page.locator(f"#id_pieces_{value}").fill(str(number))
    person.page.get_by_role("button", name="This is what I counted").click()


def said(person: Person, words: str) -> None:
    expect(person.page.get_by_role("status").first).to_contain_text(words)


@pytest.mark.long
def test_b1_b3_a_shift_changes_with_two_counts_and_two_signatures(people: People) -> None:
    mira, tomas = people.arrives("mira"), people.arrives("tomas", viewport=PHONE)
    cash_of(mira, "Loft")
    found = look(mira, "cash of a table", [SIZES[0], PHONE])
    mira.page.get_by_role("link", name="Change of shift").click()

    mira.page.locator("#id_pieces_25").fill("8")
    expect(mira.page.locator("[data-total]")).to_have_text("200\N{NO-BREAK SPACE}r")
    mira.page.locator("[data-value='25'] [data-step='1']").click()
    expect(mira.page.locator("[data-total]")).to_have_text("225\N{NO-BREAK SPACE}r")
    found += look(mira, "count sheet", [SIZES[0], PHONE])
    mira.page.set_viewport_size(SIZES[0])
    counts(mira, FLOAT)
    said(mira, "stays sealed until a second person has counted")
    expect(mira.page.get_by_role("link", name="Enter your count")).to_have_count(0)

    cash_of(tomas, "Loft")
    tomas.page.get_by_role("link", name="Enter your count").click()
    counts(tomas, FLOAT)
    said(tomas, "Both counts agree. Now both attendants sign.")
    found += look(tomas, "handing over", [PHONE])

    cash_of(mira, "Loft")
    mira.page.get_by_role("button", name="I hand this table over").click()
    said(mira, "Signed.")
    cash_of(tomas, "Loft")
    tomas.page.get_by_role("button", name="I take this table over").click()
    said(tomas, "The table is yours.")
    expect(tomas.page.locator(".facts")).to_contain_text("Tomas Brandt")

    assert not found
    assert not mira.wrong
    assert not tomas.wrong


@pytest.mark.long
def test_b2_a_fill_without_a_script_gets_its_number_and_is_printed(people: People) -> None:
    people.arrives("mira")  # the cookie is kept
    mira = people.arrives("mira", java_script_enabled=False)
    sela = people.arrives("sela")
    cash_of(mira, "Garden")
    mira.page.get_by_role("link", name="Ask for a fill").click()
    mira.page.locator("#id_pieces_5").fill("4")
    mira.page.get_by_label("Reason").fill("Low on fives.")
    mira.page.get_by_role("button", name="Ask for the fill").click()
    said(mira, "Somebody else approves it")

    sela.card("Low on fives.").get_by_role("button", name="Approve").click()
    said(sela, "Approved, and done.")

    cash_of(mira, "Garden")
    mira.looks_until(mira.page.get_by_role("button", name="It is here: sign")).click()
    said(mira, "is signed for.")
    sela.page.goto("/cash/slips/")
    found = look(sela, "slips", [SIZES[0], PHONE])
    sela.page.locator("tbody tr a").first.click()
    expect(sela.page.locator(".slip")).to_contain_text("From the cage to Garden")
    found += look(sela, "a slip", [SIZES[0], PHONE])
    sela.page.goto("/cash/inventory/")
    found += look(sela, "table inventory", [SIZES[0], PHONE])
    sela.page.goto("/cash/")
    found += look(sela, "cash", [SIZES[0], PHONE])

    assert not found
    assert not sela.wrong
