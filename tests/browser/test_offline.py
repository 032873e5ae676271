"""A table without a line: what is entered meanwhile, and what becomes of it (E5)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import processes
from tests.browser.offline import (
    ENTRIES,
    GIVEN,
    KEPT,
    PAIR,
    RUN,
    SOON,
    at_a_table,
    fates,
    held_up,
    let_through,
    round_of,
    throw,
    thrown,
    waits,
)
from tests.browser.people import foresees, until

if TYPE_CHECKING:
    from playwright.sync_api import Route

    from tests.browser.conftest import People
    from tests.browser.running import House

pytestmark = pytest.mark.browser


# --- The line is lost, and comes back ------------------------------------------------------------


@pytest.mark.long
def test_an_evening_without_a_house_is_recorded_once_in_order_and_with_its_times(
    people: People, house: House
) -> None:
    mira = at_a_table(people)
    game = mira.game
    round_of(mira)
    waits(mira, 0)
    house.kill()
    try:
        expect(mira.page.get_by_text("no line", exact=True)).to_be_visible(timeout=SOON)
        for _ in range(15):
            round_of(mira)
        waits(mira, 30)
        # Stakes, round and turn go on as foreseen, and say that they are.
        expect(mira.seat("Ada")).to_contain_text("88")
        expect(mira.page.locator(".head-figures")).to_contain_text("17")
        expect(mira.page.locator("#main")).to_have_attribute("data-ahead", "30")
        expect(mira.page.locator("#log .ahead-word").first).to_be_visible()
        expect(mira.page.locator("#say")).to_contain_text("Not recorded yet No line.")
        assert len(thrown(house, game)) == 2
        ended = datetime.now(UTC)
    finally:
        house.start()

    waits(mira, 0)
    expect(mira.page.locator("#main")).not_to_have_attribute("data-ahead", re.compile("."))
    mira.sees_booked()
    throws = thrown(house, game)
    assert len(throws) == 32
    assert len({command for command, _at, _recorded in throws}) == 32
    happened = [at for _command, at, _recorded in throws]
    assert happened == sorted(happened)
    assert all(at <= ended < recorded for _command, at, recorded in throws[2:])
    assert fates(house, game) == ["recorded"] * 32
    assert house.events(game).count("round_lost") == 16


@pytest.mark.long
def test_answers_that_are_lost_make_nothing_count_twice(people: People, house: House) -> None:
    mira = at_a_table(people)
    sent: list[str] = []

    def lose_two_answers(route: Route) -> None:
        sent.append(route.request.post_data or "")
        if len(sent) <= 2:
            route.fetch()  # the house records it
            route.abort()
        else:
            route.continue_()

    mira.page.route(ENTRIES, lose_two_answers)
    round_of(mira)
    round_of(mira)

    waits(mira, 0)
    assert len(sent) >= 3
    assert len(thrown(house, mira.game)) == 4
    assert fates(house, mira.game) == ["recorded"] * 4
    mira.sees("Ada to throw")


@pytest.mark.long
def test_the_next_throw_does_not_wait_for_the_answer_to_the_last(
    people: People, house: House
) -> None:
    mira = at_a_table(people)
    held: list[Route] = []
    mira.page.route(ENTRIES, lambda route: held.append(route))  # noqa: PLW0108 - Playwright's wish

    round_of(mira)  # shown, tapped on, and shown again while the first is on its way
    round_of(mira)
    waits(mira, 4)
    assert len(held) == 1
    held[0].continue_()
    mira.page.unroute(ENTRIES)

    waits(mira, 0)
    assert len(thrown(house, mira.game)) == 4


@pytest.mark.long
def test_a_page_that_is_loaded_anew_shows_and_sends_what_waits(
    people: People, house: House
) -> None:
    mira = at_a_table(people)
    held_up(mira.page)
    throw(mira, *PAIR)
    mira.foresees("Bo to throw")
    waits(mira, 1)

    mira.page.reload()

    waits(mira, 1)
    mira.foresees("Bo to throw")
    expect(mira.page.locator("#main")).to_have_attribute("data-ahead", "1")
    throw(mira, *RUN)
    let_through(mira.page)
    waits(mira, 0)
    mira.sees("Ada to throw")
    assert fates(house, mira.game) == ["recorded", "recorded"]


@pytest.mark.long("postgresql")
def test_the_floor_starts_without_a_line_and_goes_on(people: People, house: House) -> None:
    mira = at_a_table(people, service_workers="allow")
    page, game = mira.page, mira.game
    until(page, KEPT, f"/floor/games/{game}/")
    round_of(mira)
    waits(mira, 0)
    until(page, GIVEN, [game, int(page.locator("#main").get_attribute("data-version") or "")])
    house.kill()
    try:
        page.goto("/floor/")
        expect(page.get_by_role("link", name="Table 1")).to_be_visible()
        page.goto(f"/floor/games/{game}/")
        foresees(page)
        expect(mira.seat("Ada")).to_contain_text("193")  # the page is older than the round
        round_of(mira)
        page.reload()
        waits(mira, 2)
        expect(mira.seat("Ada")).to_contain_text("186")
        throw(mira, *PAIR)
    finally:
        house.start()

    waits(mira, 0)
    assert len(thrown(house, game)) == 5
    assert fates(house, game) == ["recorded"] * 5


@pytest.mark.long
def test_the_way_to_all_tables_is_kept_whichever_page_came_first(people: People) -> None:
    game = people.arrives("mira").opens("Table 1", "Ada", "Bo")
    page = people.arrives("tomas", service_workers="allow").page
    page.goto(f"/floor/games/{game}/")  # by a link, on a device that has not seen the floor
    until(page, KEPT, f"/floor/games/{game}/")

    page.context.set_offline(True)
    page.goto("/floor/")

    expect(page.get_by_role("link", name="Table 1")).to_be_visible()
    assert page.evaluate("[...document.styleSheets].every(({ cssRules }) => cssRules.length > 0)")


@pytest.mark.long
def test_whoever_signs_out_leaves_no_page_behind(people: People, house: House) -> None:
    people.forgets("tomas")  # this session ends
    tomas = people.arrives("tomas", service_workers="allow")
    page = tomas.page
    game = tomas.opens("Table 1", "Ada", "Bo")
    until(page, KEPT, f"/floor/games/{game}/")
    page.locator("#menu-who > summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in/**")
    people.forgets("tomas")

    assert not page.evaluate(KEPT, f"/floor/games/{game}/")
    page.context.set_offline(True)
    page.goto(f"/floor/games/{game}/")
    expect(page.get_by_text("this page is not kept on this device")).to_be_visible()
    assert house.events(game) == ["game_opened"]


@pytest.mark.long
def test_what_one_tab_has_taken_down_another_sends(people: People, house: House) -> None:
    mira = at_a_table(people)
    other = mira.page.context.new_page()
    held_up(mira.page)
    held_up(other)
    other.goto(f"/floor/games/{mira.game}/")
    foresees(other)

    throw(mira, *PAIR)
    expect(other.locator("[data-waiting-count]")).to_have_text("1 waiting")
    expect(other.locator("h1.next")).to_have_text("Bo to throw")
    mira.page.close()
    let_through(other)

    expect(other.locator("[data-waiting-count]")).to_be_hidden(timeout=SOON)
    assert len(thrown(house, re.findall(r"games/([0-9a-f-]+)/", other.url)[0])) == 1


@pytest.mark.long
def test_two_tabs_of_a_table_number_their_entries_as_one(people: People, house: House) -> None:
    mira = at_a_table(people)
    game = mira.game
    other = mira.page.context.new_page()
    other.goto(f"/floor/games/{game}/")
    foresees(other)
    throw(mira, *PAIR)
    expect(other.locator("h1.next")).to_have_text("Bo to throw")
    for face in RUN:
        other.locator(f'.keys:not([hidden]) [data-face="{face}"]').click()
    expect(other.locator("h1.next")).to_have_text("Ada to throw")
    mira.sees("Ada to throw")
    throw(mira, *PAIR)
    waits(mira, 0)

    processes.eventually(lambda: fates(house, game) == ["recorded"] * 3)


@pytest.mark.long
def test_another_table_s_entries_are_counted_and_sent_from_any_page(
    people: People, house: House
) -> None:
    mira = at_a_table(people)
    game = mira.game
    held_up(mira.page)
    throw(mira, *PAIR)
    waits(mira, 1)

    mira.page.goto("/floor/")

    waits(mira, 1)
    mira.page.locator("#menu-waiting > summary").click()
    expect(mira.page.get_by_role("link", name="Table 1: 1 waiting")).to_have_attribute(
        "href", f"/floor/games/{game}/"
    )
    let_through(mira.page)
    waits(mira, 0)
    assert fates(house, game) == ["recorded"]
