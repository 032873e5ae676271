"""Clients that are slow, fat or silent harm nobody else."""

from __future__ import annotations

import socket
import sys
import time
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

import pytest

from casino.config.environment import BODY_MOST, HEAD_MOST
from casino.config.web_worker import size_to_read
from tests.processes import environment, eventually, free_port, get, started

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.once
MANY = 200  # clients
SOON = 5.0  # seconds, on a busy machine
APPLICATION = "tests.config.answering:application"
SLOW = {
    "nothing": b"",
    "headers": b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ",
    "a body": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nslow",
    "zeros": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %s1000\r\n\r\nslow" % (b"0" * 20),
    "no end": b"GET / HTTP/1.0\r\n\r\n",  # answered, and not closed by the client
}


@pytest.fixture(scope="module", params=["gunicorn", "waitress"])
def port(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder: Path = tmp_path_factory.mktemp("slow")
    number, log = free_port(), folder / "log"
    env = environment(
        HOME_THROW_DATA=str(folder), DJANGO_SETTINGS_MODULE="casino.config.settings"
    )  # fmt: skip
    bound = ("--threads=4", "--keep-alive=75", f"--bind=127.0.0.1:{number}")
    command = {
        "gunicorn": (
            "-m",
            "gunicorn",
            "-k",
            "casino.config.web_worker.Worker",
            *bound,
            APPLICATION,
        ),
        "waitress": ("-m", "tests.config.answering", str(number)),
    }[request.param]
    with started(sys.executable, *command, env=env, output=log) as web:
        eventually(lambda: get(number, "/")[0] == 200, web, log)
        yield number


def connected(port: int, sent: bytes = b"") -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port), timeout=60)
    line.sendall(sent)
    return line


def answer(line: socket.socket) -> bytes:
    """The length of the body that was answered."""
    came = b""
    while b"bytes" not in came:
        came += line.recv(4096) or b"nothing, and bytes"
    return came.split()[-2]


@pytest.mark.processes
@pytest.mark.parametrize("way", SLOW)
def test_many_slow_clients_harm_nobody_else(port: int, way: str) -> None:
    with ExitStack() as stack:
        lines = [stack.enter_context(connected(port, SLOW[way])) for _ in range(MANY)]
        took = []
        for _ in range(5):
            for line in lines[::7]:
                if way in {"headers", "a body", "zeros"}:
                    line.sendall(b"x")
            began = time.monotonic()
            assert get(port, "/")[0] == 200
            took.append(time.monotonic() - began)
    assert max(took) < SOON


@pytest.mark.processes
def test_a_body_that_comes_in_pieces_is_whole(port: int) -> None:
    with connected(port, b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n") as line:
        for piece in (b"\r\n", b"abc", b"def", b"ghi"):
            time.sleep(0.05)
            line.sendall(piece)
        assert answer(line) == b"9"
        line.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nxyGET / HTTP/1.1\r\n")
        assert answer(line) == b"2"
        line.sendall(b"Host: a\r\n\r\n")  # what came early belongs to the next request
        assert answer(line) == b"0"


@pytest.mark.processes
def test_a_client_that_waits_to_be_told_goes_on(port: int) -> None:
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
    with connected(port, head) as line:
        assert b"100 Continue" in line.recv(4096)
        line.sendall(b"abc")
        assert answer(line) == b"3"


@pytest.mark.processes
def test_a_head_without_an_end_ends_the_connection(port: int) -> None:
    with connected(port, b"GET / HTTP/1.1\r\nA: ") as line, suppress(ConnectionError):
        for _ in range(2 * HEAD_MOST // 1024):
            line.sendall(b"x" * 1024)
        assert b"200" not in line.recv(4096)


@pytest.mark.processes
def test_a_body_that_nobody_takes_ends_the_connection(port: int) -> None:
    length = b"Content-Length: %d" % (BODY_MOST + 1)
    with connected(port, b"POST / HTTP/1.1\r\nHost: a\r\n%s\r\n\r\nabc" % length) as line:
        answer = b""
        while came := line.recv(4096):
            answer += came
    assert b"413" in answer.splitlines()[0]
    assert b"connection: close" in answer.lower()


HEAD = b"POST / HTTP/1.1\r\n"
LONG = b"0" * 60_000


@pytest.mark.parametrize(
    ("came", "needed"),
    [
        (b"GET / HTTP/1.1\r\n", None),
        (b"x" * (HEAD_MOST + 1), None),
        (b"GET / HTTP/1.1\r\nA: b\r\n\r\n", 0),
        (b"GET / HTTP/1.1\r\nA: b\r\n\r\nContent-Length: 9\r\n", 0),
        (HEAD + b"Content-Length: 2\r\n\r\na", 2),
        (HEAD + b"content-length:2\r\n\r\nab", 2),
        (HEAD + b"content-length:\t0\t\r\n\r\nab", 0),
        (HEAD + b"Content-Length: %s2\r\n\r\n" % LONG, 2),
        (HEAD + b"Content-Length: %sx\r\n\r\n" % LONG, 0),  # gunicorn refuses it
        (HEAD + b"Content-Length: %d\r\n\r\n" % BODY_MOST, BODY_MOST),
        (HEAD + b"Content-Length: %d\r\n\r\n" % (BODY_MOST + 1), 0),
        (HEAD + b"Content-Length: %s\r\n\r\n" % (b"9" * 5_000), 0),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", 0),
    ],
)
def test_a_request_needs(came: bytes, needed: int | None) -> None:
    """As many bytes behind its head; nothing that a client writes takes long to read."""
    began = time.process_time()
    found = size_to_read(came)
    assert time.process_time() - began < 0.1
    behind = None if needed is None else came.index(b"\r\n\r\n") + 4 + needed
    assert found == behind
