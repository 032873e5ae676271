"""Without leaving the round: voids from the log, a supervisor on the same device, other hands."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from casino.demo.house import PASSWORD
from tests.browser.test_looks import SIZES, SMALLEST, look
from tests.browser.test_people import PIN, sets_pin

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser

TALL = SIZES[:3]
TABLET = "a tablet"  # whose cookies are kept, as those of who has signed in once


def sheet(page: Page, heading: str) -> None:
    expect(page.locator("#sheet").get_by_role("heading", name=heading)).to_be_visible()


def digits(page: Page, pin: str = PIN) -> None:
    for digit in pin:
        page.locator(f'#sheet [data-digit="{digit}"]').tap()


@pytest.fixture
def tablet(people: People) -> Person:
    """A tablet enrolled by Sela, in Mira's hands; she, Tomas and Sela have PINs."""
    if people.kept(TABLET) is None:
        enrolled(people)
    device = people.arrives(TABLET, has_touch=True)
    page = device.page
    page.goto("/floor/attendant/")
    page.get_by_text("Mira Solano", exact=True).click()
    for digit in PIN:
        page.locator(f'[data-digit="{digit}"]').click()
    page.get_by_role("button", name="OK").click()
    page.wait_for_url("**/floor/")
    return device


def enrolled(people: People) -> None:
    for username in ("mira", "tomas", "sela"):
        sets_pin(people.arrives(username))
    device = people.arrives()
    device.signs_in("sela")  # a session of its own: it ends here
    page = device.page
    page.goto("/people/tablets/")
    page.get_by_label("What you call it").fill(f"Tablet {uuid.uuid4().hex[:6]}")
    page.get_by_role("button", name="Make it one").click()
    expect(page.get_by_role("heading", name="Who takes over?")).to_be_visible()
    people.keeps(TABLET, page.context.storage_state())


def a_round(person: Person) -> None:
    person.throws(2, 2, 7, then="Bo to throw")
    person.throws(3, 4, 5, then="Ada to throw")
    person.sees_booked()


def actors(house: House, game: str, kind: str) -> list[str]:
    """Who brought about the events of a kind, by username."""
    found = house.rows(
        "SELECT actor FROM ledger_event WHERE stream = ? AND event_type = ?",
        f"game/{game}", f"game.{kind}",
    )  # fmt: skip
    names = {
        uuid.UUID(str(key)).hex: name
        for key, name in house.rows("SELECT id, username FROM attendants_attendant")
    }
    return [names[uuid.UUID(actor).hex] for (actor,) in found]


@pytest.mark.long
def test_g4_a_tap_on_the_log_a_reason_and_a_supervisor_s_pin(tablet: Person, house: House) -> None:
    page = tablet.page
    game = tablet.opens("Table 1", "Ada", "Bo")
    a_round(tablet)

    tablet.event("Ada pair 7").tap()
    sheet(page, "Void from here")
    expect(page.locator(".going-sum")).to_contain_text("2 throws")
    expect(page.locator(".going-sum")).to_contain_text("1 round that had ended")
    expect(page.locator(".going-sum")).to_contain_text("7\N{NO-BREAK SPACE}r of payments")
    found = look(tablet, "void from here", SMALLEST)
    page.get_by_role("button", name="Wrong player").tap()
    sheet(page, "A supervisor answers")
    expect(page.locator("#sheet")).to_contain_text("Mira Solano asks for a void: wrong player")
    expect(page.get_by_role("radio", name="Sela Okoye")).to_be_checked()
    found += look(tablet, "a supervisor answers", TALL)
    digits(page, "0815")
    page.get_by_role("button", name="Approve the void").tap()
    expect(page.locator("#sheet [role=alert]")).to_contain_text("not the PIN")
    found += look(tablet, "a wrong PIN", SIZES[:1])
    digits(page)
    page.get_by_role("button", name="Approve the void").tap()

    expect(page.locator("#sheet")).to_be_hidden()
    tablet.sees("Ada to throw")
    expect(tablet.event("Ada pair 7")).to_contain_text("void")
    expect(page.locator("#change-attendant")).to_contain_text("Mira Solano")
    assert actors(house, game, "void_requested") == ["mira"]
    assert actors(house, game, "voided") == ["sela"]
    page.goto("/people/")  # the session is still a PIN's, and an attendant's
    expect(page.get_by_role("heading", name="You took over by PIN")).to_be_visible()
    assert not found
    assert not [each for each in tablet.wrong if "403" not in each and "422" not in each]


