"""
Each row of docs/mistakes.md, played at a tablet: the taps that mend it, who answers, and what the
ledger has afterwards.
"""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

import casino
from tests.browser.hand import Hand
from tests.browser.test_seats import drag
from tests.browser.test_supervisor import sheet, tablet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page, Route

    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

__all__ = ["tablet"]
pytestmark = pytest.mark.browser
CHANGE: Final = "**/change/?*"
PAGE: Final = Path(casino.__file__).parent.parent / "docs" / "mistakes.md"


# --- A throw ------------------------------------------------------------------------------------


def last_throw(hand: Hand) -> None:
    hand.opens("Stone Hand", "Ada", "Bo")
    hand.person.throws(2, 2, 7, then="Bo to throw")
    hand.notices()
    hand.button("Undo")
    hand.person.sees("Ada to throw")
    hand.faces(2, 2, 1)
    hand.person.sees("Bo to throw")
    assert hand.events()[-3:] == ["dice_thrown", "voided", "dice_thrown"]


def throw_that_ended_a_round(hand: Hand) -> None:
    hand.opens("Stone Hand", "Ada", "Bo")
    hand.person.throws(2, 2, 7, then="Bo to throw")
    hand.person.throws(2, 2, 4, then="Ada to throw")
    hand.notices()
    hand.button("Undo")
    hand.person.sees("Bo to throw")
    hand.faces(2, 2, 8)
    expect(hand.person.event("Bo loses round 1")).to_be_visible()
    assert hand.events().count("voided") == 1


def earlier_face(hand: Hand) -> None:
    hand.opens("Stone Hand", "Ada", "Bo")
    hand.person.throws(2, 2, 7, then="Bo to throw")
    hand.person.throws(2, 2, 4, then="Ada to throw")
    hand.notices()
    hand.changes("Ada pair 7")
    hand.key("instead.dice:2", 1)
    hand.because("Wrong face")
    hand.supervisor()
    expect(hand.person.event("Bo loses round 1")).to_be_visible()
    assert hand.events()[-5:] == [
        "void_requested", "voided", "dice_thrown", "dice_thrown", "round_lost",
    ]  # fmt: skip


def left_out(hand: Hand) -> None:
    hand.opens("Cinnabar Gate", "Ada", "Bo")
    hand.put("buy_in", player="Bo", amount=5)
    expect(hand.person.event("Bo brings")).to_be_visible()
    hand.notices()
    hand.entry("Bo brings")
    hand.tap(hand.page.locator("#do-left-out"))
    hand.tap(hand.page.locator("#sheet a", has_text="Somebody brings more money"))
    hand.tap(hand.page.locator('.change-keys label:has([value="Ada"])'))
    hand.page.locator('.change [name="instead.amount"]').fill("7")
    hand.page.locator('.change [name="instead.amount"]').press("Tab")
    hand.taps += 1
    expect(hand.page.locator("#sheet .change-comes")).to_contain_text("Ada brings")
    hand.because("Something left out")
    hand.supervisor()
    assert hand.events()[-3:] == ["voided", "bought_in", "bought_in"]


def wrong_keep(hand: Hand) -> None:
    hand.opens("Threes Away", "Ada", "Bo")
    hand.put("throw", player="Ada", dice=[3, 3, 1, 5, 6], keep=[3])
    expect(hand.person.event("Ada keeps")).to_be_visible()
    hand.notices()
    hand.changes("Ada keeps")
    hand.chooses("instead.keep", "3", nth=1)
    expect(hand.page.locator("#sheet .change-comes")).to_contain_text("Then the table goes on")
    hand.because("Something left out")
    hand.person.sees("Ada throws the other 3")
    assert "voided" in hand.events()


def forgotten_hit(hand: Hand) -> None:
    hand.opens("Dice Breaker", "Ada", "Bo")
    hand.put("break_start", player="Ada", value=2)
    hand.put("break_start", player="Bo", value=5)
    hand.put("throw", player="Ada", die="Ada1", value=4)
    hand.put("throw", player="Ada", die="Ada2", value=6)
    expect(hand.page.locator("#log li")).to_have_count(6)
    hand.notices()
    hand.tap(hand.page.locator("#log .goes-back").first)
    hand.tap(hand.page.locator("#do-change"))
    sheet(hand.page, "Change this entry")
    hand.chooses("instead.breaks.die", "Ada1")
    expect(hand.page.locator("#sheet .change-comes")).to_contain_text("not said yet")
    hand.chooses("instead.breaks.value", "2")
    expect(hand.page.locator("#sheet .change-comes")).to_contain_text("Then the table goes on")
    hand.because("Something left out")
    expect(hand.person.event("Changed, from")).to_be_visible()
    assert hand.events()[-2:] == ["voided", "die_thrown"]


def counted_though_cocked(hand: Hand) -> None:
    hand.opens("Stone Hand", "Ada", "Bo")
    hand.person.throws(2, 2, 7, then="Bo to throw")
    hand.notices()
    hand.button("Undo")
    hand.person.sees("Ada to throw")
    hand.tap(hand.page.locator("#do-no-throw, [data-way=no-throw]").first)
    hand.tap(hand.page.get_by_role("button", name="Cocked die").first)
    expect(hand.person.event("cocked die")).to_be_visible()
    assert hand.events()[-1] == "no_throw_recorded"


