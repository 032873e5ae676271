"""
TCP links of a house that can be cut, stalled, and made to lose answers.

Each link listens on a port of its own and forwards to another. All of them run in one thread.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHUNK = 65536  # bytes


class Link:
    """
    One way from those who ask to one server.

    :param loses: which share of the answers is lost while it is deaf: of HTTP there is one an
        exchange, of a database's protocol there are many.
    """

    def __init__(self, name: str, upstream: int, *, loses: float) -> None:
        self.name, self.upstream, self.loses = name, upstream, loses
        self.port = 0
        self.lost = 0  # answers that came and were not passed on
        self._loop: asyncio.AbstractEventLoop
        self._flowing: asyncio.Event
        self._deaf = False
        self._chance = Random(name)  # noqa: S311 - chance of a test
        self._ends: set[asyncio.StreamWriter] = set()

    async def listen(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._flowing = asyncio.Event()
        self._flowing.set()
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """Reset every connection there is."""
        self._do(self._cut)

    def deafen(self, *, deaf: bool) -> None:
        self._deaf = deaf

    def stall(self, *, stalled: bool) -> None:
        self._do(self._flowing.clear if stalled else self._flowing.set)

    def _do(self, what: Callable[[], None]) -> None:
        self._loop.call_soon_threadsafe(what)

    def _cut(self) -> None:
        for end in list(self._ends):
            end.transport.abort()

    async def _connected(self, asks: asyncio.StreamReader, told: asyncio.StreamWriter) -> None:
        try:
            answers, asked = await asyncio.open_connection("127.0.0.1", self.upstream)
        except OSError:  # the server is down: so is the link
            told.transport.abort()
            return
        ends = {told, asked}
        self._ends |= ends
        try:
            await asyncio.gather(
                self._pump(asks, asked), self._pump(answers, told, are_answers=True)
            )
        except OSError:
            pass  # one end is gone, and takes the other with it
        finally:
            self._ends -= ends
            for end in ends:
                end.transport.abort()

    async def _pump(
        self, source: asyncio.StreamReader, to: asyncio.StreamWriter, *, are_answers: bool = False
    ) -> None:
        while data := await source.read(CHUNK):
            await self._flowing.wait()
            if are_answers and self._deaf and self._chance.random() < self.loses:
                self.lost += 1
                raise ConnectionResetError
            to.write(data)
            await to.drain()
        if to.can_write_eof():
            to.write_eof()


@contextmanager
def linked(*links: Link) -> Iterator[None]:
    """The links listen until the block ends."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="links", daemon=True)
    thread.start()
    try:
        for link in links:
            asyncio.run_coroutine_threadsafe(link.listen(), loop).result()
        yield
    finally:
        asyncio.run_coroutine_threadsafe(_end_all(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _end_all() -> None:
    pending = asyncio.all_tasks() - {asyncio.current_task()}
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
