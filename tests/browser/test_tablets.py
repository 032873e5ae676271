"""
What a tablet does to a page: it falls asleep in mid-throw, forgets what it has stored, zooms into
small fields, and puts its own bars and corners over the edges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.offline import asks, at_a_table, fates, held_up, let_through, throw, waits
from tests.forms import every

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.running import House

pytestmark = [pytest.mark.browser, pytest.mark.once]
TABLET: ViewportSize = {"width": 1024, "height": 768}
UPRIGHT: ViewportSize = {"width": 834, "height": 1112}
PHONE: ViewportSize = {"width": 390, "height": 844}
ASKEW = {"top": 24, "right": 30, "bottom": 21, "left": 40}
ON_END = {"top": 47, "right": 0, "bottom": 34, "left": 0}  # a phone held upright

NO_STORE = """
    for (const name of ["indexedDB", "localStorage", "sessionStorage", "caches"]) {
        Object.defineProperty(window, name, {
            get() { throw new DOMException("The operation is insecure.", "SecurityError"); },
        });
    }
"""
SMALL = """() => [...document.querySelectorAll("input, select, textarea")]
    .filter(({ type }) => !["hidden", "radio", "checkbox", "range", "file"].includes(type))
    .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
    .map((field) => field.outerHTML.slice(0, 120))"""
UNDER_THE_EDGES = """({ top, right, bottom, left }) =>
    [...document.querySelectorAll("a, button, summary, input, select, h1, h2, .sign, b")]
    .filter((each) => each.checkVisibility())
    .filter((each) => !each.closest(".visually-hidden, .skip, .rail, [hidden]"))
    .map((each) => [each, each.getBoundingClientRect()])
    .filter(([each, box]) => box.width > 1 && box.height > 1
        && box.top < innerHeight && box.bottom > 0 && box.left < innerWidth && box.right > 0)
    .filter(([each, box]) => box.top < top || box.left < left || box.right > innerWidth - right)
    .map(([each, box]) => `${each.outerHTML.slice(0, 90)} ${JSON.stringify(box)}`)"""
LIGHTS = """
    window.lights = [];
    const request = WakeLock.prototype.request;
    WakeLock.prototype.request = async function (...kind) {
        const lock = await request.apply(this, kind);
        window.lights.push(lock);
        return lock;
    };
