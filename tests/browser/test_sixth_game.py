"""A game of another author's in a started house: on its pages, without a line, and gone."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import processes
from tests.browser.conftest import People
from tests.browser.offline import SOON, throw, waits
from tests.browser.people import foresees
from tests.browser.running import embedded
from tests.support import example

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = [pytest.mark.browser, pytest.mark.once, pytest.mark.long]
TITLE = "Ship, Captain and Crew"
TABLET = {"width": 1024, "height": 768}
MISSING = "The rules of ship-captain-crew, version 1, are not installed here."
IN_ITALIAN = "Le regole di ship-captain-crew, versione 1, non sono installate qui."


@pytest.fixture
def python(tmp_path: Path) -> Path:
    return example.environment(tmp_path)


@pytest.fixture
def house(tmp_path: Path, python: Path) -> Iterator[House]:
    with embedded(tmp_path / "house", str(python)) as started:
        yield started


@pytest.fixture
def people(house: House, browser: Browser) -> Iterator[People]:
    """Nobody closes what runs when they leave: nobody could, without its rules."""
    come = People(house, browser)
    yield come
    come.leave()


def test_it_is_played_with_and_without_a_line_and_missed_when_it_is_gone(
    people: People, house: House, python: Path
) -> None:
    mira = people.arrives("mira", viewport=TABLET, has_touch=True)
    opens(mira, "Ada", "Bo")
    first_turn(mira)
    assert not mira.wrong
    the_rest_without_a_line(mira, house)
    booked(mira, house)
    game = mira.game

    house.kill()
    example.taken_away(python)
    house.start()
    processes.eventually(house.is_whole, log=house.log)

    is_missed(mira, f"/floor/games/{game}/", MISSING)
    others_are_played(people)
    auditor = people.arrives("ines", viewport=TABLET)
    verifies(auditor)
    mira.wrong.clear()  # the house was away twice
    in_italian(mira, house)
    assert not mira.wrong
    assert not auditor.wrong


def opens(mira: Person, *names: str) -> None:
    mira.goes_to("Table 1")
    mira.presses(mira.page.get_by_role("button", name=TITLE))
    mira.seats(*names)
    mira.page.get_by_label("What each player brings").fill("20")
    mira.presses(mira.page.get_by_role("button", name="Open the game"))
    mira.page.wait_for_url("**/floor/games/*/")


def first_turn(mira: Person) -> None:
    mira.throws(6, 5, 4, 3, 2, then="Ada has 5: throws both again (2 left) or stands")
    mira.presses(mira.page.get_by_role("button", name="Stand"))
    mira.sees("Bo to throw")
    expect(mira.event("Ada stands with 5")).to_be_visible()


def the_rest_without_a_line(mira: Person, house: House) -> None:
    foresees(mira.page)
    house.kill()
    try:
        expect(mira.page.get_by_text("no line", exact=True)).to_be_visible(timeout=SOON)
        throw(mira, 6, 6, 5, 1, 1)
        mira.foresees("Bo throws for the crew (2 left)")
        throw(mira, 1, 2, 3)
        throw(mira, 1, 1, 2)
        expect(mira.page.locator("#log")).to_contain_text("Ada wins round 1 and takes 2 r")
        waits(mira, 3)
    finally:
        house.start()
    waits(mira, 0)


def booked(mira: Person, house: House) -> None:
    mira.sees_booked()
    expect(mira.event("Ada wins round 1 and takes 2 r")).to_be_visible()
    moved = [each for each in house.transfers(mira.game) if each[3] != "buy_in"]
    assert ("pot", "Ada", 2, "SC5") in moved
    processes.eventually(house.has_caught_up, log=house.log)


def is_missed(person: Person, address: str, sentence: str) -> None:
    answer = person.page.goto(address)
    assert answer is not None
    assert answer.status == 409
    expect(person.page.get_by_role("main")).to_contain_text(sentence)
    assert person.page.get_by_role("main").get_by_role("link").get_attribute("href") == "/"


def others_are_played(people: People) -> None:
    tomas = people.arrives("tomas")
    tomas.opens("Table 2", "Ada", "Bo")
    tomas.throws(2, 2, 7, then="Bo to throw")


def verifies(auditor: Person) -> None:
    """The ledger is as it was signed; what could not be compared is named."""
    auditor.page.goto("/proof/")
    verify = auditor.page.get_by_role("button", name="Verify now")
    auditor.presses(auditor.looks_until(verify))  # the one of the start may be on its way
    left_out = auditor.page.get_by_role("link", name="The package of ship-captain-crew")
    auditor.looks_until(left_out)
    expect(auditor.page.locator("#verification .sign").first).to_have_text("nothing wrong")
    auditor.presses(left_out)
    expect(auditor.page.locator(".facts")).to_contain_text("the games of ship-captain-crew")


def in_italian(person: Person, house: House) -> None:
    """Cash of the table where it still lies, as whoever reads Italian finds it."""
    ((table,),) = house.rows("SELECT id FROM establishments_table WHERE name = ?", "Table 1")
    person.page.goto("/floor/")
    person.presses(person.page.get_by_role("button", name="Italiano"))
    expect(person.page.locator("html")).to_have_attribute("lang", "it")
    is_missed(person, f"/cash/tables/{uuid.UUID(str(table))}/", IN_ITALIAN)
    expect(person.page.get_by_role("heading")).to_have_text("Questo gioco non è installato")
