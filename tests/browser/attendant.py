"""Somebody who works the floor with a finger, in whichever browser: their ways, written once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from casino.demo.house import PASSWORD

if TYPE_CHECKING:
    from tests.browser.line import Line
    from tests.browser.running import House
    from tests.browser.screens.screen import Screen

VERSION = "() => document.querySelector('#main')?.dataset.version ?? ''"
FORESEES = """() => window.floor?.foresight.version() > 0
  && window.floor.foresight.ready(Number(document.querySelector("#main").dataset.version))"""
# Words that run out of their button, and buttons that lie under something else.
BADLY_LAID = """() => [...document.querySelectorAll("#board .button, #board .key, #board .taker")]
  .filter((each) => each.checkVisibility() && !each.disabled)
  .filter((each) => {
    const words = document.createRange();
    words.selectNodeContents(each);
    const [inner, outer] = [words, each].map((part) => part.getBoundingClientRect());
    const [x, y] = [outer.left + outer.width / 2, outer.top + outer.height / 2];
    const hit = document.elementFromPoint(x, y);
    const inside = inner.left >= outer.left - 1 && inner.right <= outer.right + 1;
    const below = y > innerHeight || each.closest("[data-keep-scroll], .menu-body");
    return !inside || !(below || each.contains(hit));
  })
  .map((each) => each.outerHTML.slice(0, 120))"""
READY = "() => document.querySelector('#board')?.hasAttribute('data-ready') ?? true"


@dataclass
class Attendant:
    """:ivar line: to the house; what is tried without one cuts it."""

    screen: Screen
    house: House
    line: Line

    # --- Coming and going -------------------------------------------------------------------------

    def goes(self, path: str) -> None:
        self.screen.goes(self.line.address + path)

    def signs_in(self, username: str) -> None:
        self.goes("/sign-in/")
        self.screen.fills("Name", username)
        self.screen.fills("Password", PASSWORD)
        self.screen.presses("button", "Sign in")
        self.screen.until(
            lambda: not self.screen.address.endswith("/sign-in/"), f"{username} is kept out"
        )
        # Who leaves a page while its scripts come may see one of them run without another.
        self.screen.comes_to("/")

    @property
    def game(self) -> str:
        found = re.search(r"/floor/games/([0-9a-f-]+)/", self.screen.address)
        assert found, self.screen.address
        return found[1]

    def sits_down(self, table: str, *names: str, game: str = "Stone Hand") -> None:
        """At a table that is free: the form that opens this game, with these players."""
        self.goes("/floor/")
        self.screen.presses("a.table-card", table)
        self.screen.comes_to("/floor/tables/")
        chosen = '.game[aria-pressed="true"]'
        if not self.screen.shows(chosen, game):
            self.screen.presses(".game", game)
            self.screen.sees(chosen, game)
        for number, name in enumerate(names, start=1):
            self.screen.fills(f"Name at seat {number}", name)

    def opens(self) -> None:
        self.screen.presses("button", "Open the game")
        self.screen.comes_to("/floor/games/")
        self.screen.until(lambda: self.screen.evaluate(READY), "no key hears")

    # --- At the table -----------------------------------------------------------------------------

    def sees(self, sentence: str) -> None:
        """As the house has it: what this device only foresees is waited for."""
        self.screen.until(
            lambda: (
                self.screen.text("h1.next") == sentence
                and self.screen.evaluate("() => !document.querySelector('#main[data-ahead]')")
            ),
            f"the next action is not {sentence!r} but {self.screen.text('h1.next')!r}",
        )

    def foresees(self, sentence: str) -> None:
        self.screen.until(
            lambda: (
                self.screen.text("h1.next") == sentence
                and self.screen.evaluate(
                    "() => Boolean(document.querySelector('#main[data-ahead]'))"
                )
            ),
            f"{sentence!r} is not foreseen; there is {self.screen.text('h1.next')!r}",
        )

    def taps(self, *dice: int) -> None:
        """The faces of one throw; the last one sends it, and the page answers."""
        before = self.screen.evaluate(VERSION)
        for face in dice:
            self.screen.presses(f'.keys:not([hidden]) [data-face="{face}"]')
        self._moves_from(before)

    def face(self, value: int) -> None:
        """Of the one die that Dice Breaker asks for."""
        before = self.screen.evaluate(VERSION)
        self.screen.presses(f'.entry-breaker [data-face="{value}"]')
        self._moves_from(before)

    def _moves_from(self, version: str) -> None:
        self.screen.until(
            lambda: self.screen.evaluate(VERSION) != version, "the table stays as it was"
        )

    def throws(self, *dice: int, then: str) -> None:
        self.taps(*dice)
        self.sees(then)

    def presses(self, css: str, words: str = "", *, then: str) -> None:
        self.screen.presses(css, words)
        self.sees(then)

    def no_throw(self, because: str) -> None:
        self.screen.presses("#menu-no-throw > summary")
        self.screen.presses("#menu-no-throw button", because)

    def chooses(self, words: str, sure: str) -> None:
        """Something behind More, and that it is meant."""
        self.screen.presses("#menu-more > summary")
        self.screen.presses(".menu-wide summary", words)
        self.screen.presses("button", sure)

    def finds_all_well_laid(self) -> None:
        """Every word in its button, and every button within a finger's reach."""
        badly = self.screen.evaluate(BADLY_LAID)
        assert not badly, badly

    def waits_with(self, how_many: int) -> None:
        """So many entries wait on this device."""
        if how_many:
            self.screen.sees("[data-waiting-count]", f"{how_many} waiting")
        else:
            self.screen.misses("[data-waiting-count]")

    def can_go_on_alone(self) -> None:
        self.screen.until(lambda: self.screen.evaluate(FORESEES), "nothing is foreseen")

    def transfers(self) -> list[tuple[Any, ...]]:
        """What was booked beside the money that was brought, once all is."""
        self.screen.sees(".head-settled", "booked")
        return [each for each in self.house.transfers(self.game) if each[3] != "buy_in"]
