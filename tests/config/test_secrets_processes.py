"""
What real processes leave: gunicorn and a worker that say all they can, and a Redis between them.

The whole evening, with what is found in a process that is looked into: test_secrets.py.
"""

from __future__ import annotations

import http.client
import json
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from redis import Redis

from casino.play.core.subscriptions import tasks
from ledger import journal, subscriptions
from tests.processes import eventually, free_port, get
from tests.redis_contents import everything_in
from tests.support import builders
from tests.support.builders import command, opening
from tests.support.processes import Program, Site, site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.builders import House

pytestmark = [pytest.mark.long, pytest.mark.processes, pytest.mark.django_db(transaction=True)]

SECRET = "qzerlinda"  # a part of everything that must not be read
PROXY = {"Host": "127.0.0.1", "X-Forwarded-Proto": "https"}


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture
def place(house: House, tmp_path: Path) -> Iterator[Site]:
    del house
    with site(tmp_path) as made:
        yield made


def test_a_gunicorn_a_worker_and_a_redis_keep_no_secret(place: Site, house: House) -> None:
    token, port = builders.token(house.attendant), free_port()
    env = place.env | {
        "LOG_LEVEL": "DEBUG", "WEB_BIND": f"127.0.0.1:{port}", "WEB_PROCESSES": "1",
    }  # fmt: skip
    gunicorn = (
        sys.executable,
        "-m",
        "gunicorn",
        "-c",
        "python:casino.config.gunicorn",
        "casino.config.wsgi",
    )
    with Program(place, gunicorn, "web", env) as web:
        eventually(lambda: get(port, "/healthz/web", **PROXY)[0] == 200, web.process, web.log)
        requests_with_secrets(port, token, house)
        with Redis.from_url(place.broker.url) as client:
            waits = everything_in(client)
        with place.worker() as worker:
            eventually(lambda: subscriptions.lagging(tasks.SUBSCRIBERS) == [])

    logs = web.log.read_text() + worker.log.read_text()
    assert journal.head(establishment=house.id) > 0
    assert str(house.id) in waits
    for left in (logs, waits):
        assert SECRET not in left.lower(), [line for line in left.splitlines() if SECRET in line]
        assert token not in left
    assert "Invalid request" in web.log.read_text()
    assert "route" in web.log.read_text()


def requests_with_secrets(port: int, token: str, house: House) -> None:
    """Requests that are answered, refused, or not understood at all."""
    bearer = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    opens = json.dumps(opening(house.table, players=[SECRET, "Bo"]))
    status, opened = requested(port, "POST", "/api/v1/games/", opens, **bearer)
    assert status == 201, opened
    commands = f"/api/v1/games/{json.loads(opened)['id']}/commands/"
    note = command("no_throw", player=SECRET, reason="cocked", note=SECRET)
    form = urlencode({"username": SECRET, "password": SECRET})
    for method, path, body, headers in (
        ("POST", commands, json.dumps(note), bearer),
        ("POST", commands, f'{{"{SECRET}"', bearer),
        ("GET", "/api/v1/games/", "", {"Authorization": f"Bearer {SECRET}"}),
        ("POST", "/api/v1/tokens/", json.dumps({"username": SECRET, "password": SECRET}),
         {"Content-Type": "application/json"}),
        ("POST", "/sign-in/", form, {"Content-Type": "application/x-www-form-urlencoded"}),
        ("GET", f"/games/?player={SECRET}", "", {"Cookie": f"sessionid={SECRET}"}),
        ("GET", f"/set-up/?key={SECRET}", "", {"Referer": f"https://127.0.0.1/?q={SECRET}"}),
        ("GET", f"/wall/{SECRET}/", "", {"User-Agent": SECRET}),
        ("GET", f"/nowhere/{SECRET}", "", {"Host": f"{SECRET}.example"}),
    ):  # fmt: skip
        assert 200 <= requested(port, method, path, body, **headers)[0] < 500, path
    for line in (
        f"GET /invitation/?key={SECRET} HTTP/9.9",
        f"GET /invitation/?key={SECRET}",
        f"GET / HTTP/1.1\r\nCookie {SECRET}",
        f"GET / HTTP/1.1\r\nX-{SECRET}: a\r\n {SECRET}",
        f"G@T /?key={SECRET} HTTP/1.1",
    ):
        garbled(port, line)


def requested(port: int, method: str, path: str, body: str, **headers: Any) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, path, body or None, PROXY | headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def garbled(port: int, line: str) -> None:
    """What no server can read as a request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.connect()
        connection.sock.sendall(f"{line}\r\n\r\n".encode())
        connection.sock.recv(4096)
    finally:
        connection.close()
