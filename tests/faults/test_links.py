"""Links fail as real ones do: what each side is told of it, and what it is not."""

from __future__ import annotations

import socket
import sys
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import pytest

from tests.faults.links import LATE_BY, Link, linked

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="who drops packets is Linux")
PATIENCE = 10.0  # seconds
SOON = 0.3  # seconds in which a packet that is not dropped arrives


@contextmanager
def to_a_parrot() -> Iterator[tuple[Link, socket.socket, socket.socket]]:
    """A link, its client, and the end of a server that says again what it hears."""
    heard: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_answer, args=(server, heard), daemon=True).start()
        with (
            linked(link := Link("parrot", server.getsockname()[1], loses=1.0)),
            socket.create_connection(("127.0.0.1", link.port), PATIENCE) as client,
        ):
            assert _said_again(client)
            yield link, client, heard[0]


def _answer(server: socket.socket, heard: list[socket.socket]) -> None:
    with suppress(OSError):  # it is closed
        while True:
            client, _ = server.accept()
            heard.append(client)
            threading.Thread(target=_repeat, args=(client,), daemon=True).start()


def _repeat(client: socket.socket) -> None:
    client.settimeout(PATIENCE)
    with client, suppress(OSError):  # it is gone
        while words := client.recv(100):
            client.sendall(words)


def _said_again(client: socket.socket, words: bytes = b"hello") -> bool:
    client.sendall(words)
    return client.recv(100) == words


def test_of_a_half_open_connection_one_side_is_told_nothing() -> None:
    with to_a_parrot() as (link, client, server):
        link.halve(gone=1)

        while server.fileno() != -1:  # that one is told, and ends
            time.sleep(0.01)
        client.settimeout(SOON)
        with pytest.raises(TimeoutError):
            _said_again(client)
        with socket.create_connection(("127.0.0.1", link.port), PATIENCE) as another:
            assert _said_again(another)


def test_a_client_that_is_gone_is_still_there_for_its_server() -> None:
    with to_a_parrot() as (link, client, server):
        link.halve(gone=0)

        assert client.recv(100) == b""
        time.sleep(SOON)
        assert server.fileno() != -1


def test_a_dark_link_says_not_even_no_and_comes_back() -> None:
    with to_a_parrot() as (link, client, _):
        link.darken(dark=True)
        time.sleep(0.05)
        client.sendall(b"who is there?")
        with pytest.raises(TimeoutError):
            socket.create_connection(("127.0.0.1", link.port), SOON)
        link.darken(dark=False)

        assert client.recv(100) == b"who is there?"  # TCP has sent it once more


def test_a_slow_link_is_late_and_loses_nothing() -> None:
    with to_a_parrot() as (link, client, _):
        link.slow(slow=True)
        began = time.monotonic()

        assert _said_again(client)
        assert time.monotonic() - began >= 2 * LATE_BY[0]


@pytest.mark.parametrize("after", [False, True])
def test_something_is_done_at_the_moment_that_words_pass(after: bool) -> None:  # noqa: FBT001
    with to_a_parrot() as (link, client, _):
        asked = threading.Timer(0.05, lambda: client.sendall(b"ZADD waiting:play"))
        asked.start()
        done: list[bytes] = []

        assert link.at(b"ZADD", b"waiting:", act=lambda: done.append(b"."), after=after, within=5)
        assert done == [b"."]
        assert client.recv(100) == b"ZADD waiting:play"


def test_a_moment_that_does_not_come_is_not_waited_for_any_more() -> None:
    with to_a_parrot() as (link, client, _):
        assert not link.at(b"ZADD", act=lambda: None, after=False, within=0.05)
        assert _said_again(client, b"ZADD")
