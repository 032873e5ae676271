"""
An evening in a house: a tablet plays, and two wall screens and three phones show what happens.

The screens hang, and the phones lie on the tables: nobody touches them. Each shows every step
within its poll, calls players as they allow, and has nothing that is private (SB6).
"""

from __future__ import annotations

import re
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from casino.words.languages import spelled
from tests.browser.conftest import People
from tests.browser.running import running
from tests.browser.test_looks import PICTURES, THEMES
from tests.browser.test_wall import configured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser
TABLET: ViewportSize = {"width": 1112, "height": 834}
PHONE: ViewportSize = {"width": 390, "height": 844}
WIDE: ViewportSize = {"width": 1920, "height": 1080}
TALL: ViewportSize = {"width": 1080, "height": 1920}
ON_WALLS, ON_PHONES = 10_000, 45_000
"""Milliseconds of a poll, with the booking before it and what a cache may keep."""

ADA, BRUNO, CLEO, WANDA = "Ada Lovelace", "Bruno Bean", "Cleo Cook", "Wanda Wood"
ALLOWED: Final = {ADA: "full", BRUNO: "short", CLEO: "number", WANDA: "short"}
PRIVATE = re.compile(r"Bruno Bean|Cleo|Wanda Wood|Mira|Orso|Sela|\bp-[a-z2-9]{12}\b")
BEST, FAIR, WORST, HOME = (2, 2, 1), (2, 2, 4), (2, 2, 7), (1, 3, 6)
STORY = "On the night of the flood the last boat came with three lamps."
LINES = """row => [...document.querySelectorAll(row)].map(line => ["name", "points"]
  .map(part => line.querySelector(`.wall-${part}`).textContent.trim()))"""
PHONE_LINES = """() => [...document.querySelectorAll(".guests-board li")].map(line =>
  [line.children[1].firstChild.textContent.trim(),
   line.querySelector("b").textContent.match(/[0-9]+/)[0]])"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house of its own, whose boards are played for prizes from the start."""
    with running(tmp_path_factory.mktemp("evening")) as started:
        screens = {"wall": True, "wall_names": True, "guests": True, "wall_seconds": 5}
        configured(started, "house", None, **screens)
        prize = {"ruleset": "stone-hand", "kind": "points", "at": 2, "prize": "A lamp", "amount": 0}
        place = {"kind": "place", "at": 1, "prize": "The evening", "amount": 30}
        configured(started, "prize_rule", None, **prize)
        configured(started, "prize_rule", None, **prize | place)
        points = {"options": {"mode": "scoreboard"}, "home_throws": "house"}
        configured(started, "house_rules", None, game="stone-hand", **points)
        rolls = {"options": {"progressive": "by_round"}}
        configured(started, "house_rules", None, game="threes-away", **rolls)
        yield started


@pytest.fixture
def people(house: House, browser: Browser) -> Iterator[People]:
    come = People(house, browser)
    yield come
    come.leave()


class Evening:
    """The screens of the house, and who sits before them."""

    def __init__(self, people: People, house: House) -> None:
        self.house = house
        [[at, wall]] = house.rows("SELECT id, wall_key FROM establishments_establishment")
        self.at = uuid.UUID(str(at))
        self.guests = f"/g/{spelled.compact(self.at)}/"
        self.mira = people.arrives("mira", viewport=TABLET, has_touch=True)
        self.desk = people.arrives("mira")
        self.wide = people.arrives(viewport=WIDE)
        self.tall = people.arrives(viewport=TALL)
        phone: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "device_scale_factor": 2}
        self.anybody, self.of_slip, self.of_code = (people.arrives(**phone) for _ in range(3))
        self.wide.page.goto(f"/wall/{wall}/")
        self.tall.page.goto(f"/wall/{wall}/?light")
        self.anybody.page.goto(self.guests)

    @property
    def walls(self) -> list[Person]:
        return [self.wide, self.tall]

    @property
    def phones(self) -> list[Person]:
        return [self.anybody, self.of_slip, self.of_code]

    @property
    def everybody(self) -> list[Person]:
        return [self.mira, self.desk, *self.walls, *self.phones]

    def asks(self, path: str) -> Any:
        return self.house.client("orso").get(f"establishments/{self.at}/{path}")

    def enters(self, *names: str) -> None:
        for name in names:
            body = {"command_id": str(uuid.uuid4()), "name": name, "game": "stone-hand",
                    "shown": ALLOWED[name]}  # fmt: skip
            reply = self.house.client("mira").post(f"establishments/{self.at}/waiting/", body)
            assert not reply.refused, reply.body

    def shows(self, *words: str, on: list[Person] | None = None) -> None:
        """Every screen that is everybody's, by itself; nothing private is on any."""
        for person in on or [*self.walls, self.anybody]:
            within = ON_WALLS if person in self.walls else ON_PHONES
            for each in words:
                expect(person.page.locator("#main")).to_contain_text(each, timeout=within)
        for person in [*self.walls, *self.phones]:
            assert not PRIVATE.findall(person.page.locator("body").inner_text())
            assert not PRIVATE.findall(person.page.content())

    def plays(self, *turns: tuple[str, tuple[int, int, int]], then: str) -> None:
        """A round at the tablet: who throws what, and who is to throw then."""
        nexts = [*(f"{name} to throw" for name, _dice in turns[1:]), f"{then} to throw"]
        for (_name, dice), following in zip(turns, nexts, strict=True):
            self.mira.throws(*dice, then=following)