@pytest.mark.long("postgresql")
def test_g4_by_keyboard_alone_and_by_name_and_password(people: People, house: House) -> None:
    mira = people.arrives("mira")
    keys = mira.page.keyboard
    game = mira.opens("Table 1", "Ada", "Bo")
    a_round(mira)

    keys.press("v")
    expect(mira.event("Ada loses").locator(".goes-back")).to_be_focused()
    keys.press("ArrowDown")
    expect(mira.event("Bo run 4").locator(".goes-back")).to_be_focused()
    keys.press("ArrowDown")
    expect(mira.event("Ada pair 7").locator(".goes-back")).to_be_focused()
    keys.press("Enter")
    sheet(mira.page, "Void from here")
    keys.press("1")
    sheet(mira.page, "A supervisor answers")
    mira.page.get_by_label("Name", exact=True).focus()
    keys.type("sela")
    keys.press("Tab")
    keys.type(PASSWORD)
    keys.press("Enter")

    expect(mira.page.locator("#sheet")).to_be_hidden()
    mira.sees("Ada to throw")
    assert actors(house, game, "voided") == ["sela"]
    mira.page.goto("/people/sign-ins/")
    expect(mira.page.get_by_text("answered at a table")).to_have_count(0)  # not for attendants
    assert not [each for each in mira.wrong if "403" not in each]


@pytest.mark.long
def test_half_entered_dice_stay_while_a_supervisor_rejects(people: People) -> None:
    mira = people.arrives("mira")
    page = mira.page
    mira.opens("Table 1", "Ada", "Bo")
    a_round(mira)
    mira.asks_to_void()
    mira.taps(2, 5)

    page.get_by_role("link", name="A supervisor answers here").click()
    page.get_by_label("Name", exact=True).fill("sela")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Reject").click()
    expect(page.locator("#sheet [role=alert]")).to_contain_text("Say why you reject it")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Why, if you reject it").fill("all saw it")
    page.get_by_role("button", name="Reject").click()

    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator(".asks")).to_have_count(0)
    expect(mira.event("all saw it")).to_be_visible()
    mira.throws(5, then="Bo to throw")
    expect(mira.event("Ada pair 2")).to_be_visible()
    assert not [each for each in mira.wrong if "422" not in each]


@pytest.mark.long
def test_without_a_line_a_second_person_s_act_says_so_and_waits_for_nothing(
    people: People, house: House
) -> None:
    mira = people.arrives("mira")
    game = mira.opens("Table 1", "Ada", "Bo")
    a_round(mira)
    mira.asks_to_void()
    mira.page.get_by_role("link", name="A supervisor answers here").click()
    mira.page.get_by_label("Name", exact=True).fill("sela")
    mira.page.get_by_label("Password").fill(PASSWORD)

    mira.page.context.set_offline(True)
    mira.page.get_by_role("button", name="Approve the void").click()
    expect(mira.page.locator("#sheet [role=alert]")).to_contain_text("No line")
    mira.page.context.set_offline(False)
    mira.page.wait_for_timeout(1_500)

    assert "voided" not in house.events(game)
    expect(mira.page.get_by_label("Password")).to_have_value(PASSWORD)
    mira.page.get_by_role("button", name="Approve the void").click()
    mira.sees("Ada to throw")


@pytest.mark.long
def test_d3_other_hands_in_six_taps_and_nothing_half_entered_under_their_name(
    tablet: Person,
) -> None:
    page = tablet.page
    tablet.opens("Table 1", "Ada", "Bo")
    tablet.taps(2, 2)

    page.locator("#change-attendant").tap()  # 1
    sheet(page, "Who takes over?")
    found = look(tablet, "change of attendant", SMALLEST)
    digits(page)  # 2 to 5
    page.locator("#sheet").get_by_text("Tomas Brandt", exact=True).tap()  # 6

    expect(page.locator("#change-attendant")).to_contain_text("Tomas Brandt")
    tablet.sees("Ada to throw")
    expect(page.locator(".slot-next")).to_have_attribute("data-slot", "0")
    tablet.throws(2, 2, 7, then="Bo to throw")
    assert not found
    assert not tablet.wrong


