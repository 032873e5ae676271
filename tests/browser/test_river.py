"""River through its page: by touch, by keys alone, with commitments; the auction keeps its pace."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.offline import held_up, let_through, waits
from tests.browser.people import foresees
from tests.browser.test_looks import IN_PLAY, OVERFLOWS, SMALLEST, look
from tests.browser.test_redraws import TYPE_FAST

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser
SALT = "0123456789abcdef" * 2
SIX = ("Adalgisa Castelfranco-Veneto", "Bo", "Cyd", "Dara", "Elio", "Fenn")


def opens_river(person: Person, *names: str, tie: str = "") -> str:
    """A game of River at Table 1, 50 each, five dice for 5; its id."""
    page = person.page
    person.goes_to("Table 1")
    river = page.get_by_role("group", name="The game").get_by_role("button", name="River")
    person.presses(river)
    expect(river).to_have_attribute("aria-pressed", "true")
    person.seats(*names)
    if tie:
        person.presses(page.get_by_text("House options"))
        page.get_by_label("Equal hands").select_option(tie)
    person.presses(page.get_by_role("button", name="Open the game"))
    page.wait_for_url("**/floor/games/*/")
    return person.game


@pytest.mark.long
def test_the_hammer_names_the_buyer_in_full(people: People) -> None:
    """In sentences longer than English ones, too."""
    mira = people.arrives("mira", viewport={"width": 1112, "height": 834}, has_touch=True)
    opens_river(mira, *SIX[:3])
    seals_all(mira)
    for sides, face in ((4, 2), (6, 5), (8, 8), (10, 9), (12, 3)):
        mira.presses(mira.page.locator(f"#key-{sides}-{face}"))
    mira.presses(mira.page.locator("#bid-1"))
    sale = mira.page.locator("#do-sell")
    expect(sale).to_contain_text(SIX[0])
    assert sale.evaluate(
        "(key) => key.scrollWidth <= key.clientWidth && key.scrollHeight <= key.clientHeight"
    )


def seals_all(person: Person) -> None:
    person.presses(person.page.locator("#do-start"))
    person.sees("Everybody throws hidden")
    person.presses(person.page.locator("#seal-rest"))
    person.sees("The banker throws all five")


def shows(person: Person, name: str, *dice: int, row: int) -> None:
    person.presses(person.page.locator("#throw .who-one").filter(has_text=name))
    person.taps(*dice)
    if row:
        expect(person.seat(name)).to_contain_text(f"row {row}")


@pytest.mark.long
@pytest.mark.parametrize("touch", [True, False], ids=["touch", "mouse"])
def test_a_game_by_touch_or_mouse_with_hammer_prices(
    people: People, house: House, *, touch: bool
) -> None:
    """A lot takes two taps and its amount: who, how much, sold."""
    mira = people.arrives("mira", viewport={"width": 1180, "height": 820}, has_touch=touch)
    page = mira.page
    opens_river(mira, "Ada", "Bo", "Cyd")
    mira.presses(page.locator("#do-start"))
    mira.sees("Everybody throws hidden")
    mira.presses(page.locator("#seal-2"))
    mira.sees("Ada and Cyd throw hidden")
    mira.presses(page.locator("#seal-1"))
    mira.sees("Cyd throws hidden")
    mira.presses(page.locator("#seal-3"))
    mira.sees("The banker throws all five")
    for sides, face in ((4, 2), (6, 5), (8, 8), (10, 9), (12, 3)):
        mira.presses(page.locator(f"#key-{sides}-{face}"))

    mira.sees("Who bids for the d4?")
    mira.presses(page.get_by_text("Only the hammer price"))
    taps = [page.locator("#do-withdraw-hammer")]
    taps += sold(mira, "Bo", "12")
    for each, then in zip(split(taps), ("d6", "d8"), strict=True):
        for key in each:
            mira.presses(key)
        mira.sees(f"Who bids for the {then}?")
    for key in sold(mira, "Cyd", "7"):
        mira.presses(key)
    mira.sees("Who bids for the d10?")
    for then in ("Who bids for the d12?", "Who shows their dice?"):
        mira.presses(page.locator("#do-withdraw-hammer"))
        mira.sees(then)

    shows(mira, "Cyd", 1, 1, 2, 2, 10, row=29)
    shows(mira, "Ada", 1, 6, 2, 7, 9, row=29)
    mira.sees("Bo shows the dice")
    mira.taps(4, 3, 6, 1, 1)
    mira.sees("Start round 2")
    result = page.locator(".result")
    expect(result).to_contain_text("Bo takes the pot")
    expect(result).to_contain_text("won d6 5 for 3")
    mira.sees_booked()
    assert house.transfers(mira.game)[3:] == [
        ("Ada", "pot", 5, "RV1"),
        ("Bo", "pot", 5, "RV1"),
        ("Cyd", "pot", 5, "RV1"),
        ("Bo", "pot", 12, "RV3"),
        ("Cyd", "pot", 7, "RV3"),
        ("pot", "Bo", 34, "RV6"),
    ]
    assert not mira.wrong


def sold(person: Person, name: str, amount: str) -> list[Locator]:
    page = person.page
    buyer = page.locator("label.taker").filter(has_text=name)
    digits = page.locator(".way-hammer .pad")
    return [
        buyer,
        *(digits.locator(f'[data-digit="{digit}"]') for digit in amount),
        page.locator("#do-hammer"),
    ]


def split(taps: list[Locator]) -> tuple[list[Locator], list[Locator]]:
    return taps[:1], taps[1:]


@pytest.mark.long
def test_a_game_by_keyboard_alone_bid_by_bid(people: People, house: House) -> None:
    mira = people.arrives("mira")
    page, keys = mira.page, mira.page.keyboard
    opens_river(mira, "Ada", "Bo", "Cyd", tie="rolloff")
    keys.press("Enter")
    mira.sees("Everybody throws hidden")
    keys.type("d")
    mira.sees("Ada and Bo throw hidden")
    keys.type("x")
    mira.sees("The banker throws all five")
    page.evaluate(TYPE_FAST, "2580.1")  # 2, 5, 8, 10 and 11

    mira.sees("Who bids for the d4?")
    keys.type("a")
    mira.sees("Ada bids 1 r")
    keys.type("s")
    mira.sees("Bo bids 2 r")
    keys.type("9")
    keys.type("a")
    mira.sees("Ada bids 9 r")
    keys.type("u")
    mira.sees("Bo bids 2 r")
    keys.press("Shift+D")
    expect(mira.seat("Cyd")).to_contain_text("passes")
    keys.press("Shift+A")
    mira.sees("Going for 2 r to Bo")
    keys.press("Enter")
    mira.sees("Who bids for the d6?")
    for then in ("d8", "d10", "d12"):
        keys.type("w")
        mira.sees(f"Who bids for the {then}?")
    keys.type("w")
    mira.sees("Who shows their dice?")

    keys.type("a")
    keys.type("1123.2")
    expect(mira.seat("Ada")).to_contain_text("High 11/12, row 20")
    keys.type("d")
    keys.type("1123.1")
    expect(mira.seat("Cyd")).to_contain_text("High 11/12, row 20")
    keys.type("13331")
    mira.sees("Tie: Ada throws a d12")
    keys.type("4")
    mira.sees("Tie: Cyd throws a d12")
    keys.type(".2")
    mira.sees("Start round 2")
    expect(page.locator(".result")).to_contain_text("Cyd takes the pot")
    assert house.events(mira.game).count("bid_made") == 3
    assert not mira.wrong


@pytest.mark.long
def test_what_is_refused_is_said_and_nothing_typed_is_lost(people: People, house: House) -> None:
    mira = people.arrives("mira")
    page = mira.page
    game = opens_river(mira, "Ada", "Bo")
    mira.presses(page.locator("#do-start"))
    mira.sees("Everybody throws hidden")
    mira.presses(page.get_by_text("A player's own device made a commitment"))
    mira.presses(page.locator(".committing .who-one").filter(has_text="Bo"))
    page.get_by_label("Commitment").fill("abc")
    mira.presses(page.locator("#do-commit"))
    expect(mira.said).to_contain_text("commitment: 64 lowercase hex digits")
    expect(page.get_by_label("Commitment")).to_have_value("abc")
    given = hashlib.sha256(f"{SALT}:4,6,8,9,10".encode()).hexdigest()
    page.get_by_label("Commitment").fill(given)
    mira.presses(page.locator("#do-commit"))
    mira.sees("Ada throws hidden")
    mira.presses(page.locator("#seal-1"))
    mira.sees("The banker throws all five")
    mira.taps(1, 1, 1, 1, 1)

    mira.sees("Who bids for the d4?")
    page.keyboard.type("99")
    mira.presses(page.locator("#bid-2"))
    expect(mira.said).to_contain_text("amount is 99: Bo holds 45")
    expect(page.locator("#jump")).to_have_value("99")
    for die in ("d4", "d6", "d8", "d10", "d12"):
        house.put("tomas", game, "withdraw", die=die)

    mira.sees("Who shows their dice?")
    shows(mira, "Bo", 4, 6, 8, 9, 10, row=0)  # the last die does not send: the salt is missing
    page.locator("#salt").fill("f" * 32)
    mira.presses(page.get_by_role("button", name="Show these dice"))
    expect(mira.said).to_contain_text("not what Bo committed to")
    expect(page.locator("#slot-5")).to_have_attribute("aria-label", "Die 5 shows 10, take it back")
    page.locator("#salt").fill(SALT)
    mira.presses(page.get_by_role("button", name="Show these dice"))
    expect(mira.seat("Bo")).to_contain_text("Perfect Flop, row 5")
    mira.sees_booked()  # by the house: until then it is foreseen
    assert house.events(game).count("dice_revealed") == 1
    assert not mira.wrong


@pytest.mark.long
def test_what_is_no_whole_units_is_refused_in_a_sentence(people: People) -> None:
    """G11, of a bid as of a hammer price. Where the game opens, its points are shown in money."""
    mira = people.arrives("mira")
    page = mira.page
    mira.goes_to("Table 1")
    mira.presses(page.get_by_role("group", name="The game").get_by_role("button", name="River"))
    mira.seats("Ada", "Bo")
    mira.presses(page.get_by_text("House options"))
    page.get_by_label("A bid raises by").fill("2")
    expect(page.locator("[data-points]")).to_have_text("")
    page.get_by_label("A point is worth").fill("5")
    expect(page.locator("[data-points]")).to_contain_text("= 10 ")
    mira.presses(page.get_by_role("button", name="Open the game"))
    page.wait_for_url("**/floor/games/*/")
    seals_all(mira)
    mira.taps(1, 1, 1, 1, 1)

    mira.sees("Who bids for the d4?")
    page.locator("#jump").fill("12")
    mira.presses(page.locator("#bid-1"))
    expect(mira.said).to_contain_text("a multiple of the unit, 5")
    mira.presses(page.get_by_text("Only the hammer price"))
    mira.presses(page.locator(".way-hammer .taker").filter(has_text="Bo"))
    page.evaluate("() => floor.say('')")
    page.locator("#hammer").fill("12")
    mira.presses(page.locator("#do-hammer"))
    expect(mira.said).to_contain_text("a multiple of the unit, 5")
    assert not mira.wrong


@pytest.mark.long
def test_all_seal_at_once_without_a_line(people: People, house: House) -> None:
    mira = people.arrives("mira")
    game = opens_river(mira, "Ada", "Bo", "Cyd")
    mira.presses(mira.page.locator("#do-start"))
    mira.sees("Everybody throws hidden")
    mira.sees_booked()
    foresees(mira.page)
    held_up(mira.page)

    mira.presses(mira.page.locator("#seal-rest"))

    mira.foresees("The banker throws all five")
    waits(mira, 3)
    let_through(mira.page)
    waits(mira, 0)
    mira.sees("The banker throws all five")
    assert house.events(game).count("dice_sealed") == 3


@pytest.mark.long
def test_leaving_late_dice_joining_and_a_new_price(people: People) -> None:
    mira = people.arrives("mira")
    page = mira.page
    opens_river(mira, "Ada", "Bo")
    seals_all(mira)
    mira.chooses("Bo leaves")
    expect(page.locator("#menu-more .menu-wide")).to_contain_text("forfeits the price")
    mira.presses(page.get_by_role("button", name="Yes, Bo leaves"))
    mira.sees("Waiting until two can pay for dice")
    expect(page.locator(".result")).to_contain_text("Ada takes the pot")
    shows(mira, "Bo", 2, 2, 2, 2, 2, row=0)
    expect(mira.event("Recorded after the hand: Bo has")).to_be_visible()

    mira.chooses("Somebody joins")
    page.get_by_label("Name").fill("Cyd")
    mira.presses(page.get_by_role("button", name="Yes, seat them"))
    mira.sees("Start round 2")
    mira.presses(page.get_by_text("Dice not seen yet"))
    expect(page.locator("#do-start")).to_be_hidden()
    mira.presses(page.get_by_text("Next round"))
    page.get_by_label("Price of five dice").fill("8")
    mira.presses(page.locator("#do-start"))
    mira.sees("Everybody throws hidden")
    expect(mira.event("Nobody saw the dice of Ada")).to_be_visible()
    expect(mira.event("Round 2: five dice for 8 r each")).to_be_visible()
    assert not mira.wrong


@pytest.mark.long
def test_six_at_the_auction_fit_and_can_be_read(people: People) -> None:
    mira = people.arrives("mira")
    opens_river(mira, *SIX)
    found = look(mira, "river, between", SMALLEST)
    mira.presses(mira.page.locator("#do-start"))
    mira.sees("Everybody throws hidden")
    found += look(mira, "river, sealing", SMALLEST)
    mira.presses(mira.page.locator("#seal-rest"))
    mira.sees("The banker throws all five")
    mira.taps(2, 5, 8, 10, 11)
    mira.sees("Who bids for the d4?")
    found += look(mira, "river, auction", SMALLEST)
    for size in IN_PLAY:
        mira.page.set_viewport_size(size)
        assert mira.page.evaluate(OVERFLOWS) == []
    mira.presses(mira.page.get_by_text("Only the hammer price"))
    found += look(mira, "river, hammer prices", SMALLEST)
    assert mira.page.evaluate(OVERFLOWS) == []
    for then in ("d6", "d8", "d10", "d12"):
        mira.page.keyboard.type("w")
        mira.sees(f"Who bids for the {then}?")
    mira.page.keyboard.type("w")
    mira.sees("Who shows their dice?")
    mira.page.keyboard.type("s")
    found += look(mira, "river, reveal", SMALLEST)
    assert mira.page.evaluate(OVERFLOWS) == []

    assert not found
    assert not mira.wrong