def picture(person: Person, name: str, part: str = "") -> None:
    """In both themes, for who wants to look. :param part: of a wall, waited for until its turn."""
    if not PICTURES:
        return
    page: Page = person.page
    if part:
        expect(page.locator(part)).to_be_visible(timeout=90_000)
    chosen = page.evaluate("document.documentElement.dataset.theme")
    for theme in THEMES:
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        page.screenshot(path=Path(PICTURES) / f"{name}-{theme}.png")
    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", chosen)


def plays_for_a_pot(evening: Evening) -> None:
    """Bruno takes a pot with a zero; what lies in the next waits for another game (TA7, TA10)."""
    mira, page = evening.mira, evening.mira.page
    mira.goes_to("Table 2")
    mira.presses(page.get_by_role("button", name="Threes Away"))
    mira.seats(BRUNO, ADA)
    page.get_by_label("What each player brings").fill("20")
    mira.presses(page.get_by_role("button", name="Open the game"))
    page.wait_for_url("**/floor/games/*/", wait_until="commit")
    keeps_all(mira, 3, then=ADA)
    keeps_all(mira, 2, then=BRUNO)
    expect(page.locator(".latest")).to_contain_text("wins round 1")
    evening.shows("Table 2", "Threes Away", "round 2")
    picture(evening.wide, "wall-table")
    mira.sees_booked()
    page.goto(f"/floor/games/{mira.game}/rounds/1/")
    mira.looks_until(page.locator(".receipts a")).first.click()
    page.wait_for_url("**/receipts/**")
    evening.of_slip.page.goto(page.locator(".receipt-address").inner_text())
    evening.shows("Paid to you", "This player", on=[evening.of_slip])

    mira.goes_to("Table 2")
    keeps_all(mira, 5, then=ADA)
    keeps_all(mira, 6, then=BRUNO)
    mira.chooses("Close the game")
    mira.presses(page.get_by_role("button", name="Yes, close the game"))
    evening.shows("Waits for the next Threes Away")


def keeps_all(mira: Person, face: int, *, then: str) -> None:
    mira.taps(*[face] * 5)
    mira.presses(mira.page.get_by_role("button", name="Keep all"))
    mira.sees(f"{then} to throw")


def gets_a_code(evening: Evening) -> None:
    desk = evening.desk.page
    desk.goto("/players/codes/")
    desk.get_by_label("Name or id").fill(BRUNO)
    desk.get_by_role("button", name="Give a code").click()
    own = desk.locator(".qr + p a")
    expect(own).to_be_visible()
    evening.of_code.page.goto(str(own.get_attribute("href")))


