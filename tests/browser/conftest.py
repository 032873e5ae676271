"""One running house and one browser for all tests; a context, so a person, for each that asks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings as of_the_house
from playwright.sync_api import (
    Browser,
    BrowserContext,
    StorageState,
    expect,
    sync_playwright,
)

from tests import chromium, processes
from tests.browser.people import Person
from tests.browser.running import House, running

if TYPE_CHECKING:
    from collections.abc import Iterator

# A password takes long to check, as it should: the cookies of who has signed in once are kept.
# With the moment of their last use: whoever does nothing for long is signed out by the house.
SIGNED_IN: dict[str, dict[str, tuple[StorageState, float]]] = {}
AWHILE = of_the_house.SESSION_IDLE / 2  # seconds
WITHIN = 30_000  # milliseconds until a page must show what it should, however busy the machine is
expect.set_options(timeout=WITHIN)


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with running(tmp_path_factory.mktemp("house")) as started:
        yield started


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """For these tests, not the session: while Playwright runs, Django refuses its own tests."""
    with sync_playwright() as playwright:
        # Chromium's sandbox refuses root; nothing but our own pages is loaded.
        yield playwright.chromium.launch(
            executable_path=chromium.find(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )


@pytest.fixture
def people(house: House, browser: Browser) -> Iterator[People]:
    come = People(house, browser)
    yield come
    come.leave()
    house.clear()


class People:
    """Those who sit before a screen in this test."""

    def __init__(self, house: House, browser: Browser) -> None:
        self._house, self._browser = house, browser
        self._contexts: list[BrowserContext] = []
        self._signed_in = SIGNED_IN.setdefault(house.address, {})

    def arrives(self, username: str = "", **settings: Any) -> Person:
        """Somebody at a screen of their own, signed in if named; what goes wrong is noted."""
        kept = self.kept(username)
        if kept is not None:
            settings["storage_state"] = kept
        context = self._browser.new_context(
            **{
                "viewport": {"width": 1280, "height": 800},
                "base_url": self._house.address,
                "service_workers": "block",  # what goes through one no test could hold up
            }
            | settings
        )
        context.set_default_timeout(WITHIN)
        # A first page takes the house half a second of a core, and as long as it takes to get that:
        # thirteen seconds were measured where it had a twenty-fifth of one.
        context.set_default_navigation_timeout(1_000 * processes.PATIENCE)
        self._contexts.append(context)
        touches = bool(settings.get("has_touch"))
        person = Person(context.new_page(), self._house, touches=touches)
        if kept is not None:
            person.page.goto("/")
            self.keeps(username, context.storage_state())  # its cookie is good for longer now
        elif username:
            person.signs_in(username)
            self.keeps(username, context.storage_state())
        return person

    def keeps(self, username: str, state: StorageState) -> None:
        """The cookies of who is signed in, or of a device, for whoever arrives by that name."""
        self._signed_in[username] = state, time.monotonic()

    def forgets(self, username: str) -> None:
        """A session ends: who arrives next by that name signs in."""
        self._signed_in.pop(username, None)

    def kept(self, username: str) -> StorageState | None:
        state, used = self._signed_in.get(username, (None, 0.0))
        return state if time.monotonic() - used < AWHILE else None

    def leave(self) -> None:
        for context in self._contexts:
            context.close()
