"""A browser that is driven by WebDriver: what WebKit and Firefox have in common."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from selenium.common.exceptions import (
    JavascriptException,
    NoSuchWindowException,
    StaleElementReferenceException,
    TimeoutException,
    WebDriverException,
)
from selenium.webdriver.remote.command import Command

from tests.browser.screens.screen import Gone, Screen

if TYPE_CHECKING:
    from pathlib import Path

    from selenium.webdriver.remote.webdriver import WebDriver

# The last argument is what an asynchronous script calls when it is done.
ASYNCHRONOUS = """const done = arguments[arguments.length - 1];
const values = [...arguments].slice(0, -1);
Promise.resolve().then(() => ({})(...values))
  .then((value) => done({{ value }}), (failure) => done({{ failure: String(failure) }}));"""
WAYS = ("Down", "Up")  # of a key
UNDER_THE_FINGER = "reply cannot be cloned"  # Firefox, where the press has led to another page
LEFT = (StaleElementReferenceException, NoSuchWindowException, TimeoutException)


class Driven(Screen):
    """:param driver: selenium's, or what answers as it does."""

    def __init__(self, driver: WebDriver) -> None:
        self.driver = driver

    def goes(self, address: str) -> None:
        self.driver.get(address)

    @property
    def address(self) -> str:
        return self.driver.current_url

    def evaluate(self, function: str, *values: object) -> Any:
        try:
            return self.driver.execute_script(f"return ({function})(...arguments)", *values)
        except LEFT as error:
            raise Gone from error
        except JavascriptException as error:
            if "unloaded" in str(error) or "navigat" in str(error):
                raise Gone from error
            raise

    def awaits(self, function: str, *values: object) -> Any:
        came = self.driver.execute_async_script(ASYNCHRONOUS.format(f"({function})"), *values)
        assert "failure" not in came, came["failure"]
        return came.get("value")

    def puts_finger(self, x: float, y: float) -> None:
        steps: list[dict[str, object]] = [
            {
                "type": "pointerMove",
                "duration": 0,
                "origin": "viewport",
                "x": round(x),
                "y": round(y),
            },
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        try:
            self._acts("pointer", steps, parameters={"pointerType": "touch"})
        except WebDriverException as error:
            if UNDER_THE_FINGER not in str(error):
                raise

    def types(self, text: str) -> None:
        self._acts("key", [{"type": f"key{way}", "value": key} for key in text for way in WAYS])

    def _acts(self, kind: str, steps: list[dict[str, object]], **more: object) -> None:
        """Do something with a finger or a keyboard, as WebDriver describes it."""
        source = {"type": kind, "id": kind, **more, "actions": steps}
        self.driver.execute(Command.W3C_ACTIONS, {"actions": [source]})

    def reloads(self) -> None:
        self.driver.refresh()

    def goes_back(self) -> None:
        self.driver.back()

    def forgets(self) -> None:
        self.driver.delete_all_cookies()

    def picture(self, file: Path) -> None:
        self.driver.save_screenshot(str(file))

    def on_paper(self) -> bytes | None:
        try:
            return base64.b64decode(self.driver.print_page())
        except WebDriverException:
            return None

    def key_in_the_port(self) -> bool:
        return False

    def closes(self) -> None:
        self.driver.quit()

    def resizes(self, width: int, height: int) -> None:
        """The page's part of the window has this size, in CSS pixels."""
        self.driver.set_window_size(width, height)
        inside = self.evaluate("() => [innerWidth, innerHeight]")
        self.driver.set_window_size(2 * width - inside[0], 2 * height - inside[1])