# --- Money --------------------------------------------------------------------------------------


def wrong_buy_in(hand: Hand) -> None:
    hand.opens("Cinnabar Gate", "Ada", "Bo")
    hand.put("buy_in", player="Ada", amount=50)
    expect(hand.person.event("Ada brings")).to_be_visible()
    hand.notices()
    hand.changes("Ada brings")
    hand.page.locator('.change [name="instead.amount"]').fill("5")
    hand.page.locator('.change [name="instead.amount"]').press("Tab")
    hand.taps += 2  # into the field, a figure
    expect(hand.page.locator("#sheet .change-comes")).to_contain_text("Then the table goes on")
    hand.because("Wrong amount")
    hand.supervisor()
    assert hand.events()[-2:] == ["voided", "bought_in"]


def buy_in_of_somebody_else(hand: Hand) -> None:
    hand.opens("Cinnabar Gate", "Ada", "Bo")
    hand.put("buy_in", player="Ada", amount=50)
    expect(hand.person.event("Ada brings")).to_be_visible()
    hand.notices()
    hand.changes("Ada brings")
    hand.key("instead.player", "Bo")
    hand.because("Wrong player")
    hand.supervisor()
    expect(hand.person.event("Bo brings")).to_be_visible()
    assert hand.events()[-2:] == ["voided", "bought_in"]


# --- The table ----------------------------------------------------------------------------------


def opened_wrongly(hand: Hand) -> None:
    hand.opens("Stone Hand", "Ada", "Bo")
    hand.notices()
    hand.more("Opened wrongly")
    hand.page.wait_for_url("**/floor/tables/**")
    hand.tap(hand.page.get_by_text("The scoreboard"))
    hand.button("Open the game")
    hand.page.wait_for_url("**/floor/games/*/")
    hand.person.sees("Ada to throw")


def seats_swapped(hand: Hand) -> None:
    hand.opens("Stone Hand", "Ada", "Bo")
    hand.notices()
    hand.more("Opened wrongly")
    hand.page.wait_for_url("**/floor/tables/**")
    drag(hand.person, 2, 1)
    hand.taps += 1
    hand.button("Open the game")
    hand.page.wait_for_url("**/floor/games/*/")
    hand.person.sees("Bo to throw")


def leaves_in_mid_round(hand: Hand) -> None:
    hand.opens("Stone Hand", "Ada", "Bo", "Cyd")
    hand.person.throws(2, 2, 7, then="Bo to throw")
    hand.notices()
    hand.more("Somebody leaves in mid-round")
    sheet(hand.page, "Somebody leaves before this round")
    hand.key("instead.player", "Cyd")
    hand.because("Something left out")
    hand.person.sees("Bo to throw")
    expect(hand.person.event("Cyd leaves")).to_be_visible()
    assert hand.events()[-3:] == ["voided", "player_left", "dice_thrown"]


def comes_back(hand: Hand) -> None:
    hand.opens("Cinnabar Gate", "Ada", "Bo", "Cyd")
    hand.put("leave", player="Cyd")
    expect(hand.person.event("Cyd leaves")).to_be_visible()
    hand.notices()
    hand.more("Somebody joins")
    hand.tap(hand.page.get_by_role("button", name="Cyd").first)
    hand.button("Yes, seat them")
    expect(hand.person.event("Cyd sits down")).to_be_visible()
    assert hand.events()[-1] == "player_joined"


def closed_by_mistake(hand: Hand) -> None:
    hand.opens("Stone Hand", "Ada", "Bo")
    hand.person.throws(2, 2, 7, then="Bo to throw")
    hand.put("close")
    hand.person.sees("The game is closed")
    hand.notices()
    hand.entry("The game is closed")
    hand.because("Entered wrongly")
    hand.supervisor("Approve the void")
    hand.person.sees("Bo to throw")
    assert hand.events()[-1] == "voided"


def a_break_by_mistake(hand: Hand) -> None:
    hand.opens("Stone Hand", "Ada", "Bo")
    hand.put("pause")
    hand.person.sees("The table is paused")
    hand.notices()
    hand.button("Play goes on")
    hand.person.sees("Ada to throw")
    assert hand.events()[-1] == "resumed"


def wrong_dice(hand: Hand) -> None:
    hand.opens("Stone Hand", "Ada", "Bo")
    hand.notices()
    hand.more("Other dice")
    sheet(hand.page, "Other dice")
    hand.tap(hand.page.locator("#sheet .sheet-person").first)
    hand.button("Chipped")
    expect(hand.person.event("Other dice")).to_be_visible()
    assert hand.events()[-1] == "dice_changed"


# --- Answers ------------------------------------------------------------------------------------


