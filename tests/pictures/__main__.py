"""
Takes a picture of every page of the demo house in both themes, at five widths, in English, in
Italian and with words a third longer, and says what is wrong with what a program can see.

``python -m tests.pictures --to FOLDER`` looks at all of it; ``--only payouts`` at addresses with
this in their name; ``--kept`` makes the pictures in ``docs/pictures`` anew.
"""

from __future__ import annotations

import argparse
import html
import os
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.config.settings")
django.setup()

from playwright.sync_api import sync_playwright  # noqa: E402 - after the settings

from casino.demo.house import PASSWORD  # noqa: E402
from tests import chromium, processes  # noqa: E402
from tests.pictures import crawl, kept  # noqa: E402
from tests.pictures.seen import LONGER, problems  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playwright.sync_api import Browser, Page

WIDTHS = {390: 844, 834: 1112, 1112: 834, 1280: 800, 1920: 1080}
THEMES = ("light", "dark")
WORDS = ("en", "it", "longer")
BEGIN = {"orso": ("/", "/floor/", "/me/", "/set-up/"), "mira": ("/floor/",), "": ("/sign-in/",)}
"""Who looks at what: a manager at the office, an attendant at the floor, nobody at the door."""


IN_THEME = """theme => {
  const { dataset } = document.documentElement;
  if (!("themeOnly" in dataset)) dataset.theme = theme; // drawn by others, for one theme
}"""


@dataclass
class Album:
    """The pictures of one run."""

    folder: Path
    only: str = ""
    widths: Sequence[int] = tuple(WIDTHS)
    themes: Sequence[str] = THEMES
    words: Sequence[str] = WORDS
    found: list[str] = field(default_factory=list)
    taken: dict[str, list[str]] = field(default_factory=dict)

    def look(self, page: Page, name: str, words: str) -> None:
        """Pictures of the page that is open, at each width and in each theme."""
        if words == "longer":
            page.evaluate(LONGER)
        for width, theme in product(self.widths, self.themes):
            page.set_viewport_size({"width": width, "height": WIDTHS[width]})
            page.evaluate(IN_THEME, theme)
            file = f"{name}-{width}-{theme}-{words}.png"
            page.screenshot(path=self.folder / file, full_page=True)
            self.taken.setdefault(name, []).append(file)
            self.found += [f"{file}: {each}" for each in problems(page)]

    def index(self) -> Path:
        """A page with all pictures, to look through."""
        lines = ["<!doctype html><meta charset=utf-8><title>Pictures</title>"]
        for name, files in self.taken.items():
            lines += [f"<h2>{html.escape(name)}</h2>"]
            lines += [
                f'<a href="{each}"><img loading=lazy height=300 src="{each}" alt="{each}"></a>'
                for each in files
            ]
        path = self.folder / "index.html"
        path.write_text("\n".join(lines), encoding="utf-8")
        return path


@contextmanager
def reader(browser: Browser, address: str, username: str, language: str) -> Iterator[Page]:
    """Somebody who reads in this language; signed in, if they are named."""
    context = browser.new_context(
        base_url=address, locale=language, service_workers="block", reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(f"/sign-in/?language={language}")
    if username:
        page.locator("#id_username").fill(username)
        page.locator("[type=password]").fill(PASSWORD)
        page.locator("[type=password]").press("Enter")
        page.wait_for_url("**/")
    yield page
    context.close()


def take(browser: Browser, address: str, album: Album) -> None:
    for words, (username, begins) in product(album.words, BEGIN.items()):
        language = "it" if words == "it" else "en"
        with reader(browser, address, username, language) as page:
            done = set[str]()
            for begin in begins:
                page.set_viewport_size({"width": 1280, "height": 800})
                for route, path in crawl.pages(page, begin):
                    name = f"{username or 'door'}-{crawl.named(route)}"
                    mine = username != "mira" or path.startswith("/floor")
                    if name not in done and album.only in name and mine:
                        done.add(name)
                        album.look(page, name, words)
                        print(f"{words} {name}", flush=True)
                        page.set_viewport_size({"width": 1280, "height": 800})


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.pictures", description=__doc__)
    parser.add_argument("--to", type=Path, help="the folder for the pictures; else a new one")
    parser.add_argument("--only", default="", help="pages whose name has this in it")
    parser.add_argument("--width", type=int, action="append", choices=WIDTHS)
    parser.add_argument("--theme", action="append", choices=THEMES)
    parser.add_argument("--words", action="append", choices=WORDS)
    parser.add_argument("--kept", action="store_true", help="make docs/pictures anew instead")
    parser.add_argument("--at", help="a demo house that runs already, as http://127.0.0.1:8000")
    return parser.parse_args()


@contextmanager
def house(at: str | None) -> Iterator[str]:
    """The address of the demo house: the one that is named, else a new one."""
    if at:
        yield at
        return
    with tempfile.TemporaryDirectory() as folder, processes.up(Path(folder) / "data") as (_, port):
        kept.played(port)
        yield f"http://127.0.0.1:{port}"


def main() -> int:
    given = arguments()
    if chromium.find() is None:
        print(chromium.MISSING, file=sys.stderr)
        return 2
    with house(given.at) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.find(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        if given.kept:
            kept.make(lambda username: reader(browser, address, username, "en"), address)
            return 0
        folder = given.to or Path(tempfile.mkdtemp(prefix="pictures-"))
        folder.mkdir(parents=True, exist_ok=True)
        album = Album(
            folder, given.only, given.width or tuple(WIDTHS), given.theme or THEMES,
            given.words or WORDS,
        )  # fmt: skip
        take(browser, address, album)
    print(f"{sum(map(len, album.taken.values()))} pictures: {album.index()}")
    print(*album.found, sep="\n")
    return 1 if album.found else 0


if __name__ == "__main__":
    sys.exit(main())
