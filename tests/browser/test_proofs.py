"""Proof in a browser: a receipt from table to verifier; what its holder sees; the office."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import segno
from playwright.sync_api import ViewportSize, expect

from tests.browser.test_looks import PICTURES, SIZES, look
from tests.support.proving import told

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 360, "height": 740}
TABLET_AND_DESK = [SIZES[0], SIZES[1], SIZES[3]]
WITHIN = 30_000  # milliseconds until a worker has signed


def pool_won(mira: Person, house: House) -> str:
    """Bo wins Ada's five coins; the id of the game."""
    game = mira.opens("Table 1", "Ada", "Bo", stake=5)
    for player, dice in (("Ada", [2, 2, 7]), ("Bo", [2, 2, 4])):
        house.put("mira", game, "throw", player=player, dice=dice)
    return game


def receipt_of(mira: Person, game: str) -> None:
    """From the round's page to the receipt, and until it is signed: without a hand."""
    mira.page.goto(f"/floor/games/{game}/rounds/1/")
    mira.looks_until(mira.page.locator(".receipts a")).first.click()
    mira.page.wait_for_url("**/receipts/**")
    download = mira.page.get_by_role("link", name="Download the proof")
    expect(download).to_be_visible(timeout=WITHIN)


@pytest.mark.long
def test_a4_a_receipt_from_the_table_to_the_verifier(
    people: People, house: House, tmp_path: Path
) -> None:
    mira = people.arrives("mira")
    game = pool_won(mira, house)
    receipt_of(mira, game)
    page = mira.page
    slip = page.locator(".receipt")
    for words in ("Table 1", "Bo", "5\N{NO-BREAK SPACE}r", "round 1", "Ada threw 2-2-7"):
        expect(slip).to_contain_text(words)
    address = page.locator(".receipt-address").inner_text()
    drawn = page.locator(".qr path").last.get_attribute("d")
    code = segno.make(address, error="m", micro=False)
    assert f'd="{drawn}"' in code.svg_inline(border=4, omitsize=True)
    found = look(mira, "receipt", [*SIZES[:2], PHONE])
    pages_on_paper(page, tmp_path)

    with page.expect_download() as saved:
        page.get_by_role("link", name="Download the proof").click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    kept, keys = tmp_path / "kept", tmp_path / "keys"
    check = becomes(people.arrives(), address)
    about = f"{house.address}/ledger/{check.split('/ledger/')[1].split('/')[0]}"
    kept.write_bytes(page.request.get(f"{about}/checkpoint").body())
    keys.write_bytes(page.request.get(f"{about}/keys").body())

    assert file.suffix == ".tlog-proof"
    by_key, said = told("receipt", file, "--key", keys)
    assert (by_key, "signed with the key that was given" in said) == (0, True), said
    if kept.read_text() in file.read_text():  # else more was signed meanwhile
        assert told("receipt", file, "--checkpoint", kept)[0] == 0
    assert not found
    assert not mira.wrong


def becomes(stranger: Person, address: str) -> str:
    """From the guests' page that a slip's code leads to, to what became of it: its address."""
    stranger.page.goto(address)
    stranger.page.get_by_role("link", name="What became of it").click()
    stranger.page.wait_for_url("**/ledger/**")
    return stranger.page.url


def pages_on_paper(page: Page, folder: Path) -> None:
    """One page of A6, and one strip of a roll: a receipt that breaks is none."""
    for paper in ("a6", "80"):
        page.goto(f"{page.url.partition('?')[0]}?paper={paper}")
        pdf = page.pdf(prefer_css_page_size=True)
        (Path(PICTURES or folder) / f"receipt-{paper}.pdf").write_bytes(pdf)
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1, paper


@pytest.mark.long
def test_who_holds_a_receipt_is_told_what_became_of_it(people: People, house: House) -> None:
    mira = people.arrives("mira")
    receipt_of(mira, pool_won(mira, house))
    address = mira.page.locator(".receipt-address").inner_text()
    stranger = people.arrives(viewport=PHONE)

    check = becomes(stranger, address)
    expect(stranger.page.get_by_role("heading", level=1)).to_contain_text("This is in the book")
    expect(stranger.page.locator(".became")).to_contain_text("5\N{NO-BREAK SPACE}r")
    expect(stranger.page.locator("main")).not_to_contain_text(re.compile(r"\b(Bo|Ada)\b"))
    found = look(stranger, "check", [PHONE, SIZES[0]])
    stranger.page.get_by_role("link", name="How to check a receipt yourself").click()
    expect(stranger.page.get_by_role("heading", level=1)).to_contain_text("The ledger of")
    found += look(stranger, "ledger", [PHONE, SIZES[0]])
    stranger.page.goto(re.sub(r"[0-9a-f]{64}", "0" * 64, check))
    expect(stranger.page.get_by_role("heading", level=1)).to_contain_text("not in the book")
    found += look(stranger, "not in the book", [PHONE])

    assert not found
    assert not stranger.wrong


@pytest.mark.long
def test_e2_the_office_verifies_and_watches_it_come_on(people: People, house: House) -> None:
    mira, orso = people.arrives("mira"), people.arrives("orso")
    pool_won(mira, house)
    page = orso.page
    page.goto("/proof/")
    orso.looks_until(page.get_by_text("all is signed"))
    page.get_by_role("button", name="Verify now").click()
    expect(page.get_by_role("status").first).to_contain_text("It has begun")
    expect(page.get_by_role("button", name="Verify now")).to_be_visible(timeout=60_000)
    expect(page.locator("#verification")).to_contain_text("nothing wrong")
    found = look(orso, "proof", [*TABLET_AND_DESK, PHONE])
    page.locator("#verification tbody a").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Verification of")
    found += look(orso, "verification", [*TABLET_AND_DESK, PHONE])
    page.goto("/proof/checkpoints/")
    found += look(orso, "checkpoints", [*TABLET_AND_DESK, PHONE])

    assert not found
    assert not orso.wrong
