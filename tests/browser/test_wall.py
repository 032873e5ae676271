"""Screens that look on: all tables at a glance, and wall boards without sign-in."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from casino.words.languages import spelled
from tests.browser.test_looks import SIZES, look

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser
SOON = 3_000  # milliseconds for news to be on every screen
SEEN_WITHIN = 3_500  # for a lost line, and a little for the browser


def configured(house: House, thing: str, pk: str | None, **values: Any) -> None:
    body = {"command_id": str(uuid.uuid4()), "thing": thing, "values": values, "reason": "Players"}
    manager = house.client("orso")
    [establishment] = manager.get("establishments/")["results"]
    sent = body | ({"id": pk} if pk else {})
    reply = manager.post(f"establishments/{establishment['id']}/configuration/", sent)
    assert not reply.refused, reply.body


def wall_of(house: House, name: str) -> str:
    """Switch a table's board on; its address."""
    [[pk, at, key]] = house.rows(
        "SELECT id, establishment_id, wall_key FROM establishments_table WHERE name = ?", name
    )
    configured(house, "table", str(uuid.UUID(str(pk))), wall=True)
    return f"/wall/{spelled.compact(uuid.UUID(str(at)))}{key}/"


def until(page: Page, seen: Callable[[], bool]) -> None:
    """Let the page's clock go on, a second at a time, until something is seen there."""
    for _ in range(600):
        if seen():
            return
        page.clock.run_for(1_000)
        page.wait_for_timeout(100)  # answers come in their own time
    raise AssertionError(page.locator("main").aria_snapshot())


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.querySelector('.table-name')?.textContent"))


# --- All tables ----------------------------------------------------------------------------------


@pytest.mark.long("sqlite")
def test_a_throw_is_on_the_hall_s_screen_soon_without_a_hand(people: People, house: House) -> None:
    mira, sela = people.arrives("mira"), people.arrives("sela")
    game = mira.opens("Table 1", "Ada", "Bo")
    sela.page.goto("/floor/")
    card = sela.page.get_by_role("link", name="Table 1")
    expect(card).to_contain_text("Ada to throw")

    house.put("mira", game, "throw", player="Ada", dice=[2, 2, 7])

    expect(card).to_contain_text("Bo to throw", timeout=SOON)
    assert not sela.wrong


@pytest.mark.long
def test_tables_are_found_and_opened_by_keys_alone(people: People) -> None:
    mira = people.arrives("mira")
    mira.opens("Table 2", "Ada", "Bo")
    page = mira.page
    page.goto("/floor/")

    page.keyboard.press("ArrowRight")
    first = focused(page)
    page.keyboard.press("ArrowRight")
    second = focused(page)
    page.keyboard.press("/")
    page.keyboard.type("ada")
    expect(page.locator(".table-card")).to_have_count(1)
    page.keyboard.press("Enter")
    found = focused(page)
    page.keyboard.press("/")
    page.keyboard.press("Delete")
    page.keyboard.press("Escape")
    expect(page.locator(".table-card").nth(1)).to_be_visible()
    page.keyboard.press("2")
    page.wait_for_url("**/floor/games/*/")

    assert first != second
    assert found == "Table 2"
    assert not mira.wrong


@pytest.mark.long
def test_who_needs_somebody_is_left_when_asked_for(people: People, house: House) -> None:
    mira = people.arrives("mira")
    game = mira.opens("Table 1", "Ada", "Bo")
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.throws(3, 4, 5, then="Ada to throw")
    house.put("mira", game, "dispute", round=1, reason="a cocked die")
    page = mira.page
    page.goto("/floor/")
    # Other tables need somebody, too, where the last game was closed and nobody was paid out.
    cards = page.locator(".table-card")
    disputed = cards.filter(has_text="disputed")
    needless = cards.filter(has_not=page.locator(".table-signs .sign:not(.sign-off)"))
    expect(disputed).to_have_count(1)
    expect(needless).not_to_have_count(0)

    page.keyboard.press("n")

    expect(needless).to_have_count(0)
    expect(disputed).to_have_count(1)
    expect(page.locator(".hall-count")).to_contain_text(re.compile(rf"\b{cards.count()} needs? "))
    page.reload()
    expect(needless).to_have_count(0)  # the address says what is looked for
    expect(disputed).to_have_count(1)
    assert not mira.wrong


