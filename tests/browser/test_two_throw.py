"""Two tablets at one table, both with the dice that lie there: none is taken for another throw."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.offline import asks, fates, waits
from tests.browser.people import Person, foresees, until
from tests.browser.test_leases import takes_over
from tests.browser.test_redraws import TYPE_FAST
from tests.browser.test_taps import FILLED, Hand
from tests.browser.test_threes_away import begun
from tests.browser.test_two_hands import agree

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.running import House

pytestmark = [pytest.mark.browser, pytest.mark.long("postgresql")]
# After her first throw Ada throws again, so that the same dice twice would be two throws of hers.
FIRST = {"Stone Hand": (1, 2, 4), "Cinnabar Gate": (1, 4, 6)}
AGAIN = (2, 2, 7)
OTHERS = {"Bo": (5, 5, 6), "Cyd": (3, 3, 4)}
BOTH = pytest.mark.parametrize(
    "game", ["Stone Hand", pytest.param("Cinnabar Gate", marks=pytest.mark.long)]
)


def two_at_a_table(people: People, house: House, game: str) -> tuple[Person, Person]:
    """Of a game that a program has opened: no device records it yet, so either tablet may."""
    one, two = people.arrives("mira"), people.arrives("sela")
    begun(house, one, game=game.lower().replace(" ", "-"), stake=100)
    two.page.goto(one.page.url)
    for each in (one, two):
        foresees(each.page)
        expect(each.page.locator('#main[data-lease="free"]')).to_be_visible()
    return one, two


def lies(person: Person, game: str) -> tuple[int, ...]:
    """The dice that lie on the table, as whoever reads on a tablet who throws sees them."""
    asked = person.next_action.inner_text()
    name = next(each for each in ("Ada", *OTHERS) if each in asked)
    return OTHERS.get(name) or (AGAIN if "again" in asked else FIRST[game])


def stands(house: House, game: str) -> list[tuple[str, tuple[int, ...]]]:
    """The throws that the ledger has and nobody has taken back."""
    thrown = house.client("sela").get(f"games/{game}/")["throws"]
    return [(each["player"], tuple(each["dice"])) for each in thrown if not each.get("void")]


def lay(game: str, how_many: int) -> list[tuple[str, tuple[int, ...]]]:
    """The throws of a table, one after the other."""
    round_of = [("Ada", FIRST[game]), ("Ada", AGAIN), *OTHERS.items()]
    return [round_of[at % len(round_of)] for at in range(how_many)]


def enters(page: Page, *dice: int) -> None:
    """By keys, in the page: a busy machine does not part them by as long as dice are left alone."""
    page.evaluate(TYPE_FAST, "".join(map(str, dice)))


def quiet(*both: Person) -> None:
    """Nothing waits on either tablet, and both show the same."""
    for each in both:
        waits(each, 0)
        expect(each.page.locator("#main[data-ahead]")).to_have_count(0)
        expect(each.page.locator('#main[data-lease="free"]')).to_have_count(0)
    agree(*both)


def is_told(person: Person) -> None:
    """That what was entered here waits for a supervisor; and who records has the keys alone."""
    expect(asks(person, "late")).to_contain_text("1 entry went to the supervisor's list")
    expect(person.page.locator("#watching")).to_be_visible()
    expect(person.page.locator("#board [data-face]")).to_have_count(0)


@BOTH
def test_of_two_who_send_the_same_throw_at_once_one_is_recorded(
    people: People, house: House, game: str
) -> None:
    one, two = two_at_a_table(people, house, game)
    hands = Hand(one), Hand(two)
    for hand in hands:
        hand.holds = True
        enters(hand.page, *FIRST[game])
    for hand in hands:
        until(hand.page, "() => floor.queue.waiting().length === 1")
    for hand in hands:
        hand.lets_through()

    quiet(one, two)
    assert stands(house, one.game) == lay(game, 1)
    assert sorted(fates(house, one.game)) == ["late", "recorded"]
    first, second = (two, one) if one.page.locator("#watching").count() else (one, two)
    is_told(second)
    enters(first.page, *AGAIN)
    for each in (first, second):
        each.sees("Bo to throw")
    assert stands(house, one.game) == lay(game, 2)
    assert not one.wrong + two.wrong


@pytest.mark.long
@BOTH
def test_dice_that_are_half_entered_as_the_other_sends_are_dropped_aloud(
    people: People, house: House, game: str
) -> None:
    one, two = two_at_a_table(people, house, game)
    first, second = Hand(one), Hand(two)
    first.holds = True
    enters(one.page, *FIRST[game])
    enters(two.page, *FIRST[game][:-1])

    first.lets_through()

    second.said("Your half-entered dice were dropped")
    expect(two.page.locator("#watching")).to_be_visible()
    enters(two.page, FIRST[game][-1], *AGAIN)
    quiet(one, two)
    assert second.sent == []
    takes_over(two)
    enters(two.page, *lies(two, game))
    quiet(one, two)
    assert stands(house, one.game) == lay(game, 2)
    expect(one.page.locator("#watching")).to_be_visible()
    assert not one.wrong  # a takeover breaks the other's poll off, and htmx says so


@pytest.mark.long
@BOTH
def test_a_tab_hears_at_once_what_another_tab_of_the_tablet_has_taken_down(
    people: People, house: House, game: str
) -> None:
    """Neither tab waits for the house, and what is half entered in one is no later throw's."""
    one = people.arrives("mira")
    begun(house, one, game=game.lower().replace(" ", "-"), stake=100)
    two = Person(one.page.context.new_page(), house)
    two.page.goto(one.page.url)
    for each in (one, two):
        foresees(each.page)
    first, second = Hand(one), Hand(two)
    first.holds = second.holds = True
    enters(two.page, *FIRST[game][:-1])

    enters(one.page, *FIRST[game])

    second.said("Your half-entered dice were dropped")
    two.foresees(one.next_action.inner_text())
    first.lets_through()
    second.lets_through()
    for each in (one, two):
        waits(each, 0)
        expect(each.page.locator("#main[data-ahead]")).to_have_count(0)
    assert stands(house, one.game) == lay(game, 1)
    assert fates(house, one.game) == ["recorded"]
    assert not one.wrong + two.wrong


