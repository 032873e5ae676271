"""Beside the play (B3, C3, F1): breaks, a handover, a dispute from the table to its outcome."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.test_looks import IN_PLAY, SIZES, look

if TYPE_CHECKING:
    from tests.browser.conftest import People

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 360, "height": 740}
PAGES: list[ViewportSize] = [SIZES[0], PHONE]


@pytest.mark.long
def test_a_break_stops_the_table_until_play_goes_on(people: People) -> None:
    mira = people.arrives("mira")
    mira.opens("Table 1", "Ada", "Bo")
    mira.chooses("Pause the table with a note …")
    mira.page.get_by_label("Why, if it matters").fill("a die is on the floor")
    mira.page.get_by_role("button", name="Pause", exact=True).click()

    mira.sees("The table is paused")
    expect(mira.event("paused: a die is on the floor")).to_be_visible()
    expect(mira.page.locator("[data-face]")).to_have_count(0)
    found = look(mira, "paused", IN_PLAY)
    mira.page.get_by_role("button", name="Play goes on").click()
    mira.sees("Ada to throw")
    assert not found
    assert not mira.wrong


@pytest.mark.long
def test_b3_a_table_is_handed_over_between_two_tablets(people: People) -> None:
    mira, tomas = people.arrives("mira"), people.arrives("tomas")
    mira.opens("Table 1", "Ada", "Bo")
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.chooses("Hand the table over")
    expect(mira.page.get_by_role("button", name="Tomas Brandt")).to_be_visible()
    found = look(mira, "handing over", PAGES)
    mira.page.get_by_role("button", name="Tomas Brandt").click()
    expect(mira.page.get_by_text("signs in and takes it")).to_be_visible()

    tomas.goes_to("Table 1")
    found += look(tomas, "a table handed over", IN_PLAY)
    tomas.page.get_by_role("button", name="I take the table over as it stands").click()
    expect(tomas.event("takes the table over from")).to_be_visible()
    tomas.throws(3, 4, 5, then="Ada to throw")
    assert not found
    assert not mira.wrong + tomas.wrong


@pytest.mark.long
def test_c3_a_dispute_from_the_table_to_its_outcome(people: People) -> None:
    mira, sela = people.arrives("mira"), people.arrives("sela", viewport=PHONE)
    mira.opens("Table 1", "Ada", "Bo")
    mira.throws(2, 2, 7, then="Bo to throw")
    mira.throws(3, 4, 5, then="Ada to throw")
    mira.sees_booked()
    mira.chooses("Dispute, witness")
    mira.page.get_by_label("What is objected to, and by whom").fill("Ada says it was a one.")
    mira.page.get_by_role("button", name="Raise a dispute").click()
    expect(mira.page.get_by_text("What it pays waits; play goes on.")).to_be_visible()
    found = look(mira, "a table with a dispute", IN_PLAY)

    card = sela.card("Ada says it was a one.", at="/disputes/")
    found += look(sela, "disputes", PAGES)
    sela.page.set_viewport_size(PHONE)
    card.get_by_role("link", name="Look into it").click()
    expect(sela.page.get_by_role("heading", name="Step by step")).to_be_visible()
    found += look(sela, "dispute", PAGES)
    sela.page.set_viewport_size(PHONE)
    with sela.page.expect_download() as download:
        sela.page.get_by_role("link", name="Download everything").click()
    archive = zipfile.ZipFile(io.BytesIO(download.value.path().read_bytes()))
    assert "manifest.json" in archive.namelist()
    sela.page.get_by_label("Voided").check()
    sela.page.get_by_label("Reason").fill("The camera shows a one.")
    sela.page.get_by_role("button", name="Close the dispute").click()
    expect(sela.page.get_by_role("status")).to_contain_text("The dispute is closed: voided.")
    expect(mira.event("Void from 2 on")).to_be_visible()
    mira.sees("Ada to throw")
    sela.page.goto("/disputes/find/?player=Ada")
    found_again = sela.looks_until(sela.page.get_by_role("link", name="voided"))
    expect(found_again.first).to_be_visible()
    found += look(sela, "a round found", PAGES)
    assert not found
    assert not mira.wrong + sela.wrong
