"""Somebody before a screen: what they do, and what must not go wrong meanwhile."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from casino.demo.house import PASSWORD
from tests import processes

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, FloatRect, Request

    from tests.browser.running import House

# What a browser itself says of an answer that is no 200: the pages say it in a sentence.
STATUS = re.compile(
    r"Failed to load resource: the server responded with a status of (409|422|40[134])"
    "|Service Worker registration blocked by Playwright"
)
AT_A_TABLE = re.compile(r"/floor/(?:games|tables)/")
NEWS = "**/board/"
# Whoever taps where they have just tapped has seen what came of it first, as floor/taps.js wants it
# from them: 600 ms after it is shown, within 24 pixels. Dice are tapped as fast as one can.
SEES = """() => {
  let [x, y, since] = [NaN, NaN, 0];
  const hear = ({ clientX, clientY, target, type }) => {
    since = performance.now();
    if (type === "click") [x, y] = target.closest("[data-face]") ? [NaN, NaN] : [clientX, clientY];
  };
  for (const type of ["click", "floor:shown"]) addEventListener(type, hear, true);
  window.unseen = (thing) => {
    if (!thing.isConnected) return 1; // it has just been drawn anew
    thing.scrollIntoView({ block: "nearest" });
    const { left, top, width, height } = thing.getBoundingClientRect();
    const near = Math.hypot(left + width / 2 - x, top + height / 2 - y) < 32;
    return near ? Math.max(0, since + 700 - performance.now()) : 0;
  };
}"""


def until(page: Page, holds: str, given: object = None) -> None:
    """Wait until it holds in the page, whose policy lets no string be evaluated again and again."""
    processes.eventually(lambda: bool(page.evaluate(holds, given)))


def box_of(part: Locator) -> FloatRect:
    """Where it lies, in pixels of the page; while a redraw replaces it, it lies nowhere."""
    while (box := part.bounding_box()) is None:
        expect(part).to_be_visible()
    return box


def foresees(page: Page) -> None:
    """Wait until the page can go on alone, from what it shows."""
    until(page, "window.floor?.queue && floor.foresight.ready(floor.queue.version())")


class Person:
    def __init__(self, page: Page, house: House, *, touches: bool = False) -> None:
        self.page, self.house, self.touches = page, house, touches
        self.wrong: list[str] = []
        """Errors on the console, violations of the content policy, requests to elsewhere."""
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("request", self._asked)
        page.add_init_script(f"({SEES})()")

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not STATUS.match(message.text):
            self.wrong.append(message.text)

    def _asked(self, request: Request) -> None:
        host = urlsplit(request.url).netloc
        if host and host != urlsplit(self.house.address).netloc:
            self.wrong.append(f"asked elsewhere: {request.url}")

    # --- What the page shows ------------------------------------------------------------------

    @property
    def game(self) -> str:
        found = re.search(r"/floor/games/([0-9a-f-]+)/", self.page.url)
        assert found, self.page.url
        return found[1]

    @property
    def next_action(self) -> Locator:
        return self.page.locator("h1.next")

    @property
    def said(self) -> Locator:
        return self.page.get_by_role("alert")

    def sees(self, sentence: str | re.Pattern[str]) -> None:
        """As the house has it: what this device only foresees is marked, and waited for."""
        expect(self.next_action).to_have_text(sentence)
        expect(self.page.locator("#main[data-ahead]")).to_have_count(0)

    def foresees(self, sentence: str | re.Pattern[str]) -> None:
        """As this device foresees it, and says that it does."""
        expect(self.next_action).to_have_text(sentence)
        expect(self.page.locator("#main[data-ahead]")).to_contain_text("as foreseen")

    def seat(self, name: str) -> Locator:
        return self.page.locator(".seat").filter(has=self.page.get_by_text(name, exact=True))

    def sees_booked(self) -> None:
        expect(self.page.locator(".head-settled")).to_have_text("booked")

    def event(self, words: str) -> Locator:
        """A line of what happened, as the house has recorded it."""
        return self.page.locator("#log li:not(:has(.ahead-word))").filter(has_text=words)

    def hears_no_news(self) -> None:
        """
        From here on. What the house gives ahead is news, too, and so is the answer to a question
        that is on its way: both have arrived when this returns.
        """
        foresees(self.page)
        self.page.route(NEWS, lambda route: route.fulfill(status=304))
        with self.page.expect_request(NEWS):
            pass

    def hears_news(self) -> None:
        self.page.unroute(NEWS)

    # --- What they do, by mouse or with a finger ----------------------------------------------

    def signs_in(self, username: str) -> None:
        self.page.goto("/sign-in/")
        self.page.get_by_label("Name").fill(username)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url("**/")

    def card(self, words: str, at: str = "/approvals/") -> Locator:
        """What waits for them, looked for until the worker has seen what was asked or raised."""
        self.page.goto(at)
        return self.looks_until(self.page.locator(".ask").filter(has_text=words))

    def looks_until(self, locator: Locator) -> Locator:
        """Look again until it is there: a page shows what the worker has read, without a script."""
        for _ in range(40):
            if locator.count():
                break
            self.page.wait_for_timeout(250)
            self.page.reload()
        return locator

    def presses(self, thing: Locator) -> None:
        """
        With a finger, or with the mouse; not before the house has answered the last one, nor before
        they have seen what came of it where they tap.
        """
        expect(self.page.locator('.play[data-state="sending"]')).to_have_count(0)
        while unseen := thing.evaluate("(thing) => unseen(thing)"):
            self.page.wait_for_timeout(unseen)
        if self.touches:
            thing.tap()
        else:
            thing.click()

    def goes_to(self, table: str) -> None:
        self.page.goto("/floor/")
        self.presses(self.page.get_by_role("link", name=table))
        self.page.wait_for_url(AT_A_TABLE)

    def opens(self, table: str, *names: str, stake: int = 12) -> str:
        """A game with these players; its id."""
        self.goes_to(table)
        self.seats(*names)
        self.page.get_by_label("Stake of each player").fill(str(stake))
        self.presses(self.page.get_by_role("button", name="Open the game"))
        self.page.wait_for_url("**/floor/games/*/")
        return self.game

    def seats(self, *names: str) -> None:
        for number, name in enumerate(names, start=1):
            field = self.page.get_by_label(f"Name at seat {number}")
            if not field.count():
                self.presses(self.page.get_by_role("button", name="One more seat"))
            field.fill(name)

    def taps(self, *dice: int) -> None:
        for face in dice:
            self.presses(self.page.locator(f'.keys:not([hidden]) [data-face="{face}"]'))

    def throws(self, *dice: int, then: str | re.Pattern[str]) -> None:
        """Tap the dice, and see what the house answers."""
        version = self.page.locator("#main").get_attribute("data-version")
        self.taps(*dice)
        expect(self.page.locator("#main")).not_to_have_attribute("data-version", version or "")
        self.sees(then)

    def asks_to_void(self, entry: str = "Ada pair 7", because: str = "Entered wrongly") -> None:
        """
        An entry before the last one, which nobody undoes alone: by a supervisor, who comes later
        and to a device of their own.
        """
        self.presses(self.event(entry).locator(".goes-back").first)
        self.presses(self.page.get_by_role("button", name=because))
        expect(self.page.get_by_role("heading", name="A supervisor answers")).to_be_visible()
        self.page.keyboard.press("Escape")

    def chooses(self, words: str) -> None:
        """Something behind More, that has to be confirmed or not."""
        self.presses(self.page.get_by_text("More", exact=True))
        self.presses(self.page.locator(".menu-wide").get_by_text(words).first)
