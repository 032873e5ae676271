"""Several people and a machine that fails: requests, approvals, a server that dies."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.people import box_of, foresees

if TYPE_CHECKING:
    from playwright.sync_api import Route

    from tests.browser.conftest import People
    from tests.browser.running import House

pytestmark = pytest.mark.browser
SOON = 2_000  # milliseconds for news to be on every board


@pytest.mark.long
def test_a_void_of_an_ended_round_is_asked_for_approved_and_reversed(
    people: People, house: House
) -> None:
    mira, sela = people.arrives("mira"), people.arrives("sela")
    game = mira.opens("Table 1", "Ada", "Bo")
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.throws(3, 4, 5, then="Ada to throw")
    mira.sees_booked()
    sela.goes_to("Table 1")

    mira.asks_to_void()
    asked = sela.page.get_by_role("region", name="A void waits for a second person")
    expect(asked).to_contain_text("Mira Solano asks for a void", timeout=SOON)
    expect(asked).to_contain_text("Ada pair 7")
    expect(asked).to_contain_text("2 entries go back")
    expect(mira.page.locator(".asks")).to_contain_text("You asked for a void")
    expect(mira.page.get_by_role("button", name="Approve the void")).to_have_count(0)
    sela.page.goto("/floor/")
    expect(sela.page.get_by_role("link", name="Table 1")).to_contain_text("1 request")
    sela.goes_to("Table 1")
    sela.page.get_by_role("button", name="Approve the void").click()

    for person in (mira, sela):
        expect(person.next_action).to_have_text("Ada to throw", timeout=SOON)
        expect(person.seat("Ada")).to_contain_text("12\N{NO-BREAK SPACE}r")
        person.sees_booked()
        expect(person.event("Bo run 4")).to_contain_text("void")
        assert not person.wrong
    assert house.transfers(game)[2:] == [
        ("Ada", "pot", 7, "SH4"),
        ("pot", "Ada", 7, "G4"),
    ]


@pytest.mark.long
def test_a_request_may_be_rejected_and_everything_stays(people: People, house: House) -> None:
    mira, orso = people.arrives("mira"), people.arrives("orso")
    game = mira.opens("Table 1", "Ada", "Bo")
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.throws(3, 4, 5, then="Ada to throw")
    mira.sees_booked()
    mira.asks_to_void()
    orso.goes_to("Table 1")

    orso.page.get_by_role("button", name="Reject").click()

    expect(mira.page.locator(".asks")).to_have_count(0, timeout=SOON)
    expect(mira.event("is rejected")).to_be_visible()
    assert house.events(game)[-2:] == ["void_requested", "void_rejected"]
    assert house.transfers(game)[2:] == [("Ada", "pot", 7, "SH4")]


@pytest.mark.long
def test_news_takes_nothing_away_from_under_a_finger(people: People, house: House) -> None:
    mira = people.arrives("mira")
    game = mira.opens("Table 1", "Ada", "Bo")
    more = mira.page.get_by_text("More", exact=True)
    box = box_of(more)
    mira.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mira.page.mouse.down()
    house.put("sela", game, "throw", player="Ada", dice=[2, 2, 7])
    mira.page.wait_for_timeout(1_500)  # longer than the page takes to ask
    mira.sees("Ada to throw")
    mira.page.mouse.up()
    expect(mira.page.locator("#menu-more")).to_have_attribute("open", "")
    expect(mira.next_action).to_have_text("Bo to throw", timeout=SOON)
    assert not mira.wrong


@pytest.mark.long
def test_an_entry_whose_answer_is_lost_is_sent_again_and_counts_once(
    people: People, house: House
) -> None:
    mira = people.arrives("mira")
    game = mira.opens("Table 1", "Ada", "Bo")
    sent: list[str] = []

    def lose_the_answer(route: Route) -> None:
        sent.append(route.request.post_data or "")
        route.fetch()  # the house records it
        route.abort()

    mira.page.route("**/entries/", lose_the_answer)
    mira.taps(2, 2, 7)
    expect(mira.page.locator("#say")).to_contain_text("Not recorded yet")
    mira.page.unroute("**/entries/")
    mira.page.on(
        "request",
        lambda each: sent.append(each.post_data or "") if each.url.endswith("/entries/") else None,
    )
    mira.sees("Bo to throw")
    expect(mira.page.locator("#menu-waiting")).to_be_hidden()

    first, *others = (json.loads(body)["entries"] for body in sent)
    assert others
    assert all(each == first for each in others)  # what the device knows by then may be more
    assert house.events(game) == ["game_opened", "dice_thrown"]


@pytest.mark.long("sqlite")
def test_a_server_that_dies_in_the_middle_loses_and_doubles_nothing(
    people: People, house: House
) -> None:
    mira = people.arrives("mira")
    game = mira.opens("Table 1", "Ada", "Bo")
    mira.throws(2, 2, 7, then="Bo to throw")
    foresees(mira.page)
    house.kill()
    try:
        expect(mira.page.get_by_text("no line", exact=True)).to_be_visible()
        mira.taps(3, 4, 5)
        expect(mira.page.locator("#say")).to_contain_text("Not recorded yet")
        mira.foresees("Ada to throw")  # nothing is shown as recorded that is not so
        expect(mira.page.locator("#menu-waiting")).to_contain_text("1 waiting")
        expect(mira.page.locator(".head-settled")).to_have_text("foreseen")
        expect(mira.event("Bo run 4")).to_have_count(0)
    finally:
        house.start()

    mira.sees("Ada to throw")
    expect(mira.page.get_by_text("online", exact=True)).to_be_visible()
    mira.sees_booked()
    assert house.events(game) == ["game_opened", "dice_thrown", "dice_thrown", "round_lost"]
    assert house.transfers(game)[2:] == [("Ada", "pot", 7, "SH4")]


@pytest.mark.long
@pytest.mark.parametrize("path", ["/floor/"])
def test_whoever_signs_out_elsewhere_is_told_on_the_table(people: People, path: str) -> None:
    mira = people.arrives("mira")
    mira.opens("Table 1", "Ada", "Bo")
    mira.page.context.clear_cookies()

    sign_in = mira.page.get_by_role("link", name="signed out: sign in again")
    expect(sign_in).to_be_visible()
    mira.page.goto(path)
    mira.page.wait_for_url(f"**/sign-in/?next={path}")
