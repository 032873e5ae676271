"""
TCP links of a house that can be cut, stalled, slowed down, made to lose answers, and to forget that
somebody is connected.

Each link listens on a port of its own and forwards to another. All of them run in one thread.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from tests.faults import packets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

CHUNK = 65536  # bytes
LATE_BY = (0.01, 0.15)  # seconds that each piece is late by in a slow link
REMEMBERED = 90.0  # seconds that the end of a half-open connection is kept, unheard


@dataclass(frozen=True)
class Trap:
    """
    Something that is done at a moment that depends on what passes.

    :param words: all of them stand in one piece of what is asked.
    :param after: once that was answered, before the answer is passed on; else before it is asked.
    """

    words: tuple[bytes, ...]
    act: Callable[[], object]
    after: bool
    done: threading.Event

    def is_for(self, asked: bytes) -> bool:
        return all(word in asked for word in self.words)


class Pair:
    """One connection: the two sockets of it that end here."""

    def __init__(self, told: asyncio.StreamWriter, asked: asyncio.StreamWriter) -> None:
        self.ends = (told, asked)
        self.half = False  # one end is gone, and nothing passes any more
        self.trap: Trap | None = None  # that waits for an answer

    def halve(self, gone: int) -> asyncio.StreamWriter:
        """One end is gone; the other one, to which nothing comes and from which nothing goes."""
        self.half = True
        kept = self.ends[1 - gone]
        packets.drop(kept.get_extra_info("socket"))
        self.ends[gone].transport.abort()
        return kept

    def abort(self) -> None:
        for end in self.ends:
            end.transport.abort()


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
        self._server: asyncio.Server
        self._deaf = self._slow = False
        self._trap: Trap | None = None
        self._chance = Random(name)  # noqa: S311 - chance of a test
        self._pairs: set[Pair] = set()
        self._kept: set[asyncio.StreamWriter] = set()  # of what is half open, the end that is left

    async def listen(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def end(self) -> None:
        """Nobody connects any more, and what was half open is closed."""
        self._server.close()
        for each in self._kept:
            each.transport.abort()

    def cut(self) -> None:
        """Reset every connection there is."""
        self._do(self._cut)

    def deafen(self, *, deaf: bool) -> None:
        self._deaf = deaf

    def slow(self, *, slow: bool) -> None:
        self._slow = slow

    def stall(self, *, stalled: bool) -> None:
        self._do(self._flowing.clear if stalled else self._flowing.set)

    def darken(self, *, dark: bool) -> None:
        self._do(lambda: self._darken(packets.drop if dark else packets.pass_on))

    def halve(self, *, gone: int | None = None) -> None:
        """
        Leave every connection half open, of those who come later none.

        :param gone: 0 who asks, 1 who is asked; without it, of each connection one by chance.
        """
        self._do(lambda: self._halve(gone))

    def at(self, *words: bytes, act: Callable[[], object], after: bool, within: float) -> bool:
        """Do that once, when those words pass; whether they did within so many seconds."""
        self._trap = trap = Trap(words, act, after, threading.Event())
        passed = trap.done.wait(within)
        self._trap = None
        return passed

    def _do(self, what: Callable[[], object]) -> None:
        self._loop.call_soon_threadsafe(what)

    def _cut(self) -> None:
        for pair in list(self._pairs):
            pair.abort()

    def _darken(self, what: Callable[[packets.Socket], None]) -> None:
        ends = [end.get_extra_info("socket") for pair in self._pairs for end in pair.ends]
        for each in (*self._server.sockets, *ends):
            with suppress(OSError):  # it was closed just now
                what(each)

    def _halve(self, gone: int | None) -> None:
        for pair in list(self._pairs):
            self._pairs.discard(pair)
            with suppress(OSError):
                self._keep(pair.halve(self._chance.randrange(2) if gone is None else gone))

    def _keep(self, end: asyncio.StreamWriter) -> None:
        def forget() -> None:
            self._kept.discard(end)
            end.transport.abort()

        self._kept.add(end)
        self._loop.call_later(REMEMBERED, forget)

    async def _connected(self, asks: asyncio.StreamReader, told: asyncio.StreamWriter) -> None:
        try:
            answers, asked = await asyncio.open_connection("127.0.0.1", self.upstream)
        except OSError:  # the server is down: so is the link
            told.transport.abort()
            return
        pair = Pair(told, asked)
        self._pairs.add(pair)
        ways = [
            asyncio.ensure_future(self._ask(asks, pair)),
            asyncio.ensure_future(self._answer(answers, pair)),
        ]
        try:
            await asyncio.gather(*ways)
        except OSError:
            pass  # one end is gone, and takes the other with it
        except asyncio.CancelledError:
            pass  # all is over
        finally:
            self._pairs.discard(pair)
            for way in ways:
                way.cancel()
            if not pair.half:
                pair.abort()

    async def _ask(self, source: asyncio.StreamReader, pair: Pair) -> None:
        to = pair.ends[1]
        while data := await self._read(source, pair):
            if (trap := self._trap) is not None and trap.is_for(data):
                self._trap = None
                if trap.after:
                    pair.trap = trap
                else:
                    await _spring(trap)
            await self._write(data, to, pair)
        if to.can_write_eof() and not pair.half:
            to.write_eof()

    async def _answer(self, source: asyncio.StreamReader, pair: Pair) -> None:
        to = pair.ends[0]
        while data := await self._read(source, pair):
            if (trap := pair.trap) is not None:
                pair.trap = None
                await _spring(trap)
            if self._deaf and self._chance.random() < self.loses:
                self.lost += 1
                raise ConnectionResetError
            await self._write(data, to, pair)
        if to.can_write_eof() and not pair.half:
            to.write_eof()

    async def _read(self, source: asyncio.StreamReader, pair: Pair) -> bytes:
        """Nothing, where nothing comes any more."""
        data = await source.read(CHUNK)
        await self._flowing.wait()
        if data and self._slow:
            await asyncio.sleep(self._chance.uniform(*LATE_BY))
        return b"" if pair.half else data

    async def _write(self, data: bytes, to: asyncio.StreamWriter, pair: Pair) -> None:
        if not pair.half:
            to.write(data)
            await to.drain()


async def _spring(trap: Trap) -> None:
    await asyncio.to_thread(trap.act)
    trap.done.set()


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
        asyncio.run_coroutine_threadsafe(_end_all(links), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _end_all(links: Iterable[Link]) -> None:
    for link in links:
        link.end()
    pending = asyncio.all_tasks() - {asyncio.current_task()}
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
    await asyncio.sleep(0.01)  # what was aborted is closed by the loop, a turn or two later
