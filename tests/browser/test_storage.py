"""The book of a running house cannot be written for a while: what an attendant sees of it."""

from __future__ import annotations

import re
import resource
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg
import pytest
from playwright.sync_api import expect
from psycopg import sql

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.conftest import People
    from tests.browser.running import House

pytestmark = pytest.mark.browser


@contextmanager
def nothing_can_be_written(house: House) -> Iterator[None]:
    """On SQLite the kernel lets the house's process write to no file; a server turns read-only."""
    if house.database:
        say_of_all_sessions(house.database, "on")
    else:
        limit_of(house, 0)
    try:
        yield
    finally:
        if house.database:
            say_of_all_sessions(house.database, "off")
        else:
            limit_of(house, resource.RLIM_INFINITY)


def limit_of(house: House, most: int) -> None:
    assert house._process is not None
    resource.prlimit(house._process.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


def say_of_all_sessions(database: str, said: str) -> None:
    with psycopg.connect(database, autocommit=True) as server:
        server.execute("SET default_transaction_read_only = off")
        name = sql.Identifier(server.info.dbname)
        turned = sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = {}")
        server.execute(turned.format(name, sql.SQL(said)))
        server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


@pytest.mark.long
def test_a_throw_waits_on_the_page_until_the_book_can_be_written_and_counts_once(
    people: People, house: House
) -> None:
    mira = people.arrives("mira")
    game = mira.opens("Table 1", "Ada", "Bo")
    mira.throws(2, 2, 7, then="Bo to throw")

    with nothing_can_be_written(house):
        mira.taps(3, 4, 5)
        expect(mira.page.locator("#say")).to_contain_text("Not recorded yet")
        expect(mira.page.locator("#say")).to_contain_text(
            re.compile(r"The book is .*\. The same entry is sent again; it counts once\.")
        )
        mira.foresees("Ada to throw")  # nothing is shown as recorded that is not so
        expect(mira.page.locator("#menu-waiting")).to_contain_text("1 waiting")
        expect(mira.event("Bo run 4")).to_have_count(0)

    mira.sees("Ada to throw")
    mira.sees_booked()
    assert house.events(game) == ["game_opened", "dice_thrown", "dice_thrown", "round_lost"]
    assert house.transfers(game)[2:] == [("Ada", "pot", 7, "SH4")]


@pytest.mark.long
def test_a_page_that_was_sent_is_sent_again_from_the_page_that_says_so(
    people: People, house: House
) -> None:
    mira = people.arrives("mira")
    mira.goes_to("Table 1")
    mira.seats("Ada", "Bo")
    mira.page.get_by_label("Stake of each player").fill("12")
    opened = len(house.rows("SELECT 1 FROM ledger_event WHERE event_type = ?", "table.game_opened"))

    with nothing_can_be_written(house):
        mira.page.get_by_role("button", name="Open the game").click()
        expect(mira.page.get_by_text("What you entered is kept on this page.")).to_be_visible()
        mira.page.get_by_role("button", name="Send the same again").click()
        expect(mira.page.get_by_text("What you entered is kept on this page.")).to_be_visible()

    mira.page.get_by_role("button", name="Send the same again").click()
    mira.sees("Ada to throw")
    rows = house.rows("SELECT 1 FROM ledger_event WHERE event_type = ?", "table.game_opened")
    assert len(rows) == opened + 1
