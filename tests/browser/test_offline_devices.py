"""A table without a line: other people and devices, and what a browser keeps or loses (E5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.browser.offline import (
    ENTRIES,
    PAIR,
    RUN,
    SESSION,
    WOULD_ASK,
    asks,
    at_a_table,
    come_to,
    fates,
    held_up,
    key,
    let_through,
    line_again,
    no_line,
    round_of,
    throw,
    thrown,
    waits,
)
from tests.browser.people import foresees

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.running import House

pytestmark = pytest.mark.browser
LATE_INDEXED_DB = """
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (...name) {
        const late = {};
        window.baseOpens = () => {
            const asked = open.apply(this, name);
            Object.defineProperty(late, "result", { get: () => asked.result });
            for (const on of ["onupgradeneeded", "onerror", "onsuccess"]) asked[on] = late[on];
        };
        return late;
    };
"""
NO_INDEXED_DB = "Object.defineProperty(window, 'indexedDB', { value: undefined })"


# --- Who sends -----------------------------------------------------------------------------------


@pytest.mark.long
def test_whoever_was_signed_out_is_told_how_much_waits(people: People, house: House) -> None:
    mira = at_a_table(people)
    held_up(mira.page)
    round_of(mira)
    waits(mira, 2)
    [session] = [each for each in mira.page.context.cookies() if SESSION.search(each["name"])]
    mira.page.context.clear_cookies(name=SESSION)
    let_through(mira.page)

    asked = asks(mira, "signed-out")

    expect(asked).to_contain_text("Signed out: sign in again; 2 entries wait")
    waits(mira, 2)
    mira.page.context.add_cookies([session])  # type: ignore[list-item]  # as the browser has it
    mira.page.reload()
    come_to(mira, house, "recorded", "recorded")
    waits(mira, 0)


@pytest.mark.long
def test_entries_of_somebody_else_wait_until_they_sign_in(people: People, house: House) -> None:
    people.forgets("mira")
    mira = at_a_table(people)
    page, game = mira.page, mira.game
    held_up(page)
    round_of(mira)
    waits(mira, 2)
    page.locator("#menu-who > summary").click()
    page.get_by_role("button", name="Sign out").click()
    expect(asks(mira, "leaving")).to_contain_text("2 entries wait on this device")
    page.get_by_role("button", name="Sign out all the same").click()
    page.wait_for_url("**/sign-in/**")
    people.forgets("mira")
    page.unroute(ENTRIES)

    mira.signs_in("tomas")
    page.goto(f"/floor/games/{game}/")

    bar = asks(mira, "other")
    expect(bar).to_contain_text("These 2 entries are Mira Solano's")
    expect(bar).to_contain_text("Mira Solano signs in to send them")
    assert thrown(house, game) == []
    page.locator("#asks-aside").click()
    page.get_by_role("button", name="Yes, set aside").click()
    foresees(page)
    throw(mira, *RUN)  # Tomas goes on
    waits(mira, 2)
    assert len(thrown(house, game)) == 1
    page.context.clear_cookies(name=SESSION)
    mira.signs_in("mira")
    page.goto(f"/floor/games/{game}/")
    come_to(mira, house, "late", "late", "recorded")
    waits(mira, 0)


# --- Leases and numbers --------------------------------------------------------------------------


@pytest.mark.long
def test_what_was_entered_while_another_device_took_over_goes_to_a_supervisor(
    people: People, house: House
) -> None:
    mira, sela = at_a_table(people), people.arrives("sela")
    no_line(mira)
    round_of(mira)
    waits(mira, 2)
    sela.goes_to("Table 1")
    sela.page.locator("#watching summary").click()
    sela.page.get_by_role("button", name="Record here from now on").click()
    sela.throws(1, 1, 5, then="Bo to throw")
    line_again(mira)

    waits(mira, 0)
    expect(mira.page.locator("#watching")).to_contain_text("took this table over at")
    expect(mira.page.locator("#watching")).to_contain_text(
        "2 of your entries wait for a supervisor"
    )
    assert sorted(fates(house, mira.game)) == ["late", "late", "recorded"]  # and Sela's own
    assert len(thrown(house, mira.game)) == 1


@pytest.mark.long
def test_entries_that_a_wiped_browser_has_lost_are_noticed(people: People, house: House) -> None:
    mira = at_a_table(people)
    game = mira.game
    throw(mira, *PAIR)
    waits(mira, 0)
    held_up(mira.page)
    throw(mira, *RUN)
    waits(mira, 1)
    mira.page.goto("/sign-in/")  # the base is closed by whoever uses it
    mira.page.evaluate(
        """() => new Promise((resolve) => {
            const asked = indexedDB.deleteDatabase("home-throw");
            asked.onsuccess = asked.onblocked = asked.onerror = resolve;
        })"""
    )
    mira.page.unroute(ENTRIES)
    mira.page.goto(f"/floor/games/{game}/")
    foresees(mira.page)
    mira.sees("Bo to throw")

    throw(mira, *RUN)

    waits(mira, 0)
    numbers = house.rows(
        "SELECT seq FROM devices_deviceentry WHERE game = ? ORDER BY seq", key(house, game)
    )
    assert numbers == [(1,), (3,)]
    gaps = house.rows("SELECT first, last FROM devices_gaprow WHERE game = ?", key(house, game))
    assert gaps == [(2, 2)]


@pytest.mark.long
def test_a_browser_that_keeps_nothing_says_so_and_records(people: People, house: House) -> None:
    mira = people.arrives("mira")
    mira.page.add_init_script(NO_INDEXED_DB)
    game = mira.opens("Table 1", "Ada", "Bo", stake=200)
    foresees(mira.page)
    expect(asks(mira, "unkept")).to_contain_text("This browser keeps nothing: do not close it")
    mira.page.get_by_role("button", name="I know").click()
    no_line(mira)
    round_of(mira)
    waits(mira, 2)
    line_again(mira)

    waits(mira, 0)
    assert fates(house, game) == ["recorded", "recorded"]


@pytest.mark.long
def test_a_base_that_opens_late_gets_what_was_taken_down_and_gives_what_waits(
    people: People, house: House
) -> None:
    mira = people.arrives("mira")
    mira.page.add_init_script(LATE_INDEXED_DB)
    game = mira.opens("Table 1", "Ada", "Bo", stake=200)
    foresees(mira.page)
    asks(mira, "unkept")
    held_up(mira.page)
    throw(mira, *PAIR)
    waits(mira, 1)
    mira.page.evaluate("window.baseOpens()")
    expect(mira.page.locator('#asks [data-ask="unkept"]')).to_be_hidden()

    mira.page.reload()
    foresees(mira.page)
    asks(mira, "unkept")
    mira.page.evaluate("window.baseOpens()")

    waits(mira, 1)
    mira.foresees("Bo to throw")
    throw(mira, *RUN)
    let_through(mira.page)
    waits(mira, 0)
    assert fates(house, game) == ["recorded", "recorded"]


@pytest.mark.long
def test_after_a_restored_backup_a_device_sends_again_and_all_counts_once(
    people: People, house: House
) -> None:
    mira = at_a_table(people)
    game = mira.game
    round_of(mira)
    waits(mira, 0)
    mira.page.evaluate(
        "house => window.floor.store.count(`epoch/${house}`, '0')",  # as of before the restore
        mira.page.locator("#board").get_attribute("data-house"),
    )
    with mira.page.expect_request(ENTRIES) as again:
        mira.page.reload()

    notice = asks(mira, "again")
    expect(notice).to_contain_text("2 entries of this device are sent again; each counts once.")
    assert (again.value.post_data or "").count("command_id") == 2
    waits(mira, 0)
    assert len(thrown(house, game)) == 2
    assert fates(house, game) == ["recorded", "recorded"]


@pytest.mark.long
def test_a_device_without_room_says_so_loses_nothing_and_plays_on(
    people: People, house: House
) -> None:
    mira = at_a_table(people)
    waits(mira, 0)
    without_room(mira.page)
    throw(mira, *PAIR)  # kept nowhere but here, and recorded by the house at once

    notice = asks(mira, "full")
    expect(notice).to_contain_text("This device has no room left: do not close this window")
    waits(mira, 0)
    assert len(thrown(house, mira.game)) == 1
    mira.page.get_by_role("button", name="I know").click()
    expect(notice).to_be_hidden()

    no_line(mira)
    throw(mira, *RUN)
    waits(mira, 1)  # and not shown as recorded
    expect(mira.page.locator("#say")).to_contain_text("Not recorded yet")
    assert mira.page.evaluate(WOULD_ASK)
    line_again(mira)

    waits(mira, 0)
    assert len(thrown(house, mira.game)) == 2
    assert fates(house, mira.game) == ["recorded", "recorded"]


def without_room(page: Page) -> None:
    """
    As a browser has it where the disk is full: what is there stays, nothing more is taken.

    Chromium's own switch for it (Storage.overrideQuotaForOrigin) does nothing to its databases.
    """
    page.evaluate(
        """() => { IDBObjectStore.prototype.put = IDBObjectStore.prototype.add = () => {
            throw new DOMException("The disk is full.", "QuotaExceededError");
        }; }"""
    )
