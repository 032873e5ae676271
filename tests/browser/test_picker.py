"""Who may be an excluded person under another spelling is named beside the field."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.people import box_of, until
from tests.browser.test_redraws import UNFOLD
from tests.browser.test_taps import opens

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

    from tests.browser.conftest import People
    from tests.browser.running import House

pytestmark = [pytest.mark.browser, pytest.mark.long]
WARNING = "May be the same person as Müller, who is excluded: ask who it is. P1"
LIST = "#picker-list"
REDRAW = """() => {
    document.querySelector(".picker-note").dataset.before = "";
    floor.askAnew();
}"""


def warns_of_mueller(page: Page, *held: Route) -> list[Route]:
    """The house as it would answer, were Müller excluded; whoever types "Muel" waits for it."""
    waiting = list(held)

    def answer(route: Route) -> None:
        letters = parse_qs(urlsplit(route.request.url).query).get("letters", [""])[0]
        like = letters.startswith("Mue")
        players = [{"name": "Mueller Ida", "lately": False, "warning": ""}] if like else []
        said = {"players": players, "warning": WARNING if like else ""}
        if letters == "Muel":
            waiting.append(route)
        else:
            route.fulfill(body=json.dumps(said), content_type="application/json")

    page.route("**/players/**", answer)
    return waiting


def notes(page: Page) -> list[str]:
    return page.locator(".picker-note").all_inner_texts()


def note(page: Page, seat: int) -> Locator:
    return page.locator(".seat-row").nth(seat - 1).locator(".picker-note")


LONG = (
    "Forse è la stessa persona di Maximiliane Bellucci-Castelfranco Müller, una persona esclusa:"
    " chiedi chi è. P1"
)
STANDS_FREE = """(note) => {
    const rows = [...document.querySelectorAll(".seat-row")];
    const box = note.getBoundingClientRect();
    const next = rows[rows.indexOf(note.closest(".seat-row")) + 1].getBoundingClientRect();
    return box.bottom + 4 <= next.top && note.scrollHeight <= note.clientHeight;
}"""


def test_a_long_warning_on_a_phone_is_whole_and_beside_no_other_seat(people: People) -> None:
    mira = people.arrives("mira", viewport={"width": 390, "height": 844}, has_touch=True)
    mira.goes_to("Table 1")
    told = note(mira.page, 1)
    told.evaluate("(note, text) => { note.textContent = text; }", LONG)
    assert told.evaluate(STANDS_FREE)


def test_each_seat_has_its_own_warning_as_long_as_the_name_stands_there(people: People) -> None:
    mira = people.arrives("mira")
    page = mira.page
    warns_of_mueller(page)
    mira.goes_to("Table 1")
    first, second = (page.get_by_label(f"Name at seat {seat}") for seat in (1, 2))
    more = page.get_by_role("button", name="One more seat")
    before = box_of(more)

    first.press_sequentially("Mueller")
    second.focus()  # at once: what is said of the first belongs to the first
    expect(note(page, 1)).to_have_text(WARNING)
    expect(page.locator(LIST)).to_be_hidden()
    second.fill("Bo")
    first.fill("Muel")
    second.focus()
    page.wait_for_timeout(300)
    assert notes(page) == ["", "", ""]
    expect(page.locator(LIST)).to_be_hidden()
    first.fill("Mueller")
    expect(note(page, 1)).to_have_text(WARNING)
    assert box_of(more) == before
    more.click()
    assert notes(page) == [WARNING, "", "", ""]

    first.fill("")
    expect(note(page, 1)).to_be_empty()
    assert not mira.wrong


def test_a_name_that_a_button_puts_there_is_looked_up_and_a_redraw_takes_no_warning(
    people: People, house: House
) -> None:
    mira = people.arrives("mira")
    page = mira.page
    warns_of_mueller(page)
    mira.opens("Table 1", "Bo", "Mueller", stake=7)
    house.put("sela", mira.game, "close")
    mira.goes_to("Table 1")
    lately = page.get_by_role("group", name="Sat here lately")
    lately.get_by_role("button", name="Mueller", exact=True).click()
    expect(note(page, 1)).to_have_text(WARNING)
    page.get_by_role("button", name="The same seats again").click()
    expect(note(page, 2)).to_have_text(WARNING)

    opens(mira, "Cinnabar Gate")
    assert page.evaluate(UNFOLD, "join-player")
    page.locator("#join-player").fill("Mueller")
    expect(page.locator(".picker-note")).to_have_text(WARNING)
    page.locator("#join-stake").focus()
    page.evaluate(REDRAW)
    until(page, "() => !document.querySelector('[data-before]')")
    expect(page.locator(".picker-note")).to_have_text(WARNING)
    assert not mira.wrong
