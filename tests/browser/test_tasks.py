"""
Whole tasks of people, by taps and fields: none takes more than was reached (bench/README.md has the
seconds). The taps are counted by the page itself.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import People
from tests.browser.hand import Hand
from tests.browser.people import Person
from tests.browser.running import running
from tests.browser.test_dice_breaker import opens as opens_dice_breaker
from tests.browser.test_dice_breaker import throws as throws_dice
from tests.browser.test_river import opens_river, seals_all, shows
from tests.processes import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

    from tests.browser.running import House

pytestmark = pytest.mark.browser
TABLET: Final = ViewportSize(width=1180, height=820)
COUNTED: Final = """() => {
  const add = (what) => sessionStorage.setItem(what, 1 + Number(sessionStorage.getItem(what)));
  addEventListener("click", (event) => event.isTrusted && add("taps"), true);
  addEventListener("change", ({ target }) => {
    if (/^(text|password)$/.test(target.type)) add("fields");
  }, true);
}"""


class Count:
    """Taps and fields of a page from here on, and seconds."""

    def __init__(self, page: Page) -> None:
        self.page, self.began = page, time.monotonic()
        self.before = self.now()

    def now(self) -> tuple[int, int]:
        taps, fields = self.page.evaluate(
            "['taps', 'fields'].map((each) => Number(sessionStorage.getItem(each)))"
        )
        return taps, fields

    def most(self, taps: int, fields: int = 0) -> None:
        now = self.now()
        done = now[0] - self.before[0], now[1] - self.before[1]
        took = time.monotonic() - self.began
        print(f"{done[0]} taps, {done[1]} fields, {took:.1f} s")  # noqa: T201 - seen with -s
        assert done <= (taps, fields)


def counted(person: Person) -> Person:
    person.page.add_init_script(f"({COUNTED})()")
    person.page.reload()
    return person


# --- A round of each game -----------------------------------------------------------------------


def stone_hand(mira: Person, house: House) -> None:
    Hand(mira, house).opens("Stone Hand", "Ada", "Bo")
    count = Count(mira.page)
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.throws(2, 2, 4, then="Ada to throw")
    count.most(6)


def cinnabar_gate(mira: Person, house: House) -> None:
    Hand(mira, house).opens("Cinnabar Gate", "Ada", "Bo")
    count = Count(mira.page)
    mira.throws(2, 2, 3, then=re.compile("Bo"))
    mira.throws(3, 3, 8, then=re.compile("Bo"))
    expect(mira.event("round 1").first).to_be_visible()
    count.most(6)


def river(mira: Person, house: House) -> None:
    opens_river(mira, "Ada", "Bo")
    count = Count(mira.page)
    seals_all(mira)
    for sides, face in ((4, 2), (6, 5), (8, 8), (10, 9), (12, 3)):
        mira.presses(mira.page.locator(f"#key-{sides}-{face}"))
    mira.sees("Who bids for the d4?")
    mira.presses(mira.page.get_by_text("Only the hammer price"))
    for then in ("d6", "d8", "d10", "d12", ""):
        mira.presses(mira.page.locator("#do-withdraw-hammer"))
        mira.sees(f"Who bids for the {then}?" if then else "Who shows their dice?")
    shows(mira, "Bo", 1, 1, 2, 2, 10, row=0)
    mira.taps(1, 6, 2, 7, 9)
    mira.sees("Start round 2")
    count.most(26)
    del house


def threes_away(mira: Person, house: House) -> None:
    Hand(mira, house).opens("Threes Away", "Ada", "Bo")
    count = Count(mira.page)
    for last in (5, 4):  # Bo wins: what a tie carries would be in the next game of the house (TA10)
        mira.taps(1, 1, 3, 3, last)
        mira.presses(mira.page.get_by_role("button", name=re.compile("Keep all")))
        expect(mira.page.locator('.play[data-state="sending"]')).to_have_count(0)
    expect(mira.event("round 1").first).to_be_visible()
    count.most(12)


def dice_breaker(mira: Person, house: House) -> None:
    opens_dice_breaker(mira, "Ada", "Bo")
    count = Count(mira.page)
    throws_dice(mira, 2, 5)
    throws_dice(mira, 1, 2, 3, 5, 6)
    throws_dice(mira, 4, 4, 1, 2, 6)
    expect(mira.event("round 1").first).to_be_visible()
    count.most(12)
    del house


ROUNDS: Final = (stone_hand, cinnabar_gate, river, threes_away, dice_breaker)


@pytest.mark.long  # in the short form WebKit plays a round of the first
@pytest.mark.parametrize("task", ROUNDS, ids=lambda each: each.__name__)
def test_a_round_is_recorded(
    people: People, house: House, task: Callable[[Person, House], None]
) -> None:
    task(counted(people.arrives("mira", has_touch=True, viewport=TABLET)), house)


# --- In the office ------------------------------------------------------------------------------


@pytest.mark.long
def test_why_somebody_was_paid_is_found(people: People, house: House) -> None:
    mira = people.arrives("mira")
    Hand(mira, house).opens("Cinnabar Gate", "Quentin", "Bo")
    mira.throws(2, 2, 3, then=re.compile("Bo"))
    mira.throws(3, 3, 8, then=re.compile("Bo"))
    mira.sees_booked()
    orso = counted(people.arrives("orso"))
    orso.looks_until(orso.page.locator(".because, .payout").first)
    page = orso.page

    count = Count(page)
    page.locator("[data-palette]").click()
    page.locator("#palette-words, .palette input").first.fill("Quentin")
    page.locator(".palette-found a", has_text="Quentin").first.click()
    page.get_by_role("link", name="What they were paid, and why").click()
    page.locator("tbody a", has_text="Quentin").first.click()
    expect(page.locator("main")).to_contain_text("threw 2-2-3, a pair")
    count.most(4, fields=1)


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house of its own: its day is closed, and another is founded beside it."""
    with running(tmp_path_factory.mktemp("tasks")) as started:
        yield started


