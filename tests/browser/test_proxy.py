"""
A proxy that does not reach the house: what it says (502, 503, 504) is no answer, as without a line.

In the short form the proxy is one of ours, the house behind it only seems dead, and one throw is
made; in the long form it is nginx, too, with the house killed behind it, and everything else.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import pytest
from playwright.sync_api import expect

from casino.engine.processes import paths
from tests import processes
from tests.browser.line import line_to
from tests.browser.offline import (
    GIVEN,
    KEPT,
    PAIR,
    RUN,
    SOON,
    fates,
    round_of,
    throw,
    thrown,
    waits,
)
from tests.browser.people import foresees, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.conftest import People
    from tests.browser.line import Line
    from tests.browser.people import Person
    from tests.browser.running import House

SCRIPTS = paths.STATIC / "js"
ASKS = "ask_house.js"
OTHER_WAYS = re.compile(r"(?<![\w.])fetch\(|\.fetch\b|sendBeacon|new XMLHttpRequest")


class Proxy(Protocol):
    @property
    def address(self) -> str: ...
    def dies(self) -> None:
        """The house behind it is out of reach from now on."""

    def comes_back(self) -> None: ...


# --- Proxies -------------------------------------------------------------------------------------

NGINX = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    gzip on;
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://127.0.0.1:{house};
            proxy_set_header Host $http_host;
            proxy_http_version 1.1;
        }}
    }}
}}
"""
WORDS = {502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Time-out"}
SAYS = [  # as nginx, Envoy and HAProxy say it
    (502, "text/html", "<html><body><center><h1>502 Bad Gateway</h1></center></body></html>"),
    (503, "text/plain", "upstream connect error or disconnect/reset before headers"),
    (504, "text/html", "<html><body><h1>504 Gateway Time-out</h1></body></html>"),
]


@dataclass(frozen=True)
class OfOurs:
    line: Line
    says: tuple[int, str, str]

    @property
    def address(self) -> str:
        return self.line.address

    def dies(self) -> None:
        status, kind, body = self.says
        self.line.cut(
            f"HTTP/1.1 {status} {WORDS[status]}\r\nContent-Type: {kind}\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}".encode()
        )

    def comes_back(self) -> None:
        self.line.mend()


@dataclass(frozen=True)
class Nginx:
    house: House
    port: int

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    def dies(self) -> None:
        self.house.kill()

    def comes_back(self) -> None:
        self.house.start()


@contextmanager
def of_ours(house: House, says: tuple[int, str, str]) -> Iterator[Proxy]:
    with line_to(house.port) as line:
        yield OfOurs(line, says)


@contextmanager
def nginx(house: House, folder: Path) -> Iterator[Proxy]:
    port = processes.free_port()
    conf = folder / "nginx.conf"
    conf.write_text(NGINX.format(folder=folder, port=port, house=house.port))
    line = ("nginx", "-p", str(folder), "-c", str(conf))
    log = folder / "nginx.log"
    with processes.started(*line, env=processes.environment(), output=log) as process:
        processes.eventually(lambda: processes.get(port, "/healthz/web")[0] == 200, process, log)
        yield Nginx(house, port)


def arrives(people: People, proxy: Proxy, username: str = "mira") -> Person:
    person = people.arrives(base_url=proxy.address, service_workers="allow")
    if username:
        person.signs_in(username)
    return person


def keeps_what_is_given(page: Page, game: str) -> None:
    """Wait until a page that is started anew could foresee what this one does."""
    until(page, GIVEN, [game, int(page.locator("#main").get_attribute("data-version") or "")])


def sees_no_line(page: Page) -> None:
    expect(page.locator("html")).to_have_attribute("data-line", "offline", timeout=SOON)


# --- The table: page, polls, queue, a second person's act ----------------------------------------


def goes_on_without_a_house(people: People, house: House, proxy: Proxy) -> None:
    mira = arrives(people, proxy)
    page = mira.page
    game = mira.opens("Table 1", "Ada", "Bo", stake=200)
    foresees(page)
    until(page, KEPT, f"/floor/games/{game}/")
    round_of(mira)
    waits(mira, 0)
    keeps_what_is_given(page, game)
    proxy.dies()
    try:
        sees_no_line(page)  # by polls alone
        throw(mira, *PAIR)
        waits(mira, 1)
        expect(page.locator("#say")).to_contain_text("Not recorded yet No line.")
        page.reload()  # the page that was kept, not the proxy's
        foresees(page)
        assert page.evaluate("[...document.styleSheets].every(({ cssRules }) => cssRules.length)")
        waits(mira, 1)
        sees_no_line(page)
        throw(mira, *RUN)
        page.goto("/floor/")
        expect(page.get_by_role("link", name="Table 1", exact=False).first).to_be_visible()
        waits(mira, 2)
        sees_no_line(page)
        page.goto(f"/floor/games/{game}/")
        waits(mira, 2)
    finally:
        proxy.comes_back()
    waits(mira, 0)
    expect(page.locator("html")).to_have_attribute("data-line", "online", timeout=SOON)
    assert len(thrown(house, game)) == 4
    assert fates(house, game) == ["recorded"] * 4


def goes_on_for_a_throw(people: People, house: House, proxy: Proxy) -> None:
    """The same in little: page, polls and queue."""
    mira = arrives(people, proxy)
    page = mira.page
    game = mira.opens("Table 1", "Ada", "Bo", stake=200)
    foresees(page)
    until(page, KEPT, f"/floor/games/{game}/")
    keeps_what_is_given(page, game)
    proxy.dies()
    try:
        sees_no_line(page)
        page.reload()
        foresees(page)
        throw(mira, *PAIR)
        waits(mira, 1)
        sees_no_line(page)
    finally:
        proxy.comes_back()
    waits(mira, 0)
    assert len(thrown(house, game)) == 1


@pytest.mark.browser
@pytest.mark.long("postgresql")
def test_a_throw_is_kept_behind_a_proxy_that_does_not_reach_the_house(
    people: People, house: House
) -> None:
    with of_ours(house, SAYS[0]) as proxy:
        goes_on_for_a_throw(people, house, proxy)


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.parametrize("says", SAYS)
def test_a_table_goes_on_behind_a_proxy_that_does_not_reach_the_house(
    people: People, house: House, says: tuple[int, str, str]
) -> None:
    with of_ours(house, says) as proxy:
        goes_on_without_a_house(people, house, proxy)


@pytest.mark.browser
@pytest.mark.long
def test_a_table_goes_on_behind_nginx_whose_house_was_killed(
    people: People, house: House, tmp_path: Path
) -> None:
    with nginx(house, tmp_path) as proxy:
        goes_on_without_a_house(people, house, proxy)


# --- Every script that asks the house -------------------------------------------------------------


def in_a_sheet(mira: Person, dies: Callable[[], None]) -> None:
    mira.opens("Table 1", "Ada", "Bo", stake=200)
    mira.throws(*PAIR, then="Bo to throw")
    dies()
    mira.page.locator("#log .goes-back").first.click()
    expect(mira.page.locator(".sheet-said")).to_contain_text("No line This takes a second look")


def given_ahead(mira: Person, dies: Callable[[], None]) -> None:
    mira.opens("Table 1", "Ada", "Bo", stake=200)
    foresees(mira.page)
    dies()
    mira.page.evaluate("window.floor.foresight.catchUp()")
    throw(mira, *PAIR)
    mira.foresees("Bo to throw")


def of_a_second_person(mira: Person, dies: Callable[[], None]) -> None:
    mira.opens("Table 1", "Ada", "Bo", stake=200)
    mira.throws(*PAIR, then="Bo to throw")
    mira.sees_booked()
    mira.page.evaluate("() => { window.floor.send.awaits = () => true; }")  # no poll says it first
    mira.page.wait_for_timeout(500)
    dies()
    mira.page.evaluate(
        """() => {
            const form = document.createElement("form");
            form.dataset.command = "";
            form.setAttribute("hx-post", document.querySelector("#throw").getAttribute("hx-post"));
            form.setAttribute("hx-target", "#board");
            for (const [name, value] of [["do", "dispute"], ["command_id", ""], ["reason", "x"]]) {
                form.append(Object.assign(document.createElement("input"), { name, value }));
            }
            document.querySelector("#board #main").append(form);
            window.htmx.process(form);
            form.requestSubmit();
        }"""
    )
    expect(mira.said).to_contain_text("No answer. Look whether it is recorded")


def at_the_hall(mira: Person, dies: Callable[[], None]) -> None:
    mira.page.goto("/floor/")
    dies()
    sees_no_line(mira.page)


def on_today(mira: Person, dies: Callable[[], None]) -> None:
    mira.page.goto("/")
    mira.page.keyboard.press("Control+k")
    expect(mira.page.locator("dialog[open] input")).to_be_focused()
    dies()
    mira.page.keyboard.type("Table")
    none = mira.page.locator("dialog[open]").get_attribute("data-none") or ""
    expect(mira.page.locator("dialog[open] .found-nothing")).to_have_text(none)


def of_known_names(mira: Person, dies: Callable[[], None]) -> None:
    mira.goes_to("Table 1")
    dies()
    field = mira.page.get_by_label("Name at seat 1")
    field.fill("Ada")
    mira.page.wait_for_timeout(500)
    expect(mira.page.locator("#picker-list")).to_be_hidden()
    expect(field).to_have_value("Ada")


WAYS: dict[str, Callable[[Person, Callable[[], None]], None]] = {
    "floor/sheets.js": in_a_sheet,
    "floor/foreseen.js": given_ahead,
    "floor/news.js": of_a_second_person,
    "live.js": at_the_hall,
    "palette.js": on_today,
    "picker.js": of_known_names,
}
ELSEWHERE = {
    "floor/send.js": "goes_on_without_a_house",
    "floor/worker.js": "goes_on_without_a_house",
    "wall.js": "its page is loaded once it was sent (test_wall.py)",
    "guests.js": "the page stays as it is, and says so (test_an_evening.py)",
    "at.js": "its link is followed, as where there is no line",
}


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.parametrize("script", WAYS)
def test_what_a_proxy_says_is_no_answer_to_a_script(
    people: People, house: House, script: str
) -> None:
    with of_ours(house, SAYS[1]) as proxy:
        mira = arrives(people, proxy)
        try:
            WAYS[script](mira, proxy.dies)
        finally:
            proxy.comes_back()
        if "/floor/games/" in mira.page.url:
            waits(mira, 0)


def test_every_script_asks_the_house_by_the_one_way_that_knows_proxies() -> None:
    """And each of them is tried above: a new one is missed here."""
    asking = set()
    for script in sorted(SCRIPTS.rglob("*.js")):
        name, text = str(script.relative_to(SCRIPTS)), script.read_text()
        if name == ASKS:
            continue
        assert not OTHER_WAYS.search(text), name
        if "askHouse" in text:
            asking.add(name)
    assert asking == {*WAYS, *ELSEWHERE}


def test_every_page_of_ours_has_that_way_before_its_scripts() -> None:
    base = (paths.TEMPLATES / "base.html").read_text()
    assert base.index(f"js/{ASKS}") < base.index("{% block scripts %}")
    asking = {*WAYS, *ELSEWHERE, "htmx"}
    for page in paths.TEMPLATES.rglob("*.html"):
        text = page.read_text()
        if "<!doctype html>" in text and page.name != "base.html":  # a page that stands alone
            assert not [script for script in asking if script in text], page.name
    guests = (paths.TEMPLATES / "floor" / "guests" / "_goes_on.html").read_text()
    assert guests.index(f"js/{ASKS}") < guests.index("js/guests.js")
