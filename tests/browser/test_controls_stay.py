"""
Nothing that can be pressed moves under a finger: a round of each game, tap by tap.

Whatever stands on the page before a tap and after it stays where it is, all the time until the next
tap: while the entry is sent, while it is foreseen, when it is recorded or refused, and when nothing
reaches the house. So it holds for all taps of one act, and from one act to the next as well. The
log is left out: its lines move on as things happen, and a tap on one of them only shows a sheet.
So is a menu in which a tap unfolds something or folds it up: it makes room below itself.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

from casino.house.acts.game_streams.catalogue import RULESETS
from tests.browser.offline import held_up, let_through, waits
from tests.browser.people import foresees, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.conftest import People
    from tests.browser.people import Person

pytestmark = [pytest.mark.browser, pytest.mark.once]
# Taps in the short form: a die taken back and a throw; the first bids; dice marked, and Bottoms.
FIRST: Final = {"stone-hand": 5, "river": 11, "threes-away": 12}
SIZES: Final = [(834, 1112), (1112, 834), (1280, 800)]
WATCH: Final = """() => {
  const FURTHEST = 8; // pixels
  const PRESSABLE = "button, summary, a[href], label, select, input:not([type=hidden])";
  const called = (thing) => {
    const { id, dataset } = thing.control ?? thing;
    const words = thing.getAttribute("aria-label") ?? thing.textContent.trim().slice(0, 40);
    return id || dataset.die || dataset.breaks || `${thing.tagName} ${thing.name ?? ""} ${words}`;
  };
  const places = () => new Map([...document.querySelectorAll(PRESSABLE)]
    .filter((thing) => !thing.closest("#log") && !thing.matches(".visually-hidden")
      && !thing.disabled && thing.checkVisibility({ visibilityProperty: true }))
    .map((thing) => [called(thing), thing.getBoundingClientRect()])
    .filter(([, box]) => box.width > 1));
  const watch = { moved: [], tap: "nothing", taps: 0, menu: new Set(), before: places() };
  const look = () => {
    const now = places();
    for (const [name, was] of watch.before) {
      const is = now.get(name);
      if (!is || watch.menu.has(name)) continue;
      const far = ["left", "top", "right", "bottom"]
        .map((edge) => Math.round(is[edge] - was[edge]));
      if (far.every((each) => Math.abs(each) <= FURTHEST)) continue;
      const what = `${name} by ${far} after tap ${watch.taps}, ${watch.tap}`;
      if (!watch.moved.includes(what)) watch.moved.push(what);
    }
    requestAnimationFrame(look);
  };
  document.addEventListener("pointerdown", ({ target }) => {
    const menu = target.closest("summary") && target.closest(".menu-body");
    watch.menu = new Set(menu ? [...menu.querySelectorAll(PRESSABLE)].map(called) : []);
    watch.before = places();
    watch.taps += 1;
    watch.tap = called(target.closest(PRESSABLE) ?? target);
  }, true);
  window.watch = watch;
  look();
}"""
STILL: Final = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
})"""
ANSWERED: Final = """() => !document.querySelector('#main[data-ahead], .play[data-state="sending"]')
  && document.querySelector("#menu-waiting").hidden"""


class Enough(Exception):  # noqa: N818 - of taps, in the short form
    """All taps that were asked for are done."""


class Hand:
    """A finger that taps, and waits each time until the page has come to rest."""

    def __init__(self, person: Person, most: int) -> None:
        self.person, self.page = person, person.page
        self.left, self.cut = most, False

    def opens(self, game: str, *names: str, table: str = "Table 1", **options: str) -> None:
        page, person = self.page, self.person
        person.goes_to(table)
        chosen = page.get_by_role("group", name="The game").get_by_role("button", name=game)
        person.presses(chosen)
        expect(chosen).to_have_attribute("aria-pressed", "true")
        person.seats(*names)
        if options:
            person.presses(page.get_by_text("House options"))
        for name, value in options.items():
            page.locator(f'select[name="option-{name}"]').select_option(value)
        person.presses(page.get_by_role("button", name="Open the game"))
        page.wait_for_url("**/floor/games/*/", wait_until="commit")  # its bundle may take longer
        expect(page.locator("#board[data-ready]")).to_have_count(1)
        foresees(page)
        page.evaluate(WATCH)

    def taps(self, *things: str) -> None:
        for css in things:
            if not self.left:
                raise Enough
            self.left -= 1
            self.person.presses(self.page.locator(css).first)
            if not self.cut:
                until(self.page, ANSWERED)
            self.page.evaluate(STILL)

    def dice(self, *faces: int) -> None:
        self.taps(*(f'.keys:not([hidden]) [data-face="{face}"]' for face in faces))


# --- A round of each game -----------------------------------------------------------------------


