"""People are seated: picked by two letters, moved by finger, mouse and keys, taken again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.people import box_of
from tests.browser.test_looks import SMALLEST, look

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator

    from tests.browser.conftest import People
    from tests.browser.people import Person

pytestmark = pytest.mark.browser


def names(person: Person) -> list[str]:
    fields = person.page.locator('input[name="player"]')
    return [fields.nth(place).input_value() for place in range(fields.count())]


def told(person: Person, sentence: str) -> None:
    expect(person.page.locator("[data-seats-said]")).to_have_text(sentence)


def played(person: Person, *people: str, table: str = "Table 1") -> None:
    """A game that these people have played, and that is over."""
    person.opens(table, *people, stake=7)
    person.house.put("sela", person.game, "close")


def rests(thing: Locator) -> FloatRect:
    """Where it is once names are looked up: what is said of them moves the rows."""
    box = box_of(thing)
    while True:
        thing.page.wait_for_timeout(300)
        before, box = box, box_of(thing)
        if before == box:
            return box


def drag(person: Person, seat: int, onto: int) -> None:
    """By the mouse, in steps as a hand makes them."""
    mouse, grips = person.page.mouse, person.page.locator("[data-seat-grip]")
    start, end = rests(grips.nth(seat - 1)), rests(grips.nth(onto - 1))
    mouse.move(start["x"] + 20, start["y"] + 20)
    mouse.down()
    below = 14 if onto > seat else -14
    mouse.move(end["x"] + 20, end["y"] + 20 + below, steps=12)
    mouse.up()


@pytest.mark.long
def test_two_letters_and_a_tap_seat_a_regular(people: People) -> None:
    mira = people.arrives("mira")
    played(mira, "Ottilie", "Otto", "Bo")
    mira.goes_to("Table 2")
    first = mira.page.get_by_label("Name at seat 1")
    first.press_sequentially("ot")

    offered = mira.page.get_by_role("listbox", name="Known players").get_by_role("option")
    expect(offered).to_have_text(["Ottilie", "Otto"])
    found = look(mira, "picker", SMALLEST)
    offered.nth(1).click()

    expect(first).to_have_value("Otto")
    expect(mira.page.get_by_label("Name at seat 2")).to_be_focused()
    mira.page.keyboard.type("Ot")
    expect(offered).to_have_text(["Ottilie"])  # Otto has a seat
    mira.page.keyboard.press("ArrowDown")
    mira.page.keyboard.press("Enter")
    assert names(mira)[:2] == ["Otto", "Ottilie"]
    mira.page.keyboard.type("Zed")
    mira.page.keyboard.press("Escape")
    mira.page.get_by_role("button", name="Open the game").click()
    mira.sees("Otto to throw")
    assert not found
    assert not mira.wrong


@pytest.mark.long
def test_who_sat_here_lately_is_seated_by_one_tap_each(people: People) -> None:
    mira = people.arrives("mira")
    played(mira, "Ada", "Bo", "Cyd")
    mira.goes_to("Table 1")

    lately = mira.page.get_by_role("group", name="Sat here lately")
    lately.get_by_role("button", name="Cyd", exact=True).click()
    lately.get_by_role("button", name="Ada", exact=True).click()

    assert names(mira) == ["Cyd", "Ada", ""]
    told(mira, "Ada: seat 2 of 3")
    expect(lately.get_by_role("button", name="Cyd", exact=True)).to_be_hidden()


@pytest.mark.long
def test_the_last_game_s_seats_are_taken_again_by_one_tap(people: People) -> None:
    mira = people.arrives("mira")
    played(mira, "Cyd", "Ada", "Bo")
    mira.goes_to("Table 1")
    mira.page.get_by_role("button", name="The same seats again").click()

    expect(mira.page.get_by_label("Name at seat 3")).to_have_value("Bo")
    assert names(mira) == ["Cyd", "Ada", "Bo"]
    expect(mira.page.get_by_label("Stake of each player")).to_have_value("7")
    mira.page.get_by_role("button", name="Open the game").click()
    mira.sees("Cyd to throw")
    assert not mira.wrong


# fmt: off
DRAGS = [
    # seat, onto, and the order of play that follows
    (1, 3, ["Bo", "Cyd", "Ada", "Dara"]),
    (4, 1, ["Dara", "Ada", "Bo", "Cyd"]),
    (2, 3, ["Ada", "Cyd", "Bo", "Dara"]),
    (2, 2, ["Ada", "Bo", "Cyd", "Dara"]),
]
# fmt: on


@pytest.mark.long
def test_seats_are_dragged_into_the_order_of_play(people: People) -> None:
    mira = people.arrives("mira")
    for seat, onto, order in DRAGS:
        mira.goes_to("Table 1")
        mira.seats("Ada", "Bo", "Cyd", "Dara")
        drag(mira, seat, onto)
        assert names(mira) == order
    mira.goes_to("Table 1")
    mira.seats("Ada", "Bo", "Cyd", "Dara")
    drag(mira, 4, 1)
    told(mira, "Dara: seat 1 of 4")
    mira.page.get_by_role("button", name="Open the game").click()

    mira.sees("Dara to throw")
    assert not mira.wrong


@pytest.mark.long
def test_a_drag_to_the_edge_moves_the_page_along(people: People) -> None:
    mira = people.arrives("mira", viewport={"width": 800, "height": 620})
    mira.goes_to("Table 1")
    mira.seats(*(f"Player {number}" for number in range(1, 13)))
    grip = mira.page.locator("[data-seat-grip]").first
    grip.scroll_into_view_if_needed()
    box = box_of(grip)
    mira.page.mouse.move(box["x"] + 20, box["y"] + 20)
    mira.page.mouse.down()
    mira.page.mouse.move(box["x"] + 20, 600, steps=8)
    expect(mira.page.get_by_label("Name at seat 12")).to_have_value("Player 1")
    mira.page.mouse.up()

    assert names(mira)[-1] == "Player 1"
    assert not mira.wrong


@pytest.mark.long
def test_seats_are_moved_by_keys_and_said(people: People) -> None:
    mira = people.arrives("mira")
    mira.goes_to("Table 1")
    mira.seats("Ada", "Bo", "Cyd")
    mira.page.get_by_label("Name at seat 3").focus()
    mira.page.keyboard.press("Alt+ArrowUp")
    told(mira, "Cyd: seat 2 of 3")
    mira.page.keyboard.press("Alt+ArrowUp")
    assert names(mira) == ["Cyd", "Ada", "Bo"]
    expect(mira.page.get_by_label("Name at seat 1")).to_be_focused()
    mira.page.keyboard.press("Alt+ArrowUp")
    assert names(mira) == ["Cyd", "Ada", "Bo"]

    mira.page.get_by_role("button", name="Move seat 2").focus()
    mira.page.keyboard.press("ArrowDown")
    told(mira, "Ada: seat 3 of 3")
    mira.page.keyboard.press("Enter")
    mira.page.get_by_role("button", name="Seat 3 one up").press("Enter")

    assert names(mira) == ["Cyd", "Ada", "Bo"]
    assert not mira.wrong


@pytest.mark.long
@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "finger"])
def test_a_tap_on_the_grip_shows_what_can_be_done_with_a_seat(
    people: People, *, touch: bool
) -> None:
    mira = people.arrives("mira", has_touch=touch, viewport={"width": 390, "height": 844})
    mira.goes_to("Table 1")
    mira.seats("Ada", "Bo", "Cyd")

    def presses(name: str) -> None:
        button = mira.page.get_by_role("button", name=name)
        button.tap() if touch else button.click()

    presses("Move seat 2")
    found = look(mira, "a seat's buttons", SMALLEST)
    presses("Seat 2 one down")
    told(mira, "Bo: seat 3 of 3")
    presses("Seat 3 one up")
    presses("Take this seat away")
    told(mira, "Seat 2 taken away")

    assert names(mira) == ["Ada", "Cyd"]
    assert not found
    assert not mira.wrong


@pytest.mark.long
def test_who_throws_first_is_chosen_by_a_tap_and_unchosen_by_another(people: People) -> None:
    mira = people.arrives("mira")
    mira.goes_to("Table 1")
    mira.seats("Ada", "Bo", "Cyd")
    second = mira.page.locator(".seat-first").nth(1)
    choice = mira.page.get_by_role("radio", name="Seat 2 throws first")
    second.click()
    expect(choice).to_be_checked()
    second.click()
    expect(choice).not_to_be_checked()
    second.click()
    mira.page.get_by_label("Name at seat 2").press("Alt+ArrowDown")
    expect(mira.page.get_by_role("radio", name="Seat 3 throws first")).to_be_checked()
    mira.page.get_by_role("button", name="Open the game").click()

    mira.sees("Bo to throw")  # the mark goes with the person
    assert not mira.wrong


@pytest.mark.long
def test_stakes_are_stepped_by_chips(people: People) -> None:
    mira = people.arrives("mira")
    mira.goes_to("Table 1")
    stake = mira.page.get_by_label("Stake of each player")
    chips = mira.page.get_by_role("group", name="Chips")
    for step in ("+5", "+25", "+1"):
        chips.get_by_role("button", name=step, exact=True).click()
    expect(stake).to_have_value("31")
    chips.get_by_role("button", name="Clear").click()

    expect(stake).to_have_value("")


@pytest.mark.long
def test_without_scripts_seats_are_plain_fields(people: People) -> None:
    mira = people.arrives("mira")
    played(mira, "Ada", "Bo", "Cyd")
    plain = people.arrives("mira", java_script_enabled=False)
    plain.goes_to("Table 1")
    expect(plain.page.locator("[data-seat-grip]").first).to_be_hidden()
    plain.page.get_by_role("button", name="The same seats again").click()
    expect(plain.page.locator('input[name="player"]').first).to_have_value("Ada")
    assert names(plain)[:3] == ["Ada", "Bo", "Cyd"]
    plain.page.locator(".seat-first").nth(1).click()
    plain.page.get_by_role("button", name="Open the game").click()

    plain.sees("Bo to throw")
    assert not plain.wrong


@pytest.mark.long
def test_a_lost_line_leaves_the_names_to_be_typed(people: People) -> None:
    mira = people.arrives("mira")
    mira.goes_to("Table 1")
    mira.page.route("**/players/**", lambda route: route.abort())
    mira.seats("Ada", "Bo")
    mira.page.get_by_role("button", name="Open the game").click()

    mira.sees("Ada to throw")
