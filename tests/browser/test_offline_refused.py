"""A table without a line: what is refused then, and what a second person must do (E5)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.offline import (
    ADA_PAIR,
    PAIR,
    RUN,
    asks,
    at_a_table,
    fates,
    line_again,
    no_line,
    round_of,
    throw,
    thrown,
    waits,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser


# --- The house says no ---------------------------------------------------------------------------


def refused(people: People, house: House) -> Person:
    """Two throws entered without a line, of which the house refuses the first: Ada has thrown."""
    mira = at_a_table(people)
    no_line(mira)
    round_of(mira)
    house.put("tomas", mira.game, "throw", player="Ada", dice=[3, 3, 4])
    line_again(mira)
    bar = asks(mira, "refused")
    expect(bar).to_contain_text(f"{ADA_PAIR} was refused")
    expect(bar).to_contain_text("Bo throws, not Ada. SH2")
    expect(bar).to_contain_text("1 entry after it waits.")
    mira.sees("Bo to throw")  # the house's board; nothing is foreseen past what it refused
    expect(mira.page.locator("#main")).not_to_have_attribute("data-ahead", re.compile("."))
    waits(mira, 2)
    return mira


def drops(mira: Person) -> None:
    mira.page.locator("#asks-drop").click()
    mira.page.get_by_role("button", name=f"Yes, drop {ADA_PAIR}").click()


def hands_over(mira: Person) -> None:
    mira.page.locator("#asks-late").click()
    mira.page.get_by_role("button", name="Yes, hand 2 over").click()


def looks_first(mira: Person) -> None:
    mira.page.get_by_role("button", name="Look first").click()
    expect(mira.page.locator("#asks-drop")).to_be_hidden()
    expect(mira.event("Ada pair")).to_be_visible()
    waits(mira, 2)
    mira.page.get_by_role("button", name="Decide what becomes of it").click()
    drops(mira)


CHOICES = [
    (drops, ["dropped", "recorded"], 2),
    (hands_over, ["late", "late"], 1),
    (looks_first, ["dropped", "recorded"], 2),
]


@pytest.mark.rows(1)
@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("chooses", "became", "on_record"), CHOICES)
def test_a_refusal_stops_the_queue_and_asks(
    people: People,
    house: House,
    chooses: Callable[[Person], None],
    became: list[str],
    on_record: int,
) -> None:
    mira = refused(people, house)

    chooses(mira)

    waits(mira, 0)
    expect(mira.page.locator('#asks [data-ask="refused"]')).to_be_hidden()
    assert fates(house, mira.game) == became
    assert len(thrown(house, mira.game)) == on_record
    if "late" in became:
        notice = asks(mira, "late")
        expect(notice).to_contain_text("2 entries went to the supervisor's list")


@pytest.mark.long
def test_nothing_is_entered_past_a_refusal(people: People, house: House) -> None:
    mira = refused(people, house)

    mira.taps(*RUN)

    expect(mira.page.locator("#asks")).to_be_focused()
    waits(mira, 2)
    assert len(thrown(house, mira.game)) == 1


@pytest.mark.long
def test_what_the_rules_refuse_is_refused_without_a_line_too(people: People, house: House) -> None:
    mira = at_a_table(people)
    no_line(mira)
    throw(mira, *PAIR)
    mira.page.locator('#throw [name="player"]').evaluate("field => { field.value = 'Ada'; }")

    mira.taps(*RUN)

    expect(mira.said).to_contain_text("Not recorded Bo throws, not Ada. SH2")
    waits(mira, 1)
    line_again(mira)
    waits(mira, 0)
    assert fates(house, mira.game) == ["recorded"]


# --- Undo, and acts of a second person -----------------------------------------------------------


@pytest.mark.long
def test_undo_without_a_line_is_an_entry_like_any_other(people: People, house: House) -> None:
    mira = at_a_table(people)
    no_line(mira)
    throw(mira, *PAIR)
    mira.page.get_by_role("button", name="Undo").click()
    mira.foresees("Ada to throw")
    throw(mira, *RUN)
    waits(mira, 3)
    mira.page.locator("#menu-waiting > summary").click()
    expect(mira.page.locator("[data-waiting-list]")).to_contain_text(ADA_PAIR)
    expect(mira.page.locator("[data-waiting-list]")).to_contain_text("Undo")
    line_again(mira)

    waits(mira, 0)
    mira.sees("Bo to throw")
    assert house.events(mira.game)[1:] == ["dice_thrown", "voided", "dice_thrown"]


@pytest.mark.long
def test_a_second_person_s_act_does_not_wait_on_a_device(people: People, house: House) -> None:
    mira, sela = people.arrives("mira"), people.arrives("sela")
    game = mira.opens("Table 1", "Ada", "Bo", stake=200)
    mira.throws(*PAIR, then="Bo to throw")
    mira.throws(*RUN, then="Ada to throw")
    mira.sees_booked()
    mira.asks_to_void()
    sela.goes_to("Table 1")
    no_line(sela)

    sela.page.get_by_role("button", name="Approve the void").click()

    expect(sela.said).to_contain_text("What a second person signs does not wait on a device")
    waits(sela, 0)
    line_again(sela)
    sela.page.wait_for_timeout(1_500)
    assert "voided" not in house.events(game)
    sela.page.get_by_role("button", name="Approve the void").click()
    sela.sees("Ada to throw")
