"""
A table in a browser while a floor plays: the times from the tap to the display and to the booked
throw.

``python -m bench.taps [--tables 50] [--throws 60] [--events 0] [--quick]`` starts a house
(``manage.py up``, SQLite, on loopback) and lets the other tables play over HTTP. In Chromium it
taps throws as a finger would, in a game that has that many events already. Then it measures the
size of a table's first load, and a cold start with the profile of a slow phone. Figures are printed
as JSON, in milliseconds and bytes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from casino.demo.client import Client
from tests import chromium, processes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, Response


WHO, PASSWORD = "bench", "bench-opal-river-8"  # of a temporary house
EVERY = 6.0  # seconds between two throws at each other table
PAUSE = 700  # milliseconds between two tapped throws
PLAYERS = ("Ada", "Bo", "Cyd")
STAKE = 5000  # high enough that nobody is out before the measurement ends
DICE = ((2, 2, 7), (3, 4, 5), (1, 1, 6))
# As "Slow 3G" in Chromium's developer tools, on a processor four times slower.
SLOW_PHONE = {"kbit/s": 400, "latency": 400, "cpu": 4}
TEXT = ("text/", "application/json", "application/javascript", "image/svg")

# Makes people, tables and dice sets, before the house is opened.
FURNISH = """
import sys
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from casino.house.attendants.models import Role
from tests.support import builders
tables = int(sys.argv[1])
house = builders.house(tables=tables, dice_sets=tables)
person = builders.person(sys.argv[2], password=sys.argv[3])
builders.employed(house.establishment, Role.ATTENDANT, person)
for table in house.tables:
    print(table.pk)
"""

# Measures from lifting the finger until the key reacts on the screen, until the device shows the
# foreseen result, and until the house has booked it.
TAPPED = """(dice) => new Promise((resolve) => {
  const main = document.getElementById("main");
  const before = main.dataset.version;
  const found = {};
  const done = () => { if (found.shown && found.booked) resolve(found); };
  document.addEventListener("floor:answered", () => {
    found.booked = performance.now() - began;
    done();
  }, { once: true });
  const look = () => requestAnimationFrame(() => {
    if (document.getElementById("main").dataset.version === before) return look();
    setTimeout(() => { found.shown = performance.now() - began; done(); });
  });
  const key = (face) => document.querySelector(`.keys:not([hidden]) [data-face="${face}"]`);
  dice.slice(0, -1).forEach((face) => key(face).click());
  const began = performance.now();
  key(dice.at(-1)).click();
  requestAnimationFrame(() => setTimeout(() => {
    found.acknowledged = performance.now() - began;
  }));
  look();
})"""
SEEN = ("acknowledged", "shown", "booked")
# Work of the page's main thread until the throw is booked, as Chromium's developer tools name it.
WORK = {
    "all": "TaskDuration", "script": "ScriptDuration", "styles": "RecalcStyleDuration",
    "layout": "LayoutDuration",
}  # fmt: skip
FORESEES = "() => Boolean(window.floor?.foresight.version() > 0)"


@dataclass
class Floor:
    """The other tables: each has a game, and a throw every six seconds."""

    client: Client
    tables: Sequence[str]
    throws: int = 0
    late: int = 0
    _games: list[str] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)

    def open(self) -> None:
        self._games = [opened(self.client, table, PLAYERS) for table in self.tables]

    def play(self) -> None:
        chance = Random(1)  # noqa: S311 - the same dice in every run
        between, due = EVERY / max(1, len(self._games)), time.monotonic()
        while not self._stop.is_set():
            for game in self._games:
                due += between
                self._stop.wait(max(0.0, due - time.monotonic()))
                if self._stop.is_set():
                    return
                self.late += time.monotonic() - due > EVERY
                self._throw(game, chance)

    def _throw(self, game: str, chance: Random) -> None:
        thrown(self.client, game, chance)
        self.throws += 1

    def stop(self) -> None:
        self._stop.set()


def opened(client: Client, table: str, players: Sequence[str]) -> str:
    """Open a game of Stone Hand. Return its id."""
    opening = {
        "do": "open",
        "game": "stone-hand",
        "players": list(players),
        "home_throw": [1, 3, 8],
    }
    command = {**opening, "stake": STAKE, "table": table, "command_id": str(uuid.uuid4())}
    reply = client.post("games/", command)
    assert not reply.refused, reply.body
    return str(reply.body["id"])


def thrown(client: Client, game: str, chance: Random) -> int:
    """Throw once more. Return how many events the game had before."""
    state = client.get(f"games/{game}/")
    dice = [chance.randint(1, 8) for _ in range(3)]
    command = {"do": "throw", "player": state["next"]["players"][0], "dice": dice}
    client.post(f"games/{game}/commands/", {**command, "command_id": str(uuid.uuid4())})
    return int(state["version"])


def furnished(folder: Path, tables: int) -> list[str]:
    """Make the tables before the house is opened. Return their ids."""
    env = processes.environment(
        HOME_THROW_DATA=str(folder), DJANGO_SETTINGS_MODULE="casino.config.settings"
    )
    program = [sys.executable, "-c", FURNISH, str(tables), WHO, PASSWORD]
    made = subprocess.run(
        program, cwd=processes.ROOT, env=env, capture_output=True, text=True, check=False
    )
    if made.returncode:
        raise SystemExit(made.stderr)
    return made.stdout.split()


def at_table(context: BrowserContext, client: Client, table: str, events: int) -> Page:
    """A page at a game that has that many events, signed in and foreseeing."""
    game, chance = opened(client, table, PLAYERS[:2]), Random(2)  # noqa: S311 - the same each run
    while thrown(client, game, chance) < events:
        pass
    page = context.new_page()
    page.goto("/sign-in/")
    page.get_by_label("Name").fill(WHO)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/")
    page.goto(f"/floor/games/{game}/")
    until_foreseen(page)
    return page


def until_foreseen(page: Page) -> None:
    processes.eventually(lambda: bool(page.evaluate(FORESEES)))


def tapped(page: Page, throws: int) -> dict[str, list[float]]:
    """Milliseconds of each throw, by stage, and of the main thread's work for it."""
    found: dict[str, list[float]] = {name: [] for name in (*SEEN, *WORK)}
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")
    for number in range(throws):
        before = _work(devtools)
        taps = page.evaluate(TAPPED, list(DICE[number % len(DICE)]))
        for name in SEEN:
            found[name].append(taps[name])
        for name, seconds in _work(devtools).items():
            found[name].append(1000 * (seconds - before[name]))
        page.wait_for_timeout(PAUSE)
    devtools.detach()
    return found


