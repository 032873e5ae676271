"""
The main ways of the floor in three browsers: WebKit, which every browser on an iPad is, Firefox and
Chromium. One way in WebKit is in the short form; all of them in all three are in the long one.

Each way is written once (attendant.py); how a browser is driven stands in screens/. A browser that
this machine does not have is no silent gap: the test command ends with what to install.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from casino.demo.house import PASSWORD
from tests import chromium, firefox, processes, webkit
from tests.browser.attendant import Attendant
from tests.browser.line import line_to
from tests.browser.screens import chromium as chromium_screen
from tests.browser.screens import firefox as firefox_screen
from tests.browser.screens import webkit as webkit_screen
from tests.support.proving import told

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from tests.browser.running import House
    from tests.browser.screens.screen import Screen

pytestmark = [pytest.mark.browser, pytest.mark.once]
TABLET = (1024, 768)
SHORT = ("Stone Hand", "webkit")  # the game and the browser of the short form
VERIFIER = processes.ROOT / "ledger" / "verify.py"

BROWSERS = {"webkit": webkit, "firefox": firefox, "chromium": chromium}


def long_but(name: str) -> list[pytest.MarkDecorator]:
    """Marks of a row: of the long form alone, unless it is of the short one, too."""
    return [] if name in SHORT else [pytest.mark.long]


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=long_but(name)) for name in BROWSERS]
)
def screen(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Screen]:
    installed = BROWSERS[request.param]
    if installed.find() is None:
        pytest.skip(installed.MISSING)
    folder = tmp_path_factory.mktemp(request.param)
    opened: AbstractContextManager[Screen]
    match request.param:
        case "webkit":
            opened = webkit_screen.opened(*TABLET, folder)
        case "firefox":
            opened = firefox_screen.opened(*TABLET, folder)
        case _:  # one Playwright at a time: the same as in the other tests here
            opened = chromium_screen.opened(request.getfixturevalue("browser"), *TABLET)
    with opened as window:
        yield window


@pytest.fixture
def mira(house: House, screen: Screen) -> Iterator[Attendant]:
    with line_to(house.port) as line:
        attendant = Attendant(screen, house, line)
        attendant.signs_in("mira")
        yield attendant
        screen.goes(f"{line.address}/healthz/web")
        screen.forgets()
    house.clear()
    assert not screen.wrong()


# --- A round of each game ------------------------------------------------------------------------


def stone_hand(mira: Attendant) -> list[tuple[object, ...]]:
    """An undo and a no throw."""
    mira.sees("Ada to throw")
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.finds_all_well_laid()
    mira.presses("button", "Undo", then="Ada to throw")
    mira.no_throw("Cocked die")
    mira.screen.sees("#log li", "No throw by Ada: cocked die")
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.throws(3, 4, 5, then="Ada to throw")
    return [("Ada", "pot", 7, "SH4")]


def cinnabar_gate(mira: Attendant) -> list[tuple[object, ...]]:
    mira.sees("Ada to throw")
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.throws(1, 4, 6, then="Bo, junk 4: again (3 left) or stand")
    mira.presses("button", "Stand", then="Bo to throw")
    return [("Bo", "Ada", 4, "CG6")]


def river(mira: Attendant) -> list[tuple[object, ...]]:
    """Nobody bids; Ada and Cyd share the pot."""
    screen = mira.screen
    mira.presses("#do-start", then="Everybody throws hidden")
    mira.presses("#seal-rest", then="The banker throws all five")
    for sides, face in ((4, 2), (6, 5), (8, 8), (10, 9), (12, 3)):
        screen.presses(f"#key-{sides}-{face}")
    mira.sees("Who bids for the d4?")
    mira.finds_all_well_laid()
    screen.presses(".way-one", "Only the hammer price")
    screen.sees("#do-withdraw-hammer")
    mira.finds_all_well_laid()
    for then in ("d6", "d8", "d10", "d12"):
        mira.presses("#do-withdraw-hammer", then=f"Who bids for the {then}?")
    mira.presses("#do-withdraw-hammer", then="Who shows their dice?")
    for name, dice, then in (
        ("Cyd", (1, 1, 2, 2, 10), "Who shows their dice?"),
        ("Ada", (1, 6, 2, 7, 9), "Bo shows the dice"),
    ):
        screen.presses("#throw .who-one", name)
        mira.throws(*dice, then=then)
    mira.throws(4, 3, 6, 1, 1, then="Start round 2")
    paid = [(name, "pot", 5, "RV1") for name in ("Ada", "Bo", "Cyd")]
    return [*paid, ("pot", "Ada", 8, "RV6 G5"), ("pot", "Cyd", 7, "RV6 G5")]


def threes_away(mira: Attendant) -> list[tuple[object, ...]]:
    """Ada keeps in two steps; Bo has nothing but threes."""
    mira.sees("Ada to throw")
    mira.throws(1, 3, 3, 6, 4, then="Ada keeps one or more")
    for place in (1, 2, 3):
        mira.screen.presses(f"[data-entry-keep] label:nth-of-type({place})")
    mira.presses("#do-keep", "Keep 3: 1 in all", then="Ada throws the other 2")
    mira.throws(3, 2, then="Ada keeps one or more")
    mira.presses("button", "Keep all: 3", then="Bo to throw")
    mira.throws(3, 3, 3, 3, 3, then="Bo keeps one or more")
    mira.presses("button", "Keep all: 0", then="Bo to throw")
    antes = [("Ada", "pot", 1, "TA1"), ("Bo", "pot", 1, "TA1")]
    again = [("Ada", "pot", 1, "TA4"), ("Bo", "pot", 1, "TA4")]
    return [*antes, *again, ("pot", "Bo", 4, "TA1"), *reversed(antes)]


def dice_breaker(mira: Attendant) -> list[tuple[object, ...]]:
    """Everybody breaks the starting die; Bo breaks one of their own dice in two taps."""
    screen = mira.screen

    def throws(*values: int, then: str) -> None:
        for value in values:
            mira.face(value)
        mira.sees(then)

    mira.sees("Everybody breaks the starting die")
    throws(5, 2, then="Bo throws, 5 dice left")
    throws(4, 4, then="Bo throws, 3 dice left")
    screen.presses('[data-die="Bo2"]')
    screen.sees("[data-asked]", "Bo 2 was hit and shows")
    screen.presses('.entry-breaker [data-face="6"]')
    throws(1, 2, 3, then="Ada throws, 5 dice left")
    throws(1, 2, 3, 5, 6, then="Bo throws, 5 dice left")
    return []


ROUNDS = {
    "Stone Hand": (stone_hand, "Table 1", ("Ada", "Bo")),
    "Cinnabar Gate": (cinnabar_gate, "Table 1", ("Ada", "Bo")),
    "River": (river, "Table 1", ("Ada", "Bo", "Cyd")),
    "Threes Away": (threes_away, "Table 1", ("Ada", "Bo")),
    "Dice Breaker": (dice_breaker, "Table 3", ("Ada", "Bo")),
}


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=long_but(game)) for game in ROUNDS], ids=str
)
def test_a_round_by_touch(mira: Attendant, game: str) -> None:
    plays, table, names = ROUNDS[game]
    mira.sits_down(table, *names, game=game)
    mira.opens()
    mira.finds_all_well_laid()

    due = plays(mira)

    mira.finds_all_well_laid()
    assert mira.transfers() == due


# --- A line lost and back ------------------------------------------------------------------------


@pytest.mark.long
def test_a_line_lost_and_back_keeps_what_was_entered(mira: Attendant, house: House) -> None:
    """In the browser's own database, not in the page's memory; and each counts once."""
    mira.sits_down("Table 1", "Ada", "Bo")
    mira.opens()
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.can_go_on_alone()
    mira.line.cut()
    mira.taps(3, 4, 5)
    mira.foresees("Ada to throw")
    mira.waits_with(1)
    mira.taps(2, 2, 8)
    mira.waits_with(2)
    assert mira.screen.awaits("() => window.floor.store.unkept()") == ""

    mira.line.mend()

    mira.waits_with(0)
    mira.sees("Bo to throw")
    assert house.events(mira.game).count("dice_thrown") == 3
    assert mira.transfers() == [("Ada", "pot", 7, "SH4")]


@pytest.mark.long
def test_a_page_that_one_comes_back_to_shows_the_table_as_it_is(
    mira: Attendant, house: House
) -> None:
    """Out of the browser's memory or loaded anew: what was recorded meanwhile is there."""
    mira.sits_down("Table 1", "Ada", "Bo")
    mira.opens()
    game = mira.game
    mira.screen.presses(".head-back")
    mira.screen.sees("a.table-card", "Table 1")
    house.put("mira", game, "throw", player="Ada", dice=[2, 2, 7])

    mira.screen.goes_back()

    mira.sees("Bo to throw")