@pytest.mark.long
def test_a_lost_line_is_seen_within_three_seconds_and_recovers_by_itself(
    people: People, house: House
) -> None:
    mira = people.arrives("mira")
    mira.opens("Table 1", "Ada", "Bo")
    wall = people.arrives()
    configured(house, "house", None, wall_names=False)
    wall.page.goto(wall_of(house, "Table 1"))
    mira.page.goto("/floor/")
    expect(mira.page.get_by_text("online", exact=True)).to_be_visible()
    house.kill()
    try:
        lost = mira.page.get_by_text("no line", exact=True)
        expect(lost).to_be_visible(timeout=SEEN_WITHIN)
        expect(wall.page.get_by_text("no line: this may be old")).to_be_visible(timeout=SEEN_WITHIN)
        expect(wall.page.get_by_text("Seat 1").first).to_be_visible()
    finally:
        house.start()

    expect(mira.page.get_by_text("online", exact=True)).to_be_visible()
    expect(wall.page.get_by_text("no line: this may be old")).to_be_hidden()


@pytest.mark.long
def test_a_line_that_swallows_everything_is_seen_too(people: People) -> None:
    mira = people.arrives("mira")
    mira.page.goto("/floor/")
    expect(mira.page.get_by_text("online", exact=True)).to_be_visible()

    mira.page.route("**/floor/tables/**", lambda _route: None)  # no answer, ever

    # An answer that was on its way already counts still: three seconds are from the last one.
    lost = mira.page.get_by_text("no line", exact=True)
    expect(lost).to_be_visible(timeout=SEEN_WITHIN + 3_000)
    mira.page.unroute("**/floor/tables/**")
    expect(mira.page.get_by_text("online", exact=True)).to_be_visible()


@pytest.mark.long
def test_whoever_is_signed_out_elsewhere_is_told_in_the_hall(people: People) -> None:
    mira = people.arrives("mira")
    mira.page.goto("/floor/")
    mira.page.context.clear_cookies()

    sign_in = mira.page.get_by_role("link", name="signed out: sign in again")
    expect(sign_in).to_be_visible(timeout=SOON)


@pytest.mark.long
def test_a_wall_takes_a_proxy_s_answer_for_none_and_comes_back(
    people: People, house: House
) -> None:
    wall = people.arrives()
    wall.page.goto(wall_of(house, "Table 1"))
    lost = wall.page.get_by_text("no line: this may be old")
    expect(lost).to_be_hidden()

    wall.page.route("**/board/", lambda route: route.fulfill(status=502, body="Bad Gateway"))
    expect(lost).to_be_visible(timeout=SEEN_WITHIN)
    expect(wall.page.locator(".wall-head")).to_be_visible()
    wall.page.unroute("**/board/")

    expect(lost).to_be_hidden()


# --- Wall boards ---------------------------------------------------------------------------------

SCREENS: Final[list[ViewportSize]] = [
    {"width": 1920, "height": 1080},
    {"width": 1280, "height": 720},
    {"width": 1080, "height": 1920},
]
# Thirds of the screen, across and down, in which nothing is written or drawn.
EMPTY = """() => {
  const seen = [...document.querySelectorAll(".wall svg")].map(svg => svg.getBoundingClientRect());
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const [text, range] = [texts.currentNode, document.createRange()];
    range.selectNodeContents(text);
    const shown = text.parentElement.checkVisibility({ visibilityProperty: true });
    if (text.data.trim() && shown) seen.push(...range.getClientRects());
  }
  const lies = (from, to, whole, third) => from < (third + 1) * whole / 3 && to > third * whole / 3;
  const empty = (name, within) =>
    [0, 1, 2].filter(third => !seen.some(box => box.width > 2 && within(box, third)))
      .map(third => `${name} ${third} is empty`);
  return [
    ...empty("column", (box, third) => lies(box.left, box.right, innerWidth, third)),
    ...empty("row", (box, third) => lies(box.top, box.bottom, innerHeight, third)),
  ];
}"""
# A large figure is higher than its line, and lies upon nothing.
CUT_OFF = """() => [...document.querySelectorAll(".wall :is(main, div, section, ul, ol)")]
  .filter(part => !part.matches("dl > div"))
  .filter(part => part.checkVisibility({ visibilityProperty: true }))
  .filter(({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
    scrollHeight > clientHeight + 8 || scrollWidth > clientWidth + 8)
  .map(part => `${part.className || part.tagName} ${part.scrollHeight}/${part.clientHeight}`)"""


