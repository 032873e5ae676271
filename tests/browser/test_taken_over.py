"""What somebody left on a tablet and never sends: a supervisor takes it over there (C1, D1, E5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.offline import (
    ENTRIES,
    PAIR,
    RUN,
    SESSION,
    asks,
    at_a_table,
    come_to,
    held_up,
    round_of,
    throw,
    thrown,
    waits,
)
from tests.browser.people import foresees

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser
WHY = "Mira has left"


def left_behind(people: People) -> tuple[Person, str]:
    """A tablet with two throws of Mira's, who is gone; nobody is signed in."""
    people.forgets("mira")
    mira = at_a_table(people)
    game = mira.game
    held_up(mira.page)
    round_of(mira)
    waits(mira, 2)
    mira.page.context.clear_cookies(name=SESSION)
    people.forgets("mira")
    mira.page.goto("/sign-in/")
    mira.page.unroute(ENTRIES)
    return mira, game


def take_over(person: Person, how_many: str) -> None:
    form = person.page.locator("[data-take-over]")
    expect(form).to_contain_text("Mira Solano")
    form.get_by_label("Why").fill(WHY)
    form.get_by_role("button", name=f"Take {how_many} of Mira Solano over").click()


@pytest.mark.long("postgresql")
def test_a_supervisor_takes_over_at_the_table_and_it_goes_on(people: People, house: House) -> None:
    person, game = left_behind(people)
    person.signs_in("sela")
    person.page.goto(f"/floor/games/{game}/")
    bar = asks(person, "other")
    expect(bar).to_contain_text("These 2 entries are Mira Solano's")
    expect(bar).to_contain_text("or a supervisor who signs in here with a password takes them over")
    assert thrown(house, game) == []

    bar.get_by_role("button", name="Take them over …").click()
    expect(person.page.locator("#take-over-why")).to_be_focused()
    person.page.keyboard.type("27")  # digits are no dice here
    expect(person.page.locator("#take-over-why")).to_have_value("27")
    take_over(person, "2 entries")

    waits(person, 0)
    expect(asks(person, "late")).to_contain_text("2 entries went to the supervisor's list")
    come_to(person, house, "late", "late")
    assert thrown(house, game) == []
    foresees(person.page)
    throw(person, *PAIR)
    waits(person, 0)
    assert len(thrown(house, game)) == 1
    person.page.goto("/late/")
    card = person.page.locator(f"#late-{game}-1")  # of other games others may wait
    expect(card).to_contain_text("Mira Solano did not send it:")
    expect(card).to_contain_text(WHY)


@pytest.mark.long
def test_an_attendant_sets_aside_and_a_supervisor_takes_over_later_from_the_hall(
    people: People, house: House
) -> None:
    person, game = left_behind(people)
    person.signs_in("tomas")
    person.page.goto(f"/floor/games/{game}/")
    asks(person, "other")
    expect(person.page.locator("#do-asks-take")).to_have_count(0)
    expect(person.page.locator("[data-take-over]")).to_have_count(0)
    person.page.locator("#asks-aside").click()
    person.page.get_by_role("button", name="Yes, set aside").click()
    foresees(person.page)
    throw(person, *RUN)  # Tomas goes on
    waits(person, 2)
    person.page.context.clear_cookies(name=SESSION)
    person.signs_in("sela")

    person.page.goto("/floor/")
    person.page.locator("#menu-waiting > summary").click()
    take_over(person, "2 entries")

    waits(person, 0)
    come_to(person, house, "late", "late", "recorded", game=game)