@pytest.mark.long
def test_b3_a_table_is_handed_over_on_one_tablet_both_sign(tablet: Person, house: House) -> None:
    page = tablet.page
    game = tablet.opens("Table 1", "Ada", "Bo")
    tablet.throws(2, 2, 7, then="Bo to throw")

    page.locator("#do-more").tap()
    page.get_by_role("link", name="Hand the table over").tap()
    page.get_by_role("button", name="Tomas Brandt").tap()
    sheet(page, "Who takes Table 1 over?")
    expect(page.get_by_role("radio", name="Tomas Brandt")).to_be_checked()
    found = look(tablet, "both sign", SIZES[:1])
    digits(page)
    page.get_by_role("button", name="OK").tap()

    expect(tablet.event("takes the table over from")).to_be_visible()
    expect(page.locator("#change-attendant")).to_contain_text("Tomas Brandt")
    tablet.throws(3, 4, 5, then="Ada to throw")
    assert actors(house, game, "handover_offered") == ["mira"]
    assert actors(house, game, "handed_over") == ["tomas"]
    assert not found
    assert not tablet.wrong


@pytest.mark.long
def test_a_break_is_two_taps_and_a_key(people: People) -> None:
    mira = people.arrives("mira", has_touch=True)
    mira.opens("Table 1", "Ada", "Bo")

    mira.page.locator("#do-more").tap()
    mira.page.get_by_role("button", name="Break").tap()
    mira.sees("The table is paused")
    mira.page.get_by_role("button", name="Play goes on").tap()
    mira.sees("Ada to throw")
    mira.page.locator("#do-more").click()
    mira.page.keyboard.press("p")
    mira.sees("The table is paused")
    assert not mira.wrong


@pytest.mark.long
def test_f1_other_dice_between_rounds(people: People) -> None:
    mira = people.arrives("mira")
    mira.opens("Table 1", "Ada", "Bo")

    mira.chooses("Other dice")
    sheet(mira.page, "Other dice")
    found = look(mira, "other dice", SIZES[:1])
    mira.page.locator("#sheet .sheet-person").first.click()
    mira.page.get_by_role("button", name="Chipped").click()

    expect(mira.event("Other dice: chipped")).to_be_visible()
    mira.sees("Ada to throw")
    assert not found
    assert not mira.wrong


RULESETS = ["Stone Hand", "Cinnabar Gate", "Threes Away", "Dice Breaker"]


@pytest.mark.long
@pytest.mark.parametrize("title", RULESETS)
def test_g3_a_no_throw_is_two_taps_or_two_keys(people: People, title: str) -> None:
    mira = people.arrives("mira", has_touch=True)
    mira.goes_to("Table 1")
    mira.page.get_by_role("button", name=title).click()
    mira.seats("Ada", "Bo")
    mira.page.get_by_role("button", name="Open the game").click()
    mira.page.wait_for_url("**/floor/games/*/")

    all_throw = title == "Dice Breaker"  # to find who starts: then the button says whose it was
    mira.page.locator("#do-no-throw").tap()
    cocked = "Ada: cocked die" if all_throw else "Cocked die"
    mira.page.get_by_role("button", name=cocked).tap()
    expect(mira.event("No throw by Ada: cocked")).to_be_visible()
    for key in ("n", "1", "3") if all_throw else ("n", "3"):
        mira.page.keyboard.press(key)
    expect(mira.event("interference")).to_be_visible()
    assert not mira.wrong


@pytest.mark.long
def test_g3_where_several_throw_each_has_a_row(people: People) -> None:
    """River: hands are sealed by all; while the banker throws a player can but interfere."""
    mira = people.arrives("mira", has_touch=True)
    mira.goes_to("Table 1")
    mira.page.get_by_role("button", name="River").click()
    mira.seats("Ada", "Bo")
    mira.page.get_by_label("Price of the dice").fill("2")
    mira.page.get_by_role("button", name="Open the game").click()
    mira.page.wait_for_url("**/floor/games/*/")
    mira.presses(mira.page.locator("#do-start"))

    mira.presses(mira.page.locator("#do-no-throw"))
    found = look(mira, "no throw of several", SMALLEST)
    mira.presses(mira.page.get_by_role("button", name="Bo: off the table"))
    expect(mira.event("No throw by Bo")).to_be_visible()
    for key in ("n", "1", "1"):
        mira.page.keyboard.press(key)
    expect(mira.event("No throw by Ada")).to_be_visible()
    mira.presses(mira.page.locator("#seal-rest"))
    expect(mira.page.locator(".entry-dice")).to_be_visible()
    mira.presses(mira.page.locator("#do-no-throw"))
    expect(mira.page.get_by_role("button", name="Ada: cocked die")).to_have_count(0)
    mira.presses(mira.page.get_by_role("button", name="Ada: interference"))
    expect(mira.event("interference")).to_be_visible()
    assert not found
    assert not mira.wrong
