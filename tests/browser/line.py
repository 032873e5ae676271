"""The line between a browser and the house, which can be cut: the same for every browser."""

from __future__ import annotations

import selectors
import socket
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECE = 65_536  # bytes passed on at a time


class Line:
    """
    Passes on what a browser and the house say to each other, byte by byte.

    :param port: of the house, on this machine.
    """

    def __init__(self, port: int) -> None:
        self._house = port
        self._cut = False
        self._instead = b""
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._door = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def address(self) -> str:
        """What the browser takes for the house's."""
        return f"http://localhost:{self._door.getsockname()[1]}"

    def cut(self, instead: bytes = b"") -> None:
        """
        From now on nobody is reached, and whoever was being talked to has gone.

        :param instead: what a proxy between them says of that, as HTTP; empty: there is none.
        """
        with self._lock:
            self._cut, self._instead = True, instead
            for end in self._open:
                hang_up(end)

    def mend(self) -> None:
        with self._lock:
            self._cut = False

    def close(self) -> None:
        self.cut()
        self._door.close()

    def _listen(self) -> None:
        with suppress(OSError):  # the door is closed
            while True:
                browser, _ = self._door.accept()
                threading.Thread(target=self._pass_on, args=[browser], daemon=True).start()

    def _pass_on(self, browser: socket.socket) -> None:
        with self._lock:
            cut, instead = self._cut, self._instead
        if cut:
            with suppress(OSError, ValueError), browser, browser.makefile("rb") as asked:
                if instead:
                    read_request(asked)
                    browser.sendall(instead)
            return
        with suppress(OSError), browser, socket.create_connection(("127.0.0.1", self._house)) as to:
            with self._lock:
                if self._cut:
                    return
                self._open |= {browser, to}
            try:
                both_ways(browser, to)
            finally:
                with self._lock:
                    self._open -= {browser, to}


def read_request(asked: BinaryIO) -> None:
    """To its end: whoever is answered before that hears nothing but a broken line."""
    length = 0
    while line := asked.readline().strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    asked.read(length)


def both_ways(one: socket.socket, other: socket.socket) -> None:
    with selectors.DefaultSelector() as selector:
        selector.register(one, selectors.EVENT_READ, other)
        selector.register(other, selectors.EVENT_READ, one)
        while True:
            for key, _ in selector.select():
                piece = key.fileobj.recv(PIECE)  # type: ignore[union-attr]  # they are sockets
                if not piece:
                    return
                key.data.sendall(piece)


def hang_up(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


@contextmanager
def line_to(port: int) -> Iterator[Line]:
    line = Line(port)
    try:
        yield line
    finally:
        line.close()
