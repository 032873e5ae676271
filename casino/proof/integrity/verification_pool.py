"""
Worker processes that read stretches of a long ledger ahead (`ledger.checking.whole`), each over its
own connection; the check takes their results in order.

Processes are spawned, not forked, so they share no connections or locks with this one. Nothing that
needs Django is imported here before Django is set up. If a process is killed, its stretches are
read here.
"""

from __future__ import annotations

import multiprocessing
import signal
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import django

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.checking.book import Book

WORKERS: Final = 2
LONG: Final = 400_000  # positions: with fewer, starting processes takes longer than they save
WAITING: Final = 3  # stretches that are submitted ahead, for each process

Leaves = list[bytes] | None


@contextmanager
def read_ahead(book: Book, workers: int | None = None) -> Iterator[Book]:
    """
    The same ledger, with other processes that read its events ahead.

    :param workers: how many processes; None: `WORKERS` for a long ledger, none for a short one.
    """
    if workers is None:
        workers = WORKERS if book.stop - book.start >= LONG else 1
    if workers < 2:  # noqa: PLR2004 - nobody to share with
        yield book
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=begin)
    try:
        yield replace(book, ahead=ReadAhead(book, pool, WAITING * workers))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class ReadAhead:
    """The stretches that are submitted to processes and not taken yet; `most` at a time."""

    def __init__(self, book: Book, pool: ProcessPoolExecutor, most: int) -> None:
        self._book, self._pool, self._most = book, pool, most
        self._pending: dict[tuple[int, int], Future[Leaves]] = {}
        self._next = book.start

    def leaves(self, first: int, stop: int) -> Leaves:
        """The same result as `whole.leaves`."""
        future = self._pending.pop((first, stop), None)
        if future is None:  # the first stretch, or one after a gap: submit again from there on
            self._pending.clear()
            self._next = stop
        try:
            self._submit()
            if future is not None:
                return future.result()
        except BrokenExecutor:
            self._most = 0
        return leaves_of(self._book, first, stop)

    def _submit(self) -> None:
        while len(self._pending) < self._most and self._next < self._book.stop:
            first, stop = self._next, self._book.stretch(self._next)
            self._pending[first, stop] = self._pool.submit(leaves_of, self._book, first, stop)
            self._next = stop


def begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the caller
    django.setup()


def leaves_of(book: Book, first: int, stop: int) -> Leaves:
    from ledger.checking import whole  # noqa: PLC0415 - see above

    return whole.leaves(book, first, stop)