def asked_by_mistake(hand: Hand) -> None:
    hand.opens("Stone Hand", "Ada", "Bo")
    hand.person.throws(2, 2, 7, then="Bo to throw")
    hand.person.throws(2, 2, 4, then="Ada to throw")
    hand.put("void", back_to=2, reason="Misread.")
    hand.notices()
    hand.button("Take it back")
    expect(hand.page.locator(".asks")).to_have_count(0)
    assert hand.events()[-1] == "void_rejected"


def approved_by_mistake(hand: Hand) -> None:
    hand.opens("Stone Hand", "Ada", "Bo")
    hand.person.throws(2, 2, 7, then="Bo to throw")
    hand.put("void", back_to=2, reason="Misread.")
    hand.person.sees("Ada to throw")
    hand.notices()
    hand.faces(2, 2, 7)
    hand.person.sees("Bo to throw")
    assert hand.events()[-2:] == ["voided", "dice_thrown"]


def tapped_twice(hand: Hand) -> None:
    hand.opens("Stone Hand", "Ada", "Bo")
    hand.notices()
    hand.page.locator("#do-more").dblclick()
    hand.person.throws(2, 2, 7, then="Bo to throw")
    assert hand.events() == ["game_opened", "dice_thrown"]


ROWS: Final[dict[str, Callable[[Hand], None]]] = {
    "M1": last_throw,
    "M2": throw_that_ended_a_round,
    "M3": earlier_face,
    "M4": left_out,
    "M5": wrong_keep,
    "M6": forgotten_hit,
    "M7": counted_though_cocked,
    "M8": wrong_buy_in,
    "M9": buy_in_of_somebody_else,
    "M10": opened_wrongly,
    "M11": seats_swapped,
    "M12": leaves_in_mid_round,
    "M13": comes_back,
    "M14": closed_by_mistake,
    "M15": a_break_by_mistake,
    "M16": wrong_dice,
    "M17": asked_by_mistake,
    "M18": approved_by_mistake,
    "M19": tapped_twice,
}


def table() -> dict[str, list[str]]:
    """The rows of the page, by their number."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| M")]
    cells = [[cell.strip() for cell in row] for row in rows]
    return {row[0]: row[1:] for row in cells}


@pytest.mark.long
@pytest.mark.parametrize("row", ROWS)
def test_a_mistake_is_mended_with_so_many_taps(tablet: Person, house: House, row: str) -> None:
    hand = Hand(tablet, house)

    ROWS[row](hand)

    print(row, hand.taps, round(hand.seconds()))  # noqa: T201 - seen with -s
    assert not [each for each in tablet.wrong if "422" not in each]
    assert table()[row][2] == str(hand.taps)


@pytest.mark.long("postgresql")
def test_what_is_entered_while_the_house_answers_stays_and_nothing_goes_unseen(
    people: People, house: House
) -> None:
    hand = Hand(people.arrives("mira"), house)
    page = hand.page
    hand.opens("Cinnabar Gate", "Ada", "Bo")
    hand.put("buy_in", player="Bo", amount=5)
    hand.changes("Bo brings")
    amount, comes = page.locator('.change [name="instead.amount"]'), page.locator(".change-comes")

    def player(name: str) -> None:
        with page.expect_request(CHANGE):
            hand.tap(page.locator(f'.change-keys label:has([value="{name}"])'))

    with held(page):
        player("Ada")
        amount.fill("7")
        amount.press("Tab")
    expect(comes).to_contain_text("Ada brings 7")
    expect(amount).to_have_value("7")
    with held(page):
        player("Bo")
        amount.fill("8")  # the cursor stays in it
    expect(comes).to_contain_text("Bo brings 8")
    expect(amount).to_be_focused()

    # A button that is tapped right after a figure stands below what came of the figure before.
    with held(page):
        amount.fill("9")
        with page.expect_request(CHANGE):
            hand.because("Wrong amount")
    expect(comes).to_contain_text("Bo brings 9")
    # Where what comes of it could not be shown, the button asks for it, and sends nothing either.
    page.route(CHANGE, lambda route: route.abort())
    amount.fill("10")
    amount.press("Tab")
    expect(page.locator("#sheet [role=alert]")).to_be_visible()
    page.unroute_all()
    hand.because("Wrong amount")
    expect(comes).to_contain_text("Bo brings 10")
    assert "void_requested" not in hand.events()
    hand.because("Wrong amount")
    expect(page.get_by_role("heading", name="A supervisor answers")).to_be_visible()
    expect(page.locator("#sheet")).to_contain_text("Bo brings 10")
    assert [each for each in hand.person.wrong if "ERR_FAILED" not in each] == []


@contextmanager
def held(page: Page) -> Iterator[None]:
    """A slow line: what a sheet asks of a change is answered in the end."""
    asked: list[Route] = []
    slow = True

    def answers(route: Route) -> None:
        asked.append(route) if slow else route.continue_()

    page.route(CHANGE, answers)
    yield
    slow = False
    for each in asked:
        each.continue_()


def test_the_page_has_every_row_and_no_empty_cell() -> None:
    rows = table()

    assert set(rows) == set(ROWS)
    assert all(len(cells) == 6 and all(cells) for cells in rows.values())
