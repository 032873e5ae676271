"""What a page cannot have recorded is said in a sentence, and the page stays usable."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Route

    from tests.browser.conftest import People
    from tests.browser.running import House

pytestmark = pytest.mark.browser


@pytest.mark.long
def test_half_entered_dice_are_dropped_aloud_when_another_device_records(
    people: People, house: House
) -> None:
    mira = people.arrives("mira")
    game = mira.opens("Table 1", "Ada", "Bo")
    mira.taps(2, 2)

    house.put("tomas", game, "throw", player="Ada", dice=[3, 3, 4])

    mira.sees("Bo to throw")
    expect(mira.page.locator("#say")).to_contain_text("Something was recorded from another device")
    mira.page.wait_for_timeout(700)  # until somebody can have seen that their dice were taken off
    mira.taps(5, 5, 2)
    mira.presses(mira.page.locator("#say [data-enter]"))  # whoever has gone on blindly looks
    mira.sees("Ada to throw")
    assert not mira.wrong


@pytest.mark.long
def test_a_throw_on_a_stale_board_is_refused_and_the_board_catches_up(
    people: People, house: House
) -> None:
    mira = people.arrives("mira")
    game = mira.opens("Table 1", "Ada", "Bo")
    mira.sees("Ada to throw")
    mira.hears_no_news()
    house.put("tomas", game, "throw", player="Ada", dice=[3, 3, 4])

    mira.taps(2, 2, 7)

    expect(mira.said).to_have_text("Not recorded Bo throws, not Ada. SH2")
    mira.sees("Bo to throw")
    mira.throws(5, 5, 2, then="Ada to throw")
    assert house.events(game).count("dice_thrown") == 2


@pytest.mark.long
def test_while_an_answer_is_waited_for_no_tap_is_met_with_silence(
    people: People, house: House
) -> None:
    """Not even on a board that news has drawn anew meanwhile."""
    mira = people.arrives("mira")
    page = mira.page
    page.route(re.compile(r"/offline/\?after"), lambda route: route.abort())  # nothing is foreseen
    held: list[Route] = []
    page.route("**/entries/", lambda route: held.extend([route]))
    game = mira.opens("Table 1", "Ada", "Bo")
    mira.taps(2, 2, 7)
    until(page, "document.querySelector('.play').dataset.state === 'sending'")

    house.put("tomas", game, "no_throw", player="Ada", reason="cocked")

    expect(mira.event("No throw by Ada: cocked die")).to_be_visible()
    expect(page.locator('.play[data-state="sending"]')).to_have_count(1)
    expect(page.locator("#say")).to_contain_text("Sending")
    page.evaluate("floor.say('')")
    page.get_by_text("More", exact=True).click()
    page.locator("#do-break").click()
    expect(page.locator("#say")).to_contain_text("Sending")

    page.unroute("**/entries/")
    held[0].continue_()
    mira.sees("Bo to throw")
    assert house.events(game).count("dice_thrown") == 1


@pytest.mark.long
def test_what_was_refused_stays_an_alert_when_the_board_is_drawn_anew(
    people: People,
) -> None:
    mira = people.arrives("mira")
    mira.opens("Table 1", "Ada", "Bo")
    mira.sees_booked()
    mira.page.locator('#throw [name="player"]').evaluate("field => { field.value = 'Zed'; }")
    mira.taps(2, 2, 7)
    expect(mira.said).to_contain_text("Zed")

    mira.page.locator("#main").evaluate("main => { main.dataset.before = 'yes'; }")
    mira.page.evaluate("floor.askAnew()")

    expect(mira.page.locator("#main[data-before]")).to_have_count(0)
    expect(mira.said).to_contain_text("Zed")
    assert not mira.wrong


@pytest.mark.long
def test_a_seat_that_is_not_at_the_table_is_refused(people: People, house: House) -> None:
    mira = people.arrives("mira")
    game = mira.opens("Table 1", "Ada", "Bo")
    mira.sees_booked()  # the board is drawn anew until then, and its fields with it
    mira.page.locator('#throw [name="player"]').evaluate("field => { field.value = 'Zed'; }")

    mira.taps(2, 2, 7)

    expect(mira.said).to_contain_text("Zed")
    mira.throws(2, 2, 7, then="Bo to throw")
    assert house.events(game).count("dice_thrown") == 1


@pytest.mark.long
def test_an_opening_that_arrives_twice_opens_one_game(people: People, house: House) -> None:
    mira = people.arrives("mira")
    mira.goes_to("Table 1")
    mira.seats("Ada", "Bo")
    answers: list[int] = []

    def send_twice(route: Route) -> None:
        if route.request.method == "POST":
            answers.append(route.fetch(max_redirects=0).status)
        route.continue_()

    mira.page.route("**/floor/tables/*/", send_twice)
    mira.page.get_by_role("button", name="Open the game").dblclick()
    mira.page.wait_for_url("**/floor/games/*/")

    mira.sees("Ada to throw")
    assert answers == [302]
    assert house.events(mira.game) == ["game_opened"]
    assert house.transfers(mira.game) == [
        ("float", "Ada", 25, "buy_in"),
        ("float", "Bo", 25, "buy_in"),
    ]


@pytest.mark.long
def test_a_table_taken_meanwhile_is_said(people: People) -> None:
    mira, tomas = people.arrives("mira"), people.arrives("tomas")
    mira.goes_to("Table 1")
    mira.seats("Ada", "Bo")
    tomas.opens("Table 1", "Cyd", "Dara")

    mira.page.get_by_role("button", name="Open the game").click()

    expect(mira.said).to_have_text(
        "Not opened A game is open at this table already: close it first."
    )
    expect(mira.page.get_by_label("Name at seat 2")).to_have_value("Bo")
    mira.goes_to("Table 1")
    mira.sees("Cyd to throw")


# fmt: off
OPENINGS = [
    # names            stake   what is said
    (("Ada",),         "12",   "two or more play"),
    (("Ada", "Bo"),    "0",    "one coin or more. SH1"),
    (("Ada", "Bo"),    "",     "one coin or more. SH1"),
    (("Ada", "Ada"),   "12",   "sits down twice"),
    (("Ada", "pot"),   "12",   "the name of an account"),
]
# fmt: on


@pytest.mark.long
def test_an_opening_that_the_rules_refuse_keeps_what_was_entered(people: People) -> None:
    mira = people.arrives("mira")
    mira.goes_to("Table 1")
    for names, stake, says in OPENINGS:
        mira.seats(*(*names, "", "")[:2])
        mira.page.get_by_label("Stake of each player").fill(stake)

        mira.page.get_by_role("button", name="Open the game").click()

        expect(mira.said).to_contain_text(
            re.compile(f"^\\s*Not opened.*{re.escape(says)}", re.DOTALL)
        )
        for number, name in enumerate(names, start=1):
            expect(mira.page.get_by_label(f"Name at seat {number}")).to_have_value(name)
    mira.seats("Ada", "Bo")
    mira.page.get_by_label("Stake of each player").fill("12")
    mira.page.get_by_role("button", name="Open the game").click()
    mira.sees("Ada to throw")
    assert not mira.wrong


@pytest.mark.long
def test_everybody_s_own_home_throw_and_a_fee_are_chosen_in_the_form(
    people: People, house: House
) -> None:
    mira = people.arrives("mira")
    page = mira.page
    mira.goes_to("Table 1")
    mira.seats("Ada", "Bo")
    page.get_by_text("Each player's own").click()
    page.get_by_label("Home throw of seat 1").fill("1-3-6")
    page.get_by_label("Home throw of seat 2").fill("2 5 7")
    page.get_by_text("House options").click()
    page.get_by_label("The house's fee").select_option("for each seat and round")
    page.get_by_label("from each player").fill("2")
    page.get_by_label("A triad pays", exact=False).first.select_option("so many points")
    page.get_by_label("A triad pays this amount").fill("9")
    page.get_by_role("button", name="Open the game").click()

    expect(page.locator(".head-home .dice")).to_have_count(2)
    expect(page.locator(".head-fee")).to_contain_text("2 r a round")
    mira.throws(7, 5, 2, then="Bo to throw")
    mira.throws(1, 4, 7, then="Bo to throw")
    mira.sees_booked()
    assert [each for each in house.transfers(mira.game) if each[3] != "buy_in"] == [
        ("Ada", "fees", 2, "G6"),
        ("Bo", "fees", 2, "G6"),
        ("Bo", "pot", 9, "SH6"),
    ]
    assert not mira.wrong
