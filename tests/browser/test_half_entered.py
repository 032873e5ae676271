"""A reload, the back button, a second tap: nothing tapped is lost, nothing is done twice."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.people import box_of, foresees
from tests.browser.test_redraws import TYPE_FAST, UNFOLD
from tests.browser.test_taps import FILLED, OFFLINE_BUNDLE, SEEN, Hand, opens

if TYPE_CHECKING:
    from playwright.sync_api import Request, ViewportSize

    from tests.browser.conftest import People
    from tests.browser.running import House

PORTRAIT: ViewportSize = {"width": 834, "height": 1112}
pytestmark = [pytest.mark.browser, pytest.mark.long("postgresql")]
NOTHING_KEPT = "() => !Object.keys(sessionStorage).some((key) => key.includes('opened'))"
KEPT_AFTER_SIGN_OUT = """async () => {
    await floor.store.forget();
    dispatchEvent(new Event("pagehide"));
    return Object.keys(sessionStorage).filter((key) => key.startsWith("half-"));
}"""


@pytest.mark.long
def test_half_entered_dice_outlive_a_reload_and_the_way_back(people: People, house: House) -> None:
    mira = people.arrives("mira")
    game = mira.opens("Table 1", "Ada", "Bo")
    mira.taps(2, 2)

    mira.page.reload()
    expect(mira.page.locator(FILLED)).to_have_count(2)
    mira.page.goto("/")
    mira.page.go_back()
    expect(mira.page.locator(FILLED)).to_have_count(2)
    mira.taps(7)

    mira.sees("Bo to throw")
    assert house.events(game).count("dice_thrown") == 1
    mira.page.reload()
    mira.sees("Bo to throw")
    expect(mira.page.locator(FILLED)).to_have_count(0)
    assert not mira.wrong


@pytest.mark.long
def test_half_entered_dice_are_dropped_aloud_if_the_game_moved_on(
    people: People, house: House
) -> None:
    mira = people.arrives("mira")
    game = mira.opens("Table 1", "Ada", "Bo")
    mira.taps(2, 2)
    mira.page.goto("/")

    house.put("tomas", game, "throw", player="Ada", dice=[3, 3, 4])
    mira.page.go_back()

    mira.sees("Bo to throw")
    expect(mira.page.locator("#say")).to_contain_text("Your half-entered dice were dropped")
    expect(mira.page.locator(FILLED)).to_have_count(0)


@pytest.mark.long
def test_a_half_filled_opening_outlives_a_reload_and_the_way_back(people: People) -> None:
    mira = people.arrives("mira")
    page = mira.page
    mira.goes_to("Table 1")
    names = page.get_by_label(re.compile("Name at seat"))
    for seat, who in enumerate(["Ada", "Bo", "Cleo", "Dov"]):
        if seat == names.count():
            mira.presses(page.get_by_role("button", name="One more seat"))
        names.nth(seat).fill(who)
    page.get_by_label("Stake of each player").fill("7")
    page.locator(".fold summary").click()
    choice = page.locator(".fold select").first
    other = choice.locator("option:not([selected])").first.get_attribute("value")
    choice.select_option(other)

    page.reload()
    page.goto("/")
    page.go_back()

    expect(names).to_have_count(4)
    assert [each.input_value() for each in names.all()] == ["Ada", "Bo", "Cleo", "Dov"]
    expect(page.get_by_label("Stake of each player")).to_have_value("7")
    expect(choice).to_have_value(other or "")
    mira.presses(page.get_by_role("button", name="Open the game"))
    mira.sees("Ada to throw")
    page.wait_for_function(NOTHING_KEPT)  # its scripts come after its words
    assert not mira.wrong


@pytest.mark.long
def test_an_opening_that_was_sent_without_a_line_is_still_there(people: People) -> None:
    mira = people.arrives("mira")
    page = mira.page
    mira.goes_to("Table 1")
    mira.seats("Ada", "Bo")
    form = page.url
    page.context.set_offline(True)
    page.get_by_role("button", name="Open the game").click()
    page.wait_for_url("chrome-error://**")

    page.context.set_offline(False)
    page.goto(form)

    names = page.get_by_label(re.compile("Name at seat"))
    assert [each.input_value() for each in names.all()][:2] == ["Ada", "Bo"]
    mira.presses(page.get_by_role("button", name="Open the game"))
    mira.sees("Ada to throw")
    page.wait_for_function(NOTHING_KEPT)  # its scripts come after its words


@pytest.mark.parametrize("game", [pytest.param("River", marks=pytest.mark.long), "Threes Away"])
def test_a_second_tap_does_nothing_to_what_comes_in_its_place(people: People, game: str) -> None:
    """A finger that taps twice: the next lot is not withdrawn, the next player has no die."""
    mira = people.arrives("mira", has_touch=True, viewport=PORTRAIT)
    page = mira.page
    opens(mira, game)
    foresees(page)
    if game == "River":
        mira.throws(2, 5, 8, 9, 3, then="Who bids for the d4?")
        mira.presses(page.locator("#bid-1"))
        button, after = page.locator("#do-sell"), "Who bids for the d6?"
    else:
        mira.throws(3, 3, 1, 5, 6, then="Ada keeps one or more")
        button, after = page.locator("#keep-all"), "Bo to throw"
    box = box_of(button)
    place = box["x"] + box["width"] / 4, box["y"] + box["height"] / 2

    page.touchscreen.tap(*place)
    expect(mira.next_action).to_have_text(after)
    page.touchscreen.tap(*place)

    expect(page.locator("#say")).to_contain_text("The first tap was taken")
    mira.sees(after)
    expect(page.locator(FILLED)).to_have_count(0)
    page.wait_for_timeout(SEEN)
    page.touchscreen.tap(*place)  # who has seen what lies there means it
    if game == "River":
        mira.sees("Who bids for the d8?")
    else:
        hand = Hand(mira)
        hand.taps(*hand.throw(2)[1:])
        hand.said("Some taps were not taken. Is this the throw?")  # it may have been a die
        assert hand.sent == []
    assert not mira.wrong


@pytest.mark.long
def test_a_tap_elsewhere_and_one_where_something_was_sent_are_both_taken(people: People) -> None:
    """A die of the next player lies under the button: whoever has gone on means it."""
    mira = people.arrives("mira", has_touch=True, viewport=PORTRAIT)
    page = mira.page
    hand = Hand(mira)
    opens(mira, "Threes Away")
    foresees(page)
    mira.throws(3, 3, 1, 5, 6, then="Ada keeps one or more")
    box = box_of(page.locator("#keep-all"))
    place = box["x"] + box["width"] / 4, box["y"] + box["height"] / 2

    page.touchscreen.tap(*place)
    expect(mira.next_action).to_have_text("Bo to throw")
    hand.taps(6)
    page.touchscreen.tap(*place)

    expect(page.locator(FILLED)).to_have_count(2)
    expect(page.locator("#say")).to_be_empty()


def test_a_second_tap_on_a_form_sends_nothing(people: People) -> None:
    page = people.arrives("orso").page
    page.goto("/settings/")
    sent: list[Request] = []
    page.on("request", lambda each: sent.append(each) if each.method == "POST" else None)

    page.get_by_role("button", name="Save").dblclick()

    expect(page.get_by_text("Nothing differs, nothing was changed.")).to_be_visible()
    assert len(sent) == 1


TWICE = """async () => {
    for (const tap of [1, 2]) {
        const undo = document.querySelector("#do-undo");
        undo.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
        undo.click();
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
}"""  # in the page, so that a busy machine does not part them


@pytest.mark.parametrize("way", ["taps", "keys"])
def test_a_double_tap_on_undo_takes_back_one_throw(people: People, house: House, way: str) -> None:
    mira = people.arrives("mira")
    opens(mira, "Stone Hand")
    foresees(mira.page)
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.throws(3, 3, 4, then="Cyd to throw")

    if way == "keys":
        mira.page.evaluate(TYPE_FAST, "uu")
    else:
        mira.page.evaluate(TWICE)

    mira.sees("Bo to throw")
    expect(mira.said).to_contain_text("One was taken back.")
    mira.page.wait_for_timeout(SEEN)
    mira.presses(mira.page.get_by_role("button", name="Undo"))
    mira.sees("Ada to throw")
    assert house.events(mira.game).count("voided") == 2


@pytest.mark.long
def test_a_second_undo_waits_until_the_first_is_seen(people: People, house: House) -> None:
    """Where the house is slow, too; and what is refused, or takes back a die, was no undo."""
    mira = people.arrives("mira")
    page, undo = mira.page, mira.page.locator("#do-undo")
    page.route(OFFLINE_BUNDLE, lambda route: route.abort())
    opens(mira, "Stone Hand")
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.throws(3, 3, 4, then="Cyd to throw")
    hand = Hand(mira)

    page.evaluate("() => { floor.play().dataset.lease = 'other'; }")
    undo.dblclick()
    hand.said("Another device records this table")
    page.evaluate("() => { floor.play().dataset.lease = 'mine'; }")
    hand.holds = True
    undo.click()
    page.wait_for_timeout(SEEN)
    undo.click()
    hand.said("still being sent")
    hand.lets_through()
    mira.sees("Bo to throw")
    undo.click()

    hand.said("One was taken back.")
    hand.taps(3)
    undo.click()
    expect(page.locator(FILLED)).to_have_count(0)
    page.wait_for_timeout(SEEN)
    assert house.events(mira.game).count("voided") == 1


@pytest.mark.long
def test_a_doubt_and_words_outlive_a_reload_and_a_sign_out_leaves_nothing(
    people: People, house: House
) -> None:
    mira = people.arrives("mira")
    page = mira.page
    opens(mira, "Stone Hand")
    hand = Hand(mira)
    hand.taps(2, 2)
    page.evaluate("() => window.taps.doubt()")
    page.reload()
    expect(page.locator(FILLED)).to_have_count(2)
    hand.taps(7)
    hand.said("Some taps were not taken. Is this the throw?")
    page.locator("#say [data-enter]").click()
    mira.sees("Bo to throw")

    game = mira.game
    assert page.evaluate(UNFOLD, "pause-note")
    page.locator("#pause-note").fill("table 27")
    page.goto("/")
    house.put("tomas", game, "throw", player="Bo", dice=[3, 3, 4])
    page.go_back()
    mira.sees("Cyd to throw")
    expect(page.locator("#pause-note")).to_have_value("table 27")
    expect(page.locator("#say")).to_be_empty()  # there were no dice to be dropped

    hand.taps(2)
    page.evaluate("() => sessionStorage.setItem('half-opened./floor/', '{}')")
    assert page.evaluate(KEPT_AFTER_SIGN_OUT) == []