def plays_for_points(evening: Evening) -> None:
    """Bruno leads and wins a lamp; then Ada overtakes him."""
    mira, page = evening.mira, evening.mira.page
    mira.goes_to("Table 1")
    mira.seats(ADA, BRUNO, CLEO)
    mira.presses(page.get_by_role("button", name="Open the game"))
    page.wait_for_url("**/floor/games/*/", wait_until="commit")
    evening.plays((ADA, WORST), (BRUNO, BEST), (CLEO, FAIR), then=ADA)
    evening.shows("Bruno B.", "A lamp")
    evening.shows("1 point more for A lamp", on=[evening.anybody, evening.of_code])
    picture(evening.of_code, "phone-code-one-point")
    evening.plays((ADA, WORST), (BRUNO, BEST), (CLEO, FAIR), then=ADA)
    expect(evening.of_code.page.locator("#prizes")).to_contain_text("A lamp", timeout=ON_PHONES)
    evening.plays((ADA, BEST), (BRUNO, WORST), (CLEO, FAIR), then=BRUNO)
    for _round in range(2):
        evening.plays((BRUNO, WORST), (CLEO, FAIR), (ADA, BEST), then=BRUNO)
    evening.shows("Place 2 of 2", on=[evening.of_code])
    for wall in evening.walls:
        first = wall.page.locator(".wall-rank").first
        expect(first).to_contain_text(ADA, timeout=ON_WALLS)
    expect(evening.anybody.page.locator(".guests-board li").first).to_contain_text(
        ADA, timeout=ON_PHONES
    )
    evening.shows("Bruno B.")


def throws_home(evening: Evening) -> None:
    """The house's own is thrown; later it is another, with its story."""
    evening.mira.throws(*HOME, then=f"{CLEO} to throw")
    evening.shows("Seat 3 to throw", on=evening.walls)
    own = {"faces": [2, 4, 7], "story": STORY, "game": "stone-hand"}
    configured(evening.house, "home_throw", None, **own)
    evening.shows(STORY)


def calls_who_waits(evening: Evening) -> None:
    page = evening.mira.page
    evening.enters(WANDA)
    evening.shows("Wanda W.")
    page.locator("#waits-here").tap()
    page.locator("#sheet .wait").first.get_by_role("button", name="Call").tap()
    expect(page.locator("#sheet .wait").first).to_contain_text("to Table 1")
    evening.shows("Wanda W.", "to Table 1, please")
    page.get_by_role("link", name="Back to the table").tap()


@pytest.mark.long
def test_all_screens_show_each_step_of_an_evening_and_nothing_private(
    people: People, house: House
) -> None:
    evening = Evening(people, house)
    evening.enters(ADA, BRUNO, CLEO)
    evening.shows(ADA, "Bruno B.", "number 3")

    plays_for_a_pot(evening)
    gets_a_code(evening)
    plays_for_points(evening)
    throws_home(evening)
    calls_who_waits(evening)

    picture(evening.wide, "wall-board", ".wall-part-scoreboards")
    picture(evening.tall, "wall-board-tall", ".wall-part-scoreboards")
    picture(evening.tall, "wall-home-tall", ".wall-part-games >> nth=0")
    picture(evening.wide, "wall-tables", ".wall-part-tables")
    picture(evening.mira, "tablet")
    for name, phone in zip(("anybody", "slip", "code"), evening.phones, strict=True):
        picture(phone, f"phone-{name}")
    figures_agree(evening)
    assert not [each.wrong for each in evening.everybody if each.wrong]
    evening.anybody.page.context.set_offline(True)
    old = evening.anybody.page.get_by_text("no line: this may be old")
    expect(old).to_be_visible(timeout=ON_PHONES)
    evening.anybody.page.context.set_offline(False)
    expect(old).to_be_hidden(timeout=ON_PHONES)


def figures_agree(evening: Evening) -> None:
    """The register, the board, the walls and the guests' page have the same figures."""
    ranks = evening.asks("scoreboards/stone-hand/")["results"]
    told = [[each["public"], str(each["points"])] for each in ranks]
    register = evening.asks("reports/scoreboard/?game=stone-hand")
    points, *_others, prizes = register["tables"]

    assert told == [[ADA, "3"], ["Bruno B.", "2"]]
    assert [(each["player"], each["points"]) for each in points["rows"]] == [
        (each["name"], str(each["points"])) for each in ranks
    ]
    assert {(each["player"], each["prize"]) for each in prizes["rows"]} == {
        (ADA, "A lamp"), (BRUNO, "A lamp"),
    }  # fmt: skip
    assert all(each["agrees"] is not False for each in register["figures"])
    for wall in evening.walls:
        assert wall.page.evaluate(LINES, "[data-rank]") == told
    assert evening.anybody.page.evaluate(PHONE_LINES) == told
