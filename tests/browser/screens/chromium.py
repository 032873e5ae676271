"""Chromium, by Playwright: with a finger, a tablet's window, and a passkey of its own."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Error

from tests.browser.screens.screen import Gone, Screen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

LEFT = re.compile("context was destroyed|navigat|Target closed|frame was detached", re.IGNORECASE)


class Chromium(Screen):
    name = "Chromium"

    def __init__(self, page: Page) -> None:
        self._page = page
        self._wrong: list[str] = []
        page.on("pageerror", lambda error: self._wrong.append(str(error)))

    def goes(self, address: str) -> None:
        self._page.goto(address)

    @property
    def address(self) -> str:
        self._page.wait_for_timeout(0)  # Playwright hears what came meanwhile
        return self._page.url

    def evaluate(self, function: str, *values: object) -> Any:
        try:
            return self._page.evaluate(f"(values) => ({function})(...values)", list(values))
        except Error as error:
            if LEFT.search(error.message):
                raise Gone from error
            raise

    def awaits(self, function: str, *values: object) -> Any:
        return self.evaluate(function, *values)

    def puts_finger(self, x: float, y: float) -> None:
        self._page.touchscreen.tap(x, y)

    def types(self, text: str) -> None:
        self._page.keyboard.type(text)

    def reloads(self) -> None:
        self._page.reload()

    def goes_back(self) -> None:
        self._page.go_back()

    def forgets(self) -> None:
        self._page.context.clear_cookies()

    def picture(self, file: Path) -> None:
        self._page.screenshot(path=file)

    def on_paper(self) -> bytes | None:
        return self._page.pdf(prefer_css_page_size=True)

    def key_in_the_port(self) -> bool:
        session = self._page.context.new_cdp_session(self._page)
        session.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2",
            "transport": "usb",
            "hasUserVerification": True,
            "isUserVerified": True,
            "automaticPresenceSimulation": True,
        }
        session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        return True

    def wrong(self) -> list[str]:
        self._page.wait_for_timeout(0)  # Playwright hears what came meanwhile
        return self._wrong

    def closes(self) -> None:
        self._page.context.close()


@contextmanager
def opened(browser: Browser, width: int, height: int) -> Iterator[Chromium]:
    """A tablet's window of this size, in CSS pixels, of a browser that runs: one for all tests."""
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
    yield Chromium(context.new_page())
    context.close()
