"""The pictures that the documents keep, in `docs/pictures`; each is made anew by one command."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING

from casino.demo.client import Client, Unanswered
from casino.demo.house import PASSWORD
from casino.demo.play import Evening, House, leave
from tests import processes

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from playwright.sync_api import Page

    from casino.demo.play import GameSession

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
    "stone-hand": "stone-hand", "table": "cinnabar-gate", "river": "river",
    "threes-away": "threes-away", "arena": "dice-breaker",
}  # fmt: skip
"""The games whose tables are shown, by the names of their pictures."""
ACTS = 16  # of each of these games before its picture: a round and something of the next
CHANCE = 21  # the seed of their dice


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


def make(reader: Callable[[str], AbstractContextManager[Page]], address: str) -> None:
    """Make all of them anew."""
    with reader("orso") as page:
        for name, path, height in OFFICE:
            page.set_viewport_size({"width": 1280, "height": height})
            page.goto(path)
            _shoot(page, name, "light")
    evening = Evening(_house(address), Random(CHANCE), print)  # noqa: S311 - dice of pictures
    with reader("mira") as page:
        page.set_viewport_size({"width": 1280, "height": 800})
        for name, game in TABLES.items():
            running = _in_play(evening, game)
            page.goto(f"/floor/games/{running.game}/")
            _shoot(page, name, "dark")
            leave(running.client, running.game)


def _house(address: str) -> House:
    """The house's own players have just asked for their tokens, and it gives so many a minute."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return House(address)
        except Unanswered:
            if time.monotonic() > until:
                raise
            time.sleep(5)


def _in_play(evening: Evening, game: str) -> GameSession:
    """A game of this kind in the middle of a round, at a table where none plays by itself."""
    while True:
        table = evening.house.free_table()
        session = evening.sit_down(game, table) if table else None
        if session is None:
            time.sleep(1)  # a table that plays by itself has just begun
            continue
        for _act in range(ACTS):
            if session not in evening.sessions:
                break  # it has ended before
            evening.step(session)
        if session.client.get(f"games/{session.game}/")["status"] == "open":
            return session
        leave(session.client, session.game)


def _shoot(page: Page, name: str, theme: str) -> None:
    page.wait_for_load_state("networkidle")
    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    page.screenshot(path=FOLDER / f"{name}.png")
    print(f"{name}.png", flush=True)
