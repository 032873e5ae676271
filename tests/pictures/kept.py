"""The pictures that the documents keep, in `docs/pictures`; each is made anew by one command."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from casino.demo.client import Client
from casino.demo.house import PASSWORD
from tests import processes

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from playwright.sync_api import Page

FOLDER = processes.ROOT / "docs" / "pictures"
PATIENCE = 120  # seconds until the demo house has played its evening


OFFICE = (
    ("start", "/", 960), ("payouts", "/payouts/", 800), ("approvals", "/approvals/", 800),
    ("pots", "/pots/", 800), ("day", "/days/", 800), ("cash", "/cash/", 800),
    ("reports", "/reports/", 800), ("alarms", "/dice/", 960), ("exceptions", "/exceptions/", 800),
    ("players", "/players/", 800), ("events", "/events/", 800), ("proof", "/proof/", 800),
    ("settings", "/settings/", 960), ("odds", "/odds/river/", 960), ("what-if", "/what-if/", 960),
)  # fmt: skip
TABLES = {
    "stone-hand": "Stone Hand", "table": "Cinnabar Gate", "river": "River",
    "threes-away": "Threes Away", "arena": "Dice Breaker",
}  # fmt: skip
"""The screens of the five games, by the names of their pictures."""


def played(port: int) -> None:
    """Wait until the demo house has its written games."""
    client = Client(f"http://127.0.0.1:{port}", "orso", PASSWORD)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for each in client.get("establishments/")["results"]:
            if client.get(f"establishments/{each['id']}/payouts/")["results"]:
                return
        time.sleep(1)
    raise TimeoutError("The demo house has not played its evening.")


def make(reader: Callable[[str], AbstractContextManager[Page]]) -> None:
    """Make all of them anew."""
    with reader("orso") as page:
        for name, path, height in OFFICE:
            page.set_viewport_size({"width": 1280, "height": height})
            page.goto(path)
            _shoot(page, name, "light")
    with reader("mira") as page:
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto("/floor/")
        for name, game in TABLES.items():
            page.goto("/floor/")
            table = page.locator("a", has_text=game)
            if table.count():
                table.first.click()
                _shoot(page, name, "dark")
            else:
                print(f"No table plays {game}; {name}.png stays as it is.")


def _shoot(page: Page, name: str, theme: str) -> None:
    page.wait_for_load_state("networkidle")
    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    page.screenshot(path=FOLDER / f"{name}.png")
    print(f"{name}.png", flush=True)