# --- A mistake -----------------------------------------------------------------------------------


@pytest.mark.long
def test_an_entry_is_changed_in_place_once_a_supervisor_agrees(
    mira: Attendant, house: House
) -> None:
    """A choice in the sheet, what comes of it, the request, the answer by name and password."""
    screen = mira.screen
    mira.sits_down("Table 1", "Ada", "Bo")
    mira.opens()
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.throws(3, 4, 5, then="Ada to throw")
    mira.throws(1, 1, 8, then="Bo to throw")

    screen.presses("#log a", "Void from event 2")
    screen.presses("#do-change")
    screen.sees("#sheet h2", "Change this entry")
    screen.presses('.change-keys label:has([name="instead.dice:2"][value="4"])')
    screen.sees("#sheet .change-comes", "Then the table goes on")
    screen.presses(".reasons button", "Wrong face")
    screen.sees("#sheet h2", "A supervisor answers")
    screen.fills("Name", "sela")
    screen.fills("Password", PASSWORD)
    screen.presses("#do-answer-approve")

    screen.misses("#sheet[open]")
    mira.sees("Bo to throw")
    assert house.events(mira.game)[-5:] == [
        "voided", "dice_thrown", "dice_thrown", "round_lost", "dice_thrown",
    ]  # fmt: skip
    due = [("Ada", "pot", 7, "SH4"), ("pot", "Ada", 7, "G4"), ("Ada", "pot", 4, "SH4")]
    screen.until(lambda: mira.transfers() == due, "it is not booked anew")


