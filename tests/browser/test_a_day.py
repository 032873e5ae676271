"""
A gaming day as four people live it, from the opener to the signed close.

With a disputed payout (C3), a void after it was booked (G4, C1) and a count that does not match
(B1), in a house of its own; every page on the way is looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import People
from tests.browser.running import running
from tests.browser.test_cash import cash_of, counts, said
from tests.browser.test_looks import SIZES, Finding, look

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 390, "height": 844}
PAGES = [SIZES[0], PHONE]
FLOAT = {"100": 6, "25": 8, "5": 30, "1": 50}  # 1,000, as the demo house brings it
OPENER = {"100": 4, "25": 2, "5": 8, "1": 10}  # 500
MISSING = {**OPENER, "1": 7}
OFFICE = (
    "/", "/approvals/", "/approvals/history/", "/cash/", "/cash/slips/", "/cash/inventory/",
    "/payouts/", "/disputes/", "/disputes/find/", "/accounts/", "/accounts/float/",
    "/accounts/over_short/", "/accounts/cage-and-bank/", "/accounts/fee-boxes/", "/players/",
    "/players/excluded/", "/players/cash-log/", "/players/unclaimed/", "/days/", "/people/",
    "/people/access/", "/people/sign-ins/", "/people/tablets/", "/settings/", "/settings/tables/",
    "/settings/dice/", "/settings/rules/", "/settings/rules/stone-hand/",
    "/settings/home-throws/", "/settings/changes/", "/me/",
)  # fmt: skip


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house of its own: its day is closed."""
    with running(tmp_path_factory.mktemp("day")) as started:
        yield started


@pytest.fixture
def people(house: House, browser: Browser) -> Iterator[People]:
    come = People(house, browser)
    yield come
    come.leave()


def counted(table: str, purpose: str, pieces: dict[str, int], *by: Person) -> None:
    """Two people, each at a screen of their own."""
    first, second = by
    cash_of(first, table)
    first.page.get_by_role("link", name=purpose).click()
    counts(first, pieces)
    said(first, "stays sealed until a second person has counted")
    cash_of(second, table)
    second.page.get_by_role("link", name="Enter your count").click()
    counts(second, pieces)


def plays_a_disputed_round(mira: Person, sela: Person) -> list[Finding]:
    """It is played and booked; Ada objects, and the supervisor decides that it stands."""
    mira.opens("Loft", "Ada", "Bo", "Cyd", stake=40)
    for dice, then in (((2, 2, 7), "Bo"), ((3, 4, 5), "Cyd"), ((4, 5, 6), "Ada")):
        mira.throws(*dice, then=f"{then} to throw")
    mira.sees_booked()
    mira.chooses("Dispute, witness")
    mira.page.get_by_label("What is objected to, and by whom").fill("Ada says it was a one.")
    mira.page.get_by_role("button", name="Raise a dispute").click()
    card = sela.card("Ada says it was a one.", at="/disputes/")
    card.get_by_role("link", name="Look into it").click()
    found = look(sela, "day: a dispute", PAGES)
    sela.page.get_by_label("Stands").check()
    sela.page.get_by_label("Reason").fill("All three saw a two.")
    sela.page.get_by_role("button", name="Close the dispute").click()
    said(sela, "The dispute is closed")
    return found


def voids_what_was_booked(mira: Person, sela: Person) -> list[Finding]:
    """One asks at the table, another approves in the office."""
    mira.goes_to("Loft")
    mira.page.get_by_text("More", exact=True).click()
    found = look(mira, "day: asking for a void", SIZES[:1])
    mira.page.keyboard.press("Escape")
    mira.asks_to_void()
    expect(mira.page.locator(".asks")).to_be_visible()
    card = sela.card("Void")
    found += look(sela, "day: approvals", PAGES)
    card.get_by_role("button", name="Approve").click()
    said(sela, "Approved, and done.")
    mira.goes_to("Loft")
    expect(mira.event("Void from").first).to_be_visible()
    return found


def ends_with_coins_missing(mira: Person, sela: Person, orso: Person) -> list[Finding]:
    """Everybody is paid out; two count three too few, and the book accepts it."""
    mira.chooses("Close the game")
    mira.page.get_by_role("button", name="Yes, close the game").click()
    for name in ("Ada", "Bo", "Cyd"):
        pay = mira.page.get_by_role("button", name=f"Pay {name} out")
        mira.presses(pay)
        expect(pay).to_have_count(0)
    counted("Loft", "Close for the day", MISSING, mira, sela)
    cash_of(orso, "Loft")
    expect(orso.page.get_by_text("3\N{NO-BREAK SPACE}r short").first).to_be_visible()
    return look(orso, "day: cash of a closed table", PAGES)


def closes_and_signs(orso: Person, sela: Person) -> list[Finding]:
    """The manager closes the day, somebody else signs what it came to."""
    orso.page.goto("/")
    found = look(orso, "day: before the close", PAGES)
    orso.page.get_by_role("link", name="Close the day").click()
    close = orso.page.get_by_role("button", name="Close")
    expect(close).to_be_visible()
    found += look(orso, "day: closing", PAGES)
    close.click()
    expect(orso.page.get_by_text("Over/short").first).to_be_visible(timeout=30_000)
    found += look(orso, "day: closed", PAGES)
    sela.page.goto(orso.page.url)
    sela.page.get_by_role("button", name="Sign", exact=True).click()
    expect(sela.page.get_by_text("Sela Okoye").first).to_be_visible()
    return found


@pytest.mark.long
def test_from_the_opener_to_the_signed_close(people: People) -> None:
    mira, sela = people.arrives("mira"), people.arrives("sela", viewport=PHONE)
    orso, ines = people.arrives("orso"), people.arrives("ines")

    counted("Loft", "Close for the day", FLOAT, mira, sela)
    counted("Loft", "Open", OPENER, mira, sela)
    found = plays_a_disputed_round(mira, sela)
    found += voids_what_was_booked(mira, sela)
    found += ends_with_coins_missing(mira, sela, orso)
    found += closes_and_signs(orso, sela)
    for address in OFFICE:
        ines.page.goto(address)
        found += look(ines, f"day: {address}", PAGES)

    assert not found
    assert not mira.wrong + sela.wrong + orso.wrong + ines.wrong
