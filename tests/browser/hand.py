"""An attendant's hand at a tablet, whose taps are counted."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.test_people import PIN
from tests.browser.test_supervisor import digits, sheet

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.people import Person
    from tests.browser.running import House


class Hand:
    """An attendant at a tablet, whose taps are counted from the mistake on."""

    def __init__(self, person: Person, house: House) -> None:
        self.person, self.page, self.house = person, person.page, house
        self.taps, self.began = 0, 0.0

    def seconds(self) -> float:
        """Since the mistake was noticed, by a hand that needs one for each tap."""
        return time.monotonic() - self.began + self.taps

    def opens(self, title: str, *names: str) -> str:
        """A game of this kind at Table 1."""
        self.person.goes_to("Table 1")
        if title != "Stone Hand":
            self.person.presses(self.page.get_by_role("button", name=title))
        self.person.seats(*names)
        self.person.presses(self.page.get_by_role("button", name="Open the game"))
        self.page.wait_for_url("**/floor/games/*/")
        return self.person.game

    def put(self, do: str, **fields: object) -> None:
        self.house.put("mira", self.person.game, do, **fields)

    def notices(self) -> None:
        """Here the mistake has been made: what follows is counted."""
        self.taps, self.began = 0, time.monotonic()

    def tap(self, thing: Locator) -> None:
        self.person.presses(thing)
        self.taps += 1

    def button(self, name: str) -> None:
        self.tap(self.page.get_by_role("button", name=name).first)

    def faces(self, *dice: int) -> None:
        for face in dice:
            self.tap(self.page.locator(f'.keys:not([hidden]) [data-face="{face}"]'))

    def entry(self, words: str) -> None:
        """An entry of the log, whose sheet opens."""
        self.tap(self.person.event(words).first)
        sheet(self.page, "Void from here")

    def more(self, words: str) -> None:
        self.tap(self.page.locator("#do-more"))
        self.tap(self.page.locator(".menu-wide").get_by_text(words).first)

    def changes(self, words: str) -> None:
        self.entry(words)
        self.tap(self.page.locator("#do-change"))
        sheet(self.page, "Change this entry")

    def key(self, name: str, value: object) -> None:
        self.tap(self.page.locator(f'.change-keys label:has([name="{name}"][value="{value}"])'))
        expect(self.page.locator("#sheet .change-comes")).to_contain_text("Then the table goes on")

    def chooses(self, name: str, value: str, *, nth: int = 0) -> None:
        """From a list of the device: it is opened, and one is tapped."""
        self.page.locator(f'.change select[name="{name}"]').nth(nth).select_option(value)
        self.taps += 2

    def because(self, reason: str) -> None:
        self.button(reason)

    def supervisor(self, approves: str = "Approve the change") -> None:
        """Sela answers on this tablet; her taps are hers."""
        sheet(self.page, "A supervisor answers")
        digits(self.page, PIN)
        self.page.get_by_role("button", name=approves).tap()
        expect(self.page.locator("#sheet")).to_be_hidden()

    def events(self) -> list[str]:
        """The game's events from the ledger, the voids and what came with them last."""
        rows = self.house.rows(
            "SELECT event_type FROM ledger_event WHERE stream = ? ORDER BY stream_version",
            f"game/{self.person.game}",
        )
        return [str(kind).partition(".")[2] for (kind,) in rows]
