"""What pages ask by themselves: behind a proxy that compresses, and marked as such (D2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.offline import PAIR, RUN
from tests.browser.test_proxy import arrives, nginx
from tests.browser.test_wall import wall_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page, Request, Response

    from tests.browser.conftest import People
    from tests.browser.running import House

pytestmark = [pytest.mark.browser, pytest.mark.long]


def is_poll(answer: Response) -> bool:
    """Whether the page asked by itself, and said so (D2)."""
    return answer.request.headers.get("asked-by") == "page"


def is_html(answer: Response) -> bool:
    return answer.status == 200 and answer.headers["content-type"].startswith("text/html")


def polls_well(page: Page, happens: Callable[[], None]) -> None:
    """What a page draws is compressed; the events it asks for, too, are JSON, which is not."""
    with page.expect_response(lambda answer: is_poll(answer) and is_html(answer)) as news:
        happens()
    drawn = news.value
    assert drawn.headers["etag"].startswith("W/")  # compressed indeed
    page.wait_for_event("response", lambda answer: answer.url == drawn.url and answer.status == 304)


def test_a_poll_behind_nginx_that_compresses_is_answered_304_after_a_change(
    people: People, house: House, tmp_path: Path
) -> None:
    """Else the page is drawn anew each second: nobody can type into it, no session ends (D2)."""
    with nginx(house, tmp_path) as proxy:
        mira = arrives(people, proxy)
        game = mira.opens("Table 1", "Ada", "Bo", stake=200)
        hall, today, wall = (mira.page.context.new_page() for _ in range(3))
        hall.goto("/floor/")
        today.goto("/")
        wall.goto(wall_of(house, "Table 1"))
        for page, do, fields in (
            (mira.page, "throw", {"player": "Ada", "dice": list(PAIR)}),
            (hall, "throw", {"player": "Bo", "dice": list(RUN)}),
            (wall, "pause", {"note": "The dice are counted."}),
            (today, "close", {}),
        ):
            polls_well(page, lambda: house.put("sela", game, do, **fields))  # noqa: B023 - called at once


def test_what_a_person_asks_for_is_not_asked_by_the_page(people: People) -> None:
    """An act keeps a session open (D2), whether a link, a form, a sheet or a throw."""
    mira = people.arrives()
    mira.signs_in("mira")
    asked: list[tuple[str, str]] = []

    def heard(request: Request) -> None:
        if request.method == "POST" or "sheet" in request.url:
            asked.append((request.url, request.headers.get("asked-by", "")))

    mira.page.on("request", heard)
    mira.opens("Table 1", "Ada", "Bo", stake=200)
    mira.throws(*PAIR, then="Bo to throw")
    mira.page.locator("#log .goes-back").first.click()
    expect(mira.page.locator("dialog[open]")).to_be_visible()
    assert len(asked) >= 3, asked
    assert not [each for each in asked if each[1]], asked
