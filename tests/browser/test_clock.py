"""A tablet whose clock was fast and is set right: what it keeps holds nothing up (E3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from casino.engine.processes import paths
from tests.browser.offline import (
    ADA_PAIR,
    ENTRIES,
    KEPT,
    PAIR,
    asks,
    at_a_table,
    come_to,
    held_up,
    let_through,
    round_of,
    throw,
    waits,
)
from tests.browser.people import foresees, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

HOUR, DAY, YEAR = 3600, 24 * 3600, 365 * 24 * 3600  # seconds
SCRIPTS = paths.STATIC / "js"
CLOCK = """
    const Right = Date;
    const ahead = () => 1000 * Number(localStorage.getItem("clock-ahead") ?? 0);
    window.Date = class extends Right {
        constructor(...given) { super(...(given.length ? given : [Right.now() + ahead()])); }
        static now() { return Right.now() + ahead(); }
    };
"""
LAST_SECOND = """() => {
    const form = document.querySelector("[data-undo-seconds]");
    if (form && !form.hidden && form.dataset.undoLeft !== "1") {
        form.dataset.undoLeft = 1;
        document.dispatchEvent(new CustomEvent("floor:shown"));
    }
    return form?.hidden;
}"""  # set again, where news has drawn the board anew
KEPT_LATER = """async () => {
    const rows = await new Promise((resolve) => {
        const asked = indexedDB.open("home-throw");
        asked.onsuccess = () => {
            const all = asked.result.transaction("entries").objectStore("entries").getAll();
            all.onsuccess = () => { asked.result.close(); resolve(all.result); };
        };
    });
    return rows.filter(({ done_at: at }) => at > Date.now()).length;
}"""
LATER_PAGE = """async ([path, seconds]) => {
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        const page = await cache.match(path);
        if (!page) continue;
        const headers = new Headers(page.headers);
        headers.set("X-Kept-At", String(Date.now() + 1000 * seconds));
        await cache.put(path, new Response(await page.text(), { headers }));
    }
}"""


def fast(person: Person, seconds: int) -> None:
    """Its clock is fast from the next page on, and for what this page does from now on."""
    person.page.context.add_init_script(CLOCK)
    person.page.evaluate(f"() => {{ {CLOCK} }}")
    ahead(person.page, seconds)


def ahead(page: Page, seconds: int) -> None:
    page.evaluate("seconds => localStorage.setItem('clock-ahead', String(seconds))", seconds)


def right(page: Page) -> None:
    ahead(page, 0)


def sent_from_a_fast_clock(people: People, seconds: int) -> Person:
    """In mid-request its tab was closed; its clock was set right, and the page was opened anew."""
    mira = at_a_table(people)
    fast(mira, seconds)
    mira.page.route(ENTRIES, lambda _route: None)  # in mid-request
    throw(mira, *PAIR)
    waits(mira, 1)
    address, other = mira.page.url, mira.page.context.new_page()
    mira.page.close()
    mira.page = other
    other.goto("/healthz/web")
    right(other)
    other.goto(address)
    return mira


@pytest.mark.browser
@pytest.mark.rows(1)
@pytest.mark.long("postgresql")
@pytest.mark.parametrize("seconds", [HOUR, DAY - HOUR])
def test_what_was_on_its_way_when_the_tab_was_closed_is_sent_soon(
    people: People, house: House, seconds: int
) -> None:
    mira = sent_from_a_fast_clock(people, seconds)

    waits(mira, 0)
    come_to(mira, house, "recorded")


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.parametrize(
    ("way", "sure", "became"),
    [("drop", f"Yes, drop {ADA_PAIR}", "dropped"), ("late", "Yes, hand it over", "late")],
)
def test_what_is_dated_too_far_ahead_has_a_way_out(
    people: People, house: House, way: str, sure: str, became: str
) -> None:
    """Entries of a clock that is a year fast are refused, so somebody decides about them."""
    mira = sent_from_a_fast_clock(people, YEAR)

    expect(asks(mira, "refused")).to_contain_text("more than a day ahead of the house")
    mira.page.locator(f"#asks-{way}").click()
    mira.page.get_by_role("button", name=sure).click()

    waits(mira, 0)
    come_to(mira, house, became)


# --- Everything else that is kept with a moment ---------------------------------------------------


def of_a_hidden_undo(people: People, _house: House) -> None:
    mira = at_a_table(people)
    fast(mira, HOUR)
    round_of(mira)  # what ends a round is undone for some seconds only
    waits(mira, 0)
    right(mira.page)
    mira.page.reload()
    foresees(mira.page)
    expect(mira.page.locator("[data-undo-seconds]")).to_be_visible()

    until(mira.page, LAST_SECOND)


def of_a_refusal(people: People, house: House) -> None:
    """A tap of an hour ago is not in sight: its refusal is asked about, not passed over."""
    mira = at_a_table(people)
    fast(mira, HOUR)
    held_up(mira.page)
    throw(mira, *PAIR)
    waits(mira, 1)
    house.put("tomas", mira.game, "throw", player="Ada", dice=[3, 3, 4])
    right(mira.page)

    let_through(mira.page)

    expect(asks(mira, "refused")).to_contain_text(f"{ADA_PAIR} was refused")
    mira.page.locator("#asks-drop").click()
    mira.page.get_by_role("button", name=f"Yes, drop {ADA_PAIR}").click()
    waits(mira, 0)


def of_answered_entries(people: People, _house: House) -> None:
    mira = at_a_table(people)
    fast(mira, DAY - HOUR)  # of more, the house takes nothing
    throw(mira, *PAIR)
    waits(mira, 0)
    right(mira.page)
    assert mira.page.evaluate(KEPT_LATER) == 1

    mira.page.reload()
    foresees(mira.page)

    until(mira.page, f"async () => await ({KEPT_LATER})() === 0")


def of_a_kept_page(people: People, _house: House) -> None:
    mira = at_a_table(people, service_workers="allow")
    path = f"/floor/games/{mira.game}/"
    until(mira.page, KEPT, path)
    mira.page.evaluate(LATER_PAGE, [path, YEAR])
    mira.page.context.set_offline(True)

    mira.page.goto(path)

    expect(mira.page.get_by_text("this page is not kept on this device")).to_be_visible()
    mira.page.context.set_offline(False)


def of_what_was_said(people: People, _house: House) -> None:
    mira = at_a_table(people)
    fast(mira, YEAR)
    mira.page.evaluate("window.floor.lasting.wasTold()")
    right(mira.page)

    mira.page.evaluate("window.floor.lasting.known = 'tab'")

    assert mira.page.evaluate("window.floor.lasting.isToBeTold()")


def of_a_half_open_form(people: People, _house: House) -> None:
    mira = people.arrives("mira")
    mira.goes_to("Table 1")
    fast(mira, YEAR)
    mira.seats("Ada")
    mira.page.reload()
    expect(mira.page.get_by_label("Name at seat 1")).to_have_value("Ada")  # it is kept
    right(mira.page)
    mira.page.evaluate(
        "() => { window.Date = class extends Date { static now() { return super.now() + 1e12; } } }"
    )

    mira.page.reload()  # kept under a date that is far ahead

    expect(mira.page.get_by_label("Name at seat 1")).to_have_value("")


def of_a_half_entered_throw(people: People, _house: House) -> None:
    """Dice that were put in an hour from now were left alone, as after an hour."""
    mira = at_a_table(people)
    fast(mira, HOUR)
    mira.taps(2, 2)
    right(mira.page)

    mira.page.mouse.click(1, 1)

    expect(mira.page.locator("#say")).to_contain_text("Left half entered")
    expect(mira.page.locator(".slot:not(:disabled)")).to_have_count(0)


MOMENTS: dict[str, tuple[int, Callable[[People, House], None] | None]] = {
    "floor/store.js": (4, of_answered_entries),  # and the sender's lock, above
    "floor/undo.js": (1, of_a_hidden_undo),
    "floor/send.js": (2, of_a_refusal),
    "floor/worker.js": (2, of_a_kept_page),
    "floor/lasting.js": (2, of_what_was_said),
    "half_open.js": (2, of_a_half_open_form),
    "floor/taps.js": (2, of_a_half_entered_throw),
    "floor/waiting.js": (2, None),  # how old what waits is: only shown
    "hall.js": (2, None),  # the same of a table
}
"""By script: how often it reads a clock, and what is tried of that; None: nothing rests on it."""


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.parametrize("script", [name for name, (_, tried) in MOMENTS.items() if tried])
def test_a_moment_ahead_of_the_clock_is_believed_by_no_script(
    people: People, house: House, script: str
) -> None:
    _, tried = MOMENTS[script]
    assert tried is not None
    tried(people, house)


def test_every_script_that_reads_a_clock_is_tried() -> None:
    """A moment that is kept and compared needs an end that no wrong clock can put off."""
    found = {}
    for script in sorted(SCRIPTS.rglob("*.js")):
        if reads := len(re.findall(r"Date\.now\(|Date\.parse\(", script.read_text())):
            found[str(script.relative_to(SCRIPTS))] = reads
    assert found == {script: reads for script, (reads, _) in MOMENTS.items()}