# --- Who is there --------------------------------------------------------------------------------

PIN = "4711"


@pytest.mark.long
def test_a_tablet_changes_hands_by_a_pin(mira: Attendant) -> None:
    screen = mira.screen
    mira.goes("/me/pin/")
    screen.fills("Your password", PASSWORD)
    screen.fills("PIN, 4 to 8 digits", PIN)
    screen.fills("Once more", PIN)
    screen.presses("button", "Set the PIN")
    screen.sees("*", "Your PIN is set.")
    screen.forgets()
    mira.signs_in("sela")
    mira.goes("/people/tablets/")
    screen.fills("What you call it", f"Tablet of {screen.name}")
    screen.presses("button", "Make it one")
    screen.sees("h1, h2", "Who takes over?")

    screen.presses("label", "Mira Solano")
    for digit in PIN:
        screen.presses(f'[data-digit="{digit}"]')
    screen.presses("button", "OK")

    screen.until(lambda: screen.address.endswith("/floor/"), "the PIN opens nothing")
    screen.presses("a.table-card", "Table 1")
    screen.sees("a", "Mira Solano")


@pytest.mark.long
def test_a_passkey_is_made_and_opens_the_house(mira: Attendant) -> None:
    """Where the browser has none, as WebKit for GTK, the page says so and the password remains."""
    screen = mira.screen
    plugged = screen.key_in_the_port()
    screen.forgets()
    mira.signs_in("ines")
    mira.goes("/me/second-factor/passkey/")
    if not plugged:
        screen.sees("[data-passkey-none]", "This browser has no passkeys")
        return
    screen.fills("What you call it", "Key on my ring")
    screen.presses("button", "Make a passkey")
    screen.sees("h1", "Recovery codes")
    screen.forgets()
    mira.signs_in("ines")
    screen.sees("h1", "Second factor")
    screen.presses("button", "Use a passkey")
    screen.sees("h1", "Today")
    mira.goes("/me/")
    screen.presses("button", "Take away")
    screen.sees("*", "is taken away")


# --- Paper and proof -----------------------------------------------------------------------------

PRINTED = "() => { window.printed = 0; window.print = () => { window.printed += 1; }; }"
FETCHED = """async (words) => {
  const said = ({ innerText }) => innerText.includes(words);
  const answer = await fetch([...document.querySelectorAll("a")].find(said).href);
  return answer.ok ? answer.text() : `${answer.status}`;
}"""


@pytest.mark.long
def test_a_slip_is_printed_and_verified_with_what_the_house_hands_out(
    mira: Attendant, tmp_path: Path
) -> None:
    """Paper comes from a driver that can print; in the other the button is seen to ask for it."""
    screen = mira.screen
    mira.sits_down("Table 1", "Ada", "Bo")
    screen.fills("Stake of each player", "5")
    mira.opens()
    game = mira.game
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.throws(2, 2, 4, then="Bo wins the pool")
    mira.goes(f"/floor/games/{game}/rounds/1/")
    screen.until(lambda: screen.shows(".receipts a") or screen.reloads(), "there is no receipt")
    screen.presses(".receipts a")
    screen.comes_to("/receipts/")
    screen.sees("a", "Download the proof")
    assert "Ada threw 2-2-7" in screen.sees(".receipt")

    screen.evaluate(PRINTED)
    screen.presses("[data-print]")

    screen.until(lambda: screen.evaluate("() => window.printed === 1"), "nothing is printed")
    paper = screen.on_paper()
    assert paper is None or paper.startswith(b"%PDF")
    proof, keys = tmp_path / "proof", tmp_path / "keys"
    proof.write_text(screen.awaits(FETCHED, "Download the proof"))
    known = (screen.text(".receipt-address") or "").split("/ledger/")[1].split("/")[0]
    mira.goes(f"/ledger/{known}/")
    keys.write_text(screen.awaits(FETCHED, "Keep these keys"))
    assert screen.awaits(FETCHED, "Download verify.py") == VERIFIER.read_text()
    assert told("receipt", proof, "--key", keys)[0] == 0