def stone_hand(hand: Hand) -> None:
    """A die taken back, an undo, a no throw, rethrows, a round that ends; then without a line."""
    hand.opens("Stone Hand", "Ada", "Bo", "Cyd", rethrow="1")
    hand.dice(1, 2)
    hand.taps("#slot-2")
    hand.dice(2, 7)
    hand.dice(2, 2, 7)
    hand.taps("#do-stand", "#do-undo", "#do-stand", "#do-no-throw", "#no-throw-cocked")
    hand.dice(3, 4, 5)
    hand.dice(1, 1, 8)
    held_up(hand.page)
    hand.cut = True
    hand.dice(2, 2, 7)
    hand.taps("#do-stand")
    hand.dice(3, 4, 5)
    waits(hand.person, 3)
    hand.taps("#do-undo")
    let_through(hand.page)
    hand.cut = False
    waits(hand.person, 0)
    hand.taps("#do-more", "#sure-pause > summary", "#sure-pause > summary", "#do-more")


def cinnabar_gate(hand: Hand) -> None:
    """A show-up, junk that is thrown again and taken, a tie, the pay that moves."""
    hand.opens("Cinnabar Gate", "Ada", "Bo", "Cyd")
    hand.dice(2, 4, 6)
    hand.dice(2, 2, 7)
    hand.dice(1, 4, 6)
    hand.dice(1, 4, 6)
    hand.taps("#do-stand")
    hand.dice(1, 4, 7)
    hand.dice(2, 2, 3)
    hand.dice(2, 2, 2)
    hand.dice(3, 3, 4)
    hand.taps("#do-more", "#sure-close > summary", "#sure-close > summary", "#sure-join > summary")


def river(hand: Hand) -> None:
    """Bids, a jump, one too high, passes, an undo, a hammer price, dice shown."""
    hand.opens("River", "Ada", "Bo", "Cyd", "Dara")
    hand.taps("#do-start", "#seal-2", "#seal-rest")
    hand.person.sees("The banker throws all five")
    hand.dice(2, 5, 8, 9, 3)
    hand.taps("#bid-1", "#bid-2", "#bid-1", "#bid-3", "#pass-1")
    hand.taps(*[".jump [data-digit='9']"] * 2, "#bid-2")
    expect(hand.person.said).to_contain_text("Bo holds")
    hand.taps(".jump [data-digit=back]", "#bid-2", "#pass-3", "#pass-4", "#do-sell")
    hand.taps("#bid-1", "#do-undo", "#do-withdraw", "label.way-one:has(#way-hammer)")
    for who in (2, 3):
        hand.taps(f"label:has(#buyer-{who})", ".way-hammer [data-digit='3']", "#do-hammer")
    hand.taps("#do-withdraw-hammer")
    for who, dice in ((3, (1, 1, 2, 2, 10)), (1, (1, 6, 2, 7, 9)), (2, (3, 5, 2, 7, 9))):
        hand.taps(f"label:has(#shows-{who})")
        hand.dice(*dice)
    hand.dice(4, 3, 6, 1, 1)
    hand.taps("#do-start")


def threes_away(hand: Hand) -> None:
    """Dice marked and unmarked, bottoms called, a zero that all pay for, a bust."""
    hand.opens("Threes Away", "Ada", "Bo", "Cyd", table="Table 2", bottoms="true")
    hand.dice(1, 3, 3, 6, 4)
    hand.taps(*(f"label.lies:nth-of-type({place})" for place in (1, 2, 3, 5, 5)), "#do-keep")
    hand.taps("label.bottoms", "label.bottoms")
    hand.dice(3, 2)
    hand.taps("#keep-all")
    hand.dice(3, 3, 3, 3, 3)
    hand.taps("#keep-all")
    hand.dice(6, 6, 6, 6, 6)
    hand.taps("#keep-all")


def dice_breaker(hand: Hand) -> None:
    """The starting die, a tie for it, dice that are hit, out and caught, an undo."""
    hand.opens("Dice Breaker", "Ada", "Bo", "Cyd", table="Table 3")
    hand.dice(2, 5, 2)
    hand.taps('[data-breaks="Cyd"]')
    hand.dice(1, 6)
    hand.dice(4, 4)
    hand.taps('[data-die="Cyd2"]')
    hand.dice(6, 1)
    hand.taps("#do-undo")
    hand.dice(1, 2, 3)
    hand.dice(5, 5)
    hand.taps("#key-out", "#who-1")
    hand.dice(2, 3, 4)
    hand.dice(1, 2, 3, 5, 6)


ROUNDS: Final[dict[str, Callable[[Hand], None]]] = {
    "stone-hand": stone_hand,
    "cinnabar-gate": cinnabar_gate,
    "river": river,
    "threes-away": threes_away,
    "dice-breaker": dice_breaker,
}


def walk(people: People, game: str, size: tuple[int, int], most: int = 1000) -> list[str]:
    """What moved in a round, or in its first taps."""
    width, height = size
    mira = people.arrives("mira", viewport={"width": width, "height": height}, has_touch=True)
    with suppress(Enough):
        ROUNDS[game](Hand(mira, most))
    moved: list[str] = mira.page.evaluate("() => window.watch.moved")
    return moved


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("game", ROUNDS)
def test_nothing_moves_in_a_whole_round(people: People, game: str, size: tuple[int, int]) -> None:
    assert walk(people, game, size) == []


@pytest.mark.parametrize("game", FIRST)
def test_nothing_moves_in_the_first_taps(people: People, game: str) -> None:
    assert walk(people, game, (1112, 834), most=FIRST[game]) == []


def test_a_round_of_every_game_is_walked() -> None:
    assert set(ROUNDS) == {ruleset.id for ruleset in RULESETS}