"""


def command(page: Page, name: str, **values: Any) -> None:
    """Something that Chromium can be told to do, as a tablet does it by itself."""
    session = page.context.new_cdp_session(page)
    session.send(name, values)


# --- Asleep in mid-throw (test_half_entered.py has dice) -----------------------------------------


@pytest.mark.long
def test_words_that_are_half_entered_outlive_the_page(people: People) -> None:
    mira = people.arrives("mira", viewport=TABLET, has_touch=True)
    mira.opens("Table 1", "Ada", "Bo")
    mira.chooses("Pause the table with a note")
    mira.page.locator("#pause-note").fill("The lights went out")

    mira.page.reload()

    expect(mira.page.locator("#pause-note")).to_be_visible()
    expect(mira.page.locator("#pause-note")).to_have_value("The lights went out")
    assert not mira.wrong


@pytest.mark.long
def test_the_screen_stays_lit_while_somebody_plays(people: People) -> None:
    mira = people.arrives("mira", viewport=TABLET, has_touch=True)
    mira.page.add_init_script(LIGHTS)
    mira.opens("Table 1", "Ada", "Bo")

    lit = "() => window.lights.filter(({ released }) => !released).length"
    mira.page.wait_for_function(lit)
    mira.chooses("Close the game")
    mira.presses(mira.page.get_by_role("button", name="Yes, close the game"))

    mira.sees("The game is closed")
    mira.page.wait_for_function("() => window.lights.every(({ released }) => released)")


# --- What a browser keeps ------------------------------------------------------------------------


@pytest.mark.long
def test_whoever_has_only_a_tab_is_told_of_the_home_screen_once(people: People) -> None:
    mira = people.arrives("mira", viewport=TABLET, has_touch=True)
    mira.page.goto("/floor/")

    notice = asks(mira, "tab")
    expect(notice).to_contain_text("choose Add to Home Screen")
    mira.page.get_by_role("button", name="I know").click()
    expect(notice).to_be_hidden()
    mira.page.reload()
    expect(mira.page.locator("#tables .table-card").first).to_be_visible()
    mira.page.evaluate("() => window.floor.lasting.ask()")

    expect(notice).to_be_hidden()
    assert not mira.wrong


@pytest.mark.long
def test_a_browser_that_promises_to_keep_says_nothing(people: People) -> None:
    mira = people.arrives("mira")
    mira.page.add_init_script("StorageManager.prototype.persist = async () => true;")
    mira.page.goto("/floor/")

    assert mira.page.evaluate("() => window.floor.lasting.ask()") == ""
    expect(mira.page.locator("#asks")).to_be_hidden()


@pytest.mark.long
def test_a_base_that_was_closed_in_a_tablet_s_sleep_is_opened_again(
    people: People, house: House
) -> None:
    mira = at_a_table(people)
    throw(mira, 2, 2, 7)
    waits(mira, 0)
    command(mira.page, "Storage.clearDataForOrigin", origin=house.address, storageTypes="indexeddb")
    held_up(mira.page)

    throw(mira, 3, 4, 5)

    waits(mira, 1)
    assert mira.page.evaluate("() => window.floor.store.unkept()") == ""
    mira.page.reload()
    waits(mira, 1)
    let_through(mira.page)
    waits(mira, 0)
    assert fates(house, mira.game) == ["recorded", "recorded"]


@pytest.mark.long
def test_where_storage_is_refused_the_floor_says_so_and_plays_on(
    people: People, house: House
) -> None:
    mira = people.arrives("mira")
    mira.page.add_init_script(NO_STORE)
    mira.page.goto("/floor/")
    expect(asks(mira, "unkept")).to_contain_text("This browser keeps nothing: do not close it")
    game = mira.opens("Table 1", "Ada", "Bo")
    asks(mira, "unkept")
    mira.page.get_by_role("button", name="I know").click()

    mira.throws(2, 2, 7, then="Bo to throw")
    mira.throws(3, 4, 5, then="Ada to throw")

    assert fates(house, game) == ["recorded", "recorded"]
    assert not mira.wrong


# --- Fingers and edges ---------------------------------------------------------------------------

PAGES = [
    "/floor/", "/me/", "/me/pin/", "/cash/", "/payouts/", "/games/", "/players/", "/pots/",
    "/disputes/", "/odds/", "/approvals/", "/reports/", "/people/", "/people/invite/",
    "/settings/", "/settings/tables/", "/what-if/", "/search/", "/dice/", "/ledger/", "/late/",
]  # fmt: skip


@pytest.mark.long
def test_no_field_is_so_small_that_safari_zooms_into_it(people: People) -> None:
    orso = people.arrives("orso", viewport=UPRIGHT, has_touch=True)
    game = orso.opens("Table 1", "Ada", "Bo")
    small: list[str] = []
    for path in [f"/floor/games/{game}/", *PAGES[:: every(8)]]:
        orso.page.goto(path)
        small += [f"{path}: {each}" for each in orso.page.evaluate(SMALL)]

    assert not small


@pytest.mark.long
@pytest.mark.rows(1)
@pytest.mark.parametrize(
    ("size", "insets"),
    [(TABLET, ASKEW), (UPRIGHT, ASKEW), (PHONE, ON_END)],
    ids=["tablet", "upright", "phone"],
)
def test_nothing_lies_under_a_camera_or_a_rounded_corner(
    people: People, size: ViewportSize, insets: dict[str, int]
) -> None:
    mira = people.arrives("mira", viewport=size, has_touch=True)
    page = mira.page
    command(page, "Emulation.setSafeAreaInsetsOverride", insets=insets)
    mira.opens("Table 1", "Ada", "Bo")
    under: list[str] = []
    for path in (page.url, "/floor/", "/cash/"):
        page.goto(path)
        under += [f"{path}: {each}" for each in page.evaluate(UNDER_THE_EDGES, insets)]
    page.context.clear_cookies()
    page.goto("/sign-in/")

    assert not under + page.evaluate(UNDER_THE_EDGES, insets)
    assert page.evaluate("() => document.scrollingElement.scrollHeight <= innerHeight")