@pytest.mark.long
def test_a_house_is_founded_and_its_first_round_played(new: House, browser: Browser) -> None:
    command = [sys.executable, "manage.py", "setup", "--address", new.address]
    told = subprocess.run(
        command, cwd=ROOT, env=new.env, check=True, capture_output=True, text=True
    ).stdout
    context = browser.new_context(
        base_url=new.address, viewport=TABLET, locale="en-GB", timezone_id="Europe/Rome",
        service_workers="block",
    )  # fmt: skip
    context.add_init_script(f"({COUNTED})()")
    page = context.new_page()
    nora = Person(page, new)
    page.goto(told.split()[-1])

    count = Count(page)
    for name, value in (
        ("house-name", "The Kingfisher"), ("person-username", "nora"),
        ("person-first_name", "Nora"), ("person-password", "heron-lake-9"),
        ("person-again", "heron-lake-9"),
    ):  # fmt: skip
        page.locator(f"[name={name}]").fill(value)
    page.get_by_role("button", name="Found the house").click()
    for step in ("Tables", "Dice sets", "Games"):
        expect(page.get_by_role("heading", name=step, level=1)).to_be_visible()
        page.get_by_role("button", name="Save and go on").click()
    page.get_by_text("The house has none: go on").click()
    page.get_by_text("Go on", exact=False).last.click()
    page.get_by_role("button", name="Open the first game").click()
    for number, name in enumerate(("Ada", "Bo"), 1):
        page.get_by_label(f"Name at seat {number}").fill(name)
    page.get_by_role("button", name="Open the game").click()
    nora.throws(2, 2, 7, then="Bo to throw")
    nora.throws(2, 2, 4, then="Ada to throw")
    expect(nora.event("round 1").first).to_be_visible()
    count.most(14, fields=7)
    context.close()


@pytest.mark.long
def test_a_day_is_closed_and_signed(new: House, browser: Browser) -> None:
    people = People(new, browser)
    orso = counted(people.arrives("orso"))

    count = Count(orso.page)
    orso.page.get_by_role("link", name="Close the day").click()
    orso.page.get_by_role("button", name="Close").click()
    expect(orso.page.get_by_text("Over/short").first).to_be_visible(timeout=30_000)
    count.most(2)
    sela = counted(people.arrives("sela"))
    sela.page.goto(orso.page.url)
    count = Count(sela.page)
    sela.page.get_by_role("button", name="Sign", exact=True).click()
    count.most(1)
    people.leave()
