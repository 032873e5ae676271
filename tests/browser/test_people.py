"""Passkeys in a browser, and a floor tablet that changes hands by PIN (D2, D3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from axe_core_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize, expect

from casino.demo.house import PASSWORD
from tests.browser.people import box_of

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser

PIN = "4711"
TABLET = {"width": 1024, "height": 768}
PHONE: ViewportSize = {"width": 360, "height": 740}
TAP = 44  # CSS pixels a finger needs


def gives_password(page: Page, username: str) -> None:
    page.get_by_label("Name").fill(username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def key_in_the_port(page: Page) -> None:
    """A virtual authenticator, as Chromium brings one for tests."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "usb",
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def fits(page: Page) -> None:
    """Nothing is wider than the screen, and axe finds nothing wrong."""
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wide, page.url
    found = Axe().run(page)["violations"]
    assert not found, [(each["id"], each["nodes"][0]["html"]) for each in found]


@pytest.mark.long
def test_d2_a_passkey_is_made_and_opens_the_house(people: People, house: House) -> None:
    address = f"http://localhost:{house.port}"  # browsers make none for an address in digits
    page = people.arrives(base_url=address).page
    key_in_the_port(page)
    page.goto("/sign-in/")
    gives_password(page, "ines")
    page.goto("/me/second-factor/")
    fits(page)
    page.get_by_role("link", name="Passkey").click()
    page.get_by_label("What you call it").fill("Key on my ring")
    page.get_by_role("button", name="Make a passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    expect(page.locator(".codes li")).to_have_count(10)
    page.get_by_role("link", name="I have them").click()
    expect(page.get_by_text("Key on my ring")).to_be_visible()

    page.get_by_role("button", name="Sign out", exact=True).click()
    gives_password(page, "ines")
    expect(page.get_by_role("heading", name="Second factor")).to_be_visible()
    fits(page)
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", name="Today")).to_be_visible()

    page.goto("/me/")
    page.get_by_role("button", name="Take away").click()
    expect(page.get_by_text("is taken away")).to_be_visible()
    page.goto("/me/second-factor/app/")
    expect(page.get_by_role("img", name=re.compile("QR code"))).to_be_visible()
    fits(page)


def sets_pin(person: Person) -> None:
    page = person.page
    page.goto("/me/pin/")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_label("PIN, 4 to 8 digits").fill(PIN)
    page.get_by_label("Once more").fill(PIN)
    page.get_by_role("button", name="Set the PIN").click()
    expect(page.get_by_text("Your PIN is set.")).to_be_visible()


def taps_pin(page: Page, pin: str = PIN) -> None:
    for digit in pin:
        page.locator(f'[data-digit="{digit}"]').click()
    page.get_by_role("button", name="OK").click()


@pytest.mark.long
def test_d3_a_tablet_changes_hands_in_two_taps_and_a_pin(people: People) -> None:
    for username in ("mira", "tomas"):
        sets_pin(people.arrives(username))
    tablet = people.arrives(viewport=TABLET, has_touch=True)
    page = tablet.page
    tablet.signs_in("sela")
    page.goto("/people/tablets/")
    page.get_by_label("What you call it").fill("Garden tablet")
    page.get_by_role("button", name="Make it one").click()
    expect(page.get_by_role("heading", name="Who takes over?")).to_be_visible()
    page.get_by_text("Mira Solano", exact=True).click()
    taps_pin(page)
    page.wait_for_url("**/floor/")

    game = tablet.opens("Garden", "Ada", "Bruno")
    page.get_by_role("link", name="change of attendant").click()  # the first tap
    expect(page.get_by_role("heading", name="Who takes over?")).to_be_visible()
    fits(page)
    for button in page.locator(".sheet-pad button, .sheet-person").all():
        box = box_of(button)
        assert min(box["width"], box["height"]) >= TAP
    page.get_by_text("Tomas Brandt", exact=True).click()  # the second
    taps_pin(page, "0815")
    expect(page.get_by_role("alert")).to_contain_text("not the PIN of the name you tapped")
    taps_pin(page)
    page.wait_for_url(f"**/floor/games/{game}/")

    expect(page.get_by_role("link", name="Tomas Brandt: change of attendant")).to_be_visible()
    page.goto("/people/")
    expect(page.get_by_role("heading", name="You took over by PIN")).to_be_visible()
    page.set_viewport_size(PHONE)
    page.goto("/floor/attendant/")
    fits(page)
    assert not [each for each in tablet.wrong if "422" not in each and "403" not in each]


@pytest.mark.long
def test_d1_a_manager_s_pages_of_people_fit_a_phone(people: People) -> None:
    orso = people.arrives("orso", viewport=PHONE)
    page = orso.page
    for path in ("/people/", "/people/invite/", "/people/sign-ins/", "/people/access/", "/me/"):
        page.goto(path)
        fits(page)
    page.goto("/people/")
    page.get_by_role("link", name="Mira Solano").click()
    expect(page.get_by_role("heading", name="Mira Solano")).to_be_visible()
    fits(page)
    assert not orso.wrong