def _work(devtools: CDPSession) -> dict[str, float]:
    metrics = devtools.send("Performance.getMetrics")["metrics"]
    seconds = {metric["name"]: metric["value"] for metric in metrics}
    return {name: seconds[metric] for name, metric in WORK.items()}


def weight(browser: Browser, address: str, state: Any, page_of: str) -> dict[str, Any]:
    """All requests of a table's first load: bytes as stored, and as a proxy compresses them."""
    context = browser.new_context(base_url=address, storage_state=state, service_workers="block")
    page, seen = context.new_page(), []
    page.on("response", lambda response: seen.append(response))  # noqa: PLW0108
    page.goto(page_of)
    until_foreseen(page)
    page.wait_for_timeout(500)
    sizes = [(response.url, *_sizes(response)) for response in seen]
    context.close()
    first = [each for each in sizes if "/board/" not in each[0]]
    heaviest = sorted(first, key=lambda each: -each[2])[:6]
    ahead = [each for each in first if "/offline/" in each[0]]
    return {
        "requests": len(first),
        "plain": sum(plain for _, plain, _ in first),
        "compressed": sum(compressed for *_, compressed in first),
        "of these to foresee, behind all else": sum(compressed for *_, compressed in ahead),
        "heaviest": {url.rpartition("/")[2] or url: small for url, _, small in heaviest},
    }


def _sizes(response: Response) -> tuple[int, int]:
    body = response.body() if response.ok else b""
    plain = response.headers.get("content-type", "").startswith(TEXT)
    return len(body), len(gzip.compress(body)) if plain else len(body)


def cold_start(browser: Browser, address: str, state: Any, page_of: str) -> dict[str, float]:
    """On a slow phone with empty caches: until a key answers, and until the page foresees."""
    context = browser.new_context(
        base_url=address,
        storage_state=state,
        service_workers="block",
        viewport={"width": 390, "height": 844},
    )
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    rate = SLOW_PHONE["kbit/s"] * 1000 / 8
    line = {"downloadThroughput": rate, "uploadThroughput": rate, "offline": False}
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", {**line, "latency": SLOW_PHONE["latency"]})
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_PHONE["cpu"]})
    page.set_default_timeout(120_000)
    began = time.monotonic()
    page.goto(page_of, wait_until="commit")
    page.locator('.keys:not([hidden]) [data-face="2"]').click()
    page.locator(".slot[data-shows='2']").wait_for()
    first = time.monotonic() - began
    until_foreseen(page)
    foresees = time.monotonic() - began
    context.close()
    return {"first_tap": 1000 * first, "foresees": 1000 * foresees}


def spread(times: Sequence[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {
        name: round(ordered[min(len(ordered) - 1, int(len(ordered) * share))], 1)
        for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
    }


def measured(address: str, tables: Sequence[str], throws: int, events: int) -> dict[str, Any]:
    floor = Floor(Client(address, WHO, PASSWORD), tables[1:])
    floor.open()
    playing = threading.Thread(target=floor.play, daemon=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.find(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 800})
        page = at_table(context, floor.client, tables[0], events)
        tapped(page, len(DICE))  # what runs for the first time is slower
        playing.start()
        times = tapped(page, throws)
        floor.stop()
        playing.join()
        state = context.storage_state()
        found = {
            "tables playing": len(tables) - 1,
            "their throws meanwhile": floor.throws,
            "tap to acknowledged": spread(times["acknowledged"]),
            "tap to shown": spread(times["shown"]),
            "tap to booked": spread(times["booked"]),
            "the page's thread": {name: spread(times[name]) for name in WORK},
            "first load": weight(browser, address, state, page.url),
            "cold start": {"profile": SLOW_PHONE, **cold_start(browser, address, state, page.url)},
        }
        browser.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50, help="that play meanwhile")
    parser.add_argument("--throws", type=int, default=60, help="that are tapped")
    parser.add_argument("--events", type=int, default=0, help="that the game has before")
    parser.add_argument("--quick", action="store_true", help="four tables, six throws: it works")
    given = parser.parse_args()
    tables, throws = (4, 6) if given.quick else (given.tables, given.throws)
    with tempfile.TemporaryDirectory(prefix="taps-") as folder:
        data = Path(folder) / "data"
        places = furnished(data, tables + 1)
        with processes.up(data, "--empty") as (_process, port):
            found = measured(f"http://127.0.0.1:{port}", places, throws, given.events)
            json.dump(found, sys.stdout, indent=2)
            sys.stdout.write("\n")


if __name__ == "__main__":
    main()