@pytest.mark.once
def test_a_board_walks_through_its_parts_and_leaves_no_third_of_the_screen_empty(
    people: People, house: House
) -> None:
    mira, wall = people.arrives("mira"), people.arrives()
    game = mira.opens("Table 1", "Ada", "Bo", "Cyd")
    house.put("mira", game, "throw", player="Ada", dice=[2, 2, 7])
    configured(house, "house", None, wall=True, wall_seconds=5)
    [[key]] = house.rows("SELECT wall_key FROM establishments_establishment")
    page, wrong = wall.page, []
    page.clock.install()
    for address in (f"/wall/{key}/", wall_of(house, "Table 1")):
        for size in SCREENS:
            page.set_viewport_size(size)
            page.goto(address)
            parts = page.locator(".wall-walk > .wall-part")
            for turn in range(parts.count()):
                until(page, parts.nth(turn).is_visible)
                assert parts.filter(visible=True).count() == 1
                wrong += [(address[-8:], size["width"], turn, each)
                          for each in page.evaluate(EMPTY) + page.evaluate(CUT_OFF)]  # fmt: skip

    assert not wrong
    assert not wall.wrong


@pytest.mark.long
def test_a_board_loads_itself_again_where_its_page_is_another(people: People, house: House) -> None:
    wall = people.arrives()
    wall.page.clock.install()
    configured(house, "house", None, guests=False)
    wall.page.goto(wall_of(house, "Table 1"))
    expect(wall.page.locator(".wall-guests")).to_have_count(0)

    configured(house, "house", None, guests=True)
    until(wall.page, wall.page.locator(".wall-guests").is_visible)


@pytest.mark.long
def test_players_follow_the_game_on_the_wall(people: People, house: House) -> None:
    mira, wall = people.arrives("mira"), people.arrives()
    game = mira.opens("Table 1", "Ada", "Bo")
    page = wall.page
    configured(house, "house", None, wall_names=False)
    page.goto(wall_of(house, "Table 1"))
    expect(page.locator(".wall-next")).to_have_text("Seat 1 to throw")

    house.put("mira", game, "throw", player="Ada", dice=[2, 2, 7])

    expect(page.locator(".wall-next")).to_have_text("Seat 2 to throw", timeout=SOON)
    expect(page.locator(".wall-seat").first).to_contain_text("pair 7")
    house.put("mira", game, "throw", player="Bo", dice=[3, 4, 5])
    expect(page.locator(".wall-last")).to_contain_text("Seat", timeout=SOON)
    figures = page.locator(".wall-figures dd").first
    assert float(figures.evaluate("figure => parseFloat(getComputedStyle(figure).fontSize)")) >= 64
    assert not page.context.cookies()
    assert not wall.wrong


@pytest.mark.long
def test_a_board_that_is_switched_off_shows_nothing_and_comes_back(
    people: People, house: House
) -> None:
    wall = people.arrives()
    address = wall_of(house, "Table 1")
    wall.page.goto(address)
    [[pk]] = house.rows("SELECT id FROM establishments_table WHERE name = ?", "Table 1")
    table = str(uuid.UUID(str(pk)))

    configured(house, "table", table, wall=False)
    expect(wall.page.get_by_text("this board is switched off")).to_be_visible(timeout=SOON)
    expect(wall.page.locator(".wall-head")).to_be_hidden()

    configured(house, "table", table, wall=True)
    expect(wall.page.locator(".wall-head")).to_be_visible()


@pytest.mark.long
def test_all_of_it_is_readable(people: People, house: House) -> None:
    mira = people.arrives("mira")
    game = mira.opens("Table 1", "Ada", "Bo")
    house.put("mira", game, "throw", player="Ada", dice=[2, 2, 7])
    mira.page.goto("/floor/")
    found = look(mira, "all tables", SIZES)
    wall: Person = people.arrives()
    wall.page.goto(wall_of(house, "Table 1"))
    found += look(wall, "wall board", SIZES)
    [[key]] = house.rows("SELECT wall_key FROM establishments_establishment")
    configured(house, "house", None, wall=True)
    wall.page.goto(f"/wall/{key}/")
    found += look(wall, "wall board of the house", SIZES)

    assert not found
