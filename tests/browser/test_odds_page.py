"""The page of odds in a browser: readable in both themes and every size, and asked by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from casino.play.dice.odds.queries import GAMES
from tests.browser.test_looks import SMALLEST, look

if TYPE_CHECKING:
    from tests.browser.conftest import People

pytestmark = [pytest.mark.browser, pytest.mark.once]


@pytest.mark.long
def test_the_odds_of_every_game(people: People) -> None:
    orso = people.arrives("orso")
    found = []
    for game in GAMES:
        orso.page.goto(f"/odds/{game}/")
        orso.page.get_by_text("House options, and more").click()
        found += look(orso, f"odds of {game}", SMALLEST)

    assert not found
    assert not orso.wrong


@pytest.mark.long
def test_dice_are_entered_and_the_best_keep_is_marked(people: People) -> None:
    mira = people.arrives("mira")
    mira.page.goto("/odds/threes-away/")
    for place, face in enumerate((1, 3, 3, 5, 6), 1):
        mira.page.get_by_label(f"Dice, die {place}, d6").select_option(str(face))
    mira.page.get_by_label("Target").fill("4")
    mira.page.get_by_role("button", name="Show the odds").click()
    expect(mira.page.locator(".odds-best")).to_contain_text("49.42 %")
    found = look(mira, "odds, what to keep")
    mira.page.goto("/odds/stone-hand/?home_throw=2,2,3")
    expect(mira.said).to_contain_text("is another scoring throw")
    found += look(mira, "odds, refused", SMALLEST)

    assert not found
    assert not mira.wrong
