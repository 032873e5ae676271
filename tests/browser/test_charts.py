"""Charts in a browser: figures under the pointer and the keyboard, and all of them as a table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from casino.words.presenters import TITLES
from tests.browser.people import box_of

if TYPE_CHECKING:
    from tests.browser.conftest import People

pytestmark = [pytest.mark.browser, pytest.mark.long("postgresql")]


def test_a_chart_is_read_by_keyboard_and_by_pointer(people: People) -> None:
    orso = people.arrives("orso")
    orso.page.goto("/odds/stone-hand/")
    section = orso.page.get_by_role("region", name="Who loses")
    chart, told = section.locator("[data-chart]"), section.get_by_role("status")

    chart.press("Home")
    expect(told).to_have_text(re.compile(r"^Turn 1: \d+\.\d\d %$"))
    chart.press("ArrowRight")
    expect(told).to_have_text(re.compile("^Turn 2: "))
    chart.press("End")
    last = told.inner_text()
    chart.press("ArrowRight")  # there is nothing behind the last one
    expect(told).to_have_text(last)
    chart.press("Escape")
    expect(told).to_be_empty()

    section.locator(".plot-spot").nth(2).hover()
    expect(told).to_have_text(re.compile("^Turn 3: "))
    section.get_by_text("Show as table").click()
    figure = told.inner_text().partition(": ")[2]
    expect(section.get_by_role("table")).to_contain_text(figure)
    assert not orso.wrong


@pytest.mark.long
@pytest.mark.parametrize("width", [834, 1180, 1280, 1920])
def test_no_figure_of_the_start_page_stands_alone(people: People, width: int) -> None:
    orso = people.arrives("orso")
    orso.page.set_viewport_size({"width": width, "height": 820})
    orso.page.goto("/")

    tops = [box["y"] for box in map(box_of, orso.page.locator(".figures > div").all())]
    assert sorted(tops.count(top) for top in set(tops)) == [4, 4]


@pytest.mark.long
def test_a_page_that_updates_itself_keeps_what_is_read_in_its_charts(people: People) -> None:
    orso = people.arrives("orso")
    orso.page.goto("/")
    orso.page.evaluate(
        """() => {
             const page = document.querySelector("#today");
             const spot = (told) => `<g class="plot-spot"><title>${told}</title></g>`;
             const chart = (told) => `<div class="chart"><svg data-chart tabindex="0">` +
               `${spot("one")}${spot(told)}</svg><p role="status" data-chart-told></p>` +
               `<details data-kept="t"><summary>Table</summary></details></div>`;
             page.innerHTML = chart("two");
             page.querySelector("details").open = true;
             page.querySelector("svg").focus();
             page.querySelector("svg").dispatchEvent(
               new KeyboardEvent("keydown", { key: "End", bubbles: true }));
             const kept = window.charts.kept(page);
             page.innerHTML = chart("two, anew");
             kept();
           }"""
    )

    expect(orso.page.locator("[data-chart-told]")).to_have_text("two, anew")
    expect(orso.page.locator("svg[data-chart]")).to_be_focused()
    expect(orso.page.locator("details")).to_have_attribute("open", "")


def test_a_chart_on_a_phone_draws_all_of_its_words(people: People) -> None:
    orso = people.arrives("orso")
    orso.page.set_viewport_size({"width": 390, "height": 844})
    outside = {}
    for game in TITLES:
        orso.page.goto(f"/odds/{game}/")
        expect(orso.page.locator(".plot").first).to_be_visible()
        outside[game] = orso.page.evaluate(
            """() => [...document.querySelectorAll(".plot text")].filter((text) => {
                 const drawn = text.getBBox(), whole = text.ownerSVGElement.viewBox.baseVal;
                 return drawn.x < -1 || drawn.x + drawn.width > whole.width + 1;
               }).map((text) => text.textContent)"""
        )
    assert outside == {game: [] for game in TITLES}