@pytest.mark.long
@BOTH
def test_an_undo_of_a_tablet_that_has_lost_the_table_takes_nothing_from_the_other(
    people: People, house: House, game: str
) -> None:
    one, two = two_at_a_table(people, house, game)
    first = Hand(one)
    enters(one.page, *FIRST[game])
    quiet(one, two)
    enters(one.page, *AGAIN)
    for each in (one, two):
        each.sees("Bo to throw")
    one.hears_no_news()
    takes_over(two)
    first.holds = True
    one.presses(one.page.locator("#do-undo"))
    enters(two.page, *OTHERS["Bo"][:-1])

    first.lets_through()
    enters(two.page, OTHERS["Bo"][-1])

    is_told(one)
    one.hears_news()
    quiet(one, two)
    assert stands(house, one.game) == lay(game, 3)
    assert house.events(one.game).count("voided") == 0
    assert not one.wrong  # a takeover breaks the other's poll off, and htmx says so


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
@BOTH
def test_whatever_two_do_at_one_table_every_throw_is_the_one_that_lay_there(
    people: People, house: House, game: str, seed: int
) -> None:
    """Die by die in any order, with takeovers and undos; who has begun a throw goes on blindly."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    both = two_at_a_table(people, house, game)
    hands = [Hand(each) for each in both]
    left: list[list[int]] = [[], []]

    for _ in range(30):
        at = rng.randrange(2)
        hands[at].holds = rng.random() < 0.3
        acts(both[at], left[at], game, rng)
        if rng.random() < 0.5:
            acts(both[1 - at], left[1 - at], game, rng)
        hands[at].lets_through()

    quiet(*both)
    stand = stands(house, both[0].game)
    assert stand == lay(game, len(stand)) != []
    whole = {FIRST[game], AGAIN, *OTHERS.values()}
    sent = [tuple(each) for hand in hands for each in hand.sent]
    assert set(sent) <= whole
    became = fates(house, both[0].game)
    assert set(became) <= {"recorded", "late"}
    assert len(became) >= len(sent)


def acts(person: Person, left: list[int], game: str, rng: random.Random) -> None:
    """One thing that somebody does: takes over or back, or enters the next die."""
    page, chance = person.page, rng.random()
    if page.locator("#watching").count():
        if chance < 0.3:
            takes_over(person)
            left.clear()
        return
    if not left:
        looks_again(person, game)
        if chance < 0.2 and page.locator("#do-undo:visible").count():
            with suppress(PlaywrightTimeout):  # the other tablet's news took it away
                page.locator("#do-undo").click(timeout=5_000)
            return
        left.extend(lies(person, game))
    enters(page, left.pop(0))


def looks_again(person: Person, game: str) -> None:
    """Where the tablet asks whether these are the dice of the throw: yes, or they are taken off."""
    asked = person.page.locator("#say [data-enter]")
    filled = person.page.locator(FILLED)
    entered = tuple(
        int(each) for each in filled.evaluate_all("all => all.map(one => one.dataset.shows)")
    )
    if asked.count() and entered == lies(person, game):
        asked.click()
    elif entered:
        for _ in entered:
            person.page.locator("#do-undo").click()
