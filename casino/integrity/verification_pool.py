"""
Processes that tell stretches of a long book ahead (`ledger.checking.whole`), each over a connection
of its own; whoever checks takes their answers in order.

A process begins anew, no fork: it has nothing of this one's connections and locks. Nothing of
Django is imported here before it is set up. Where one is killed, its stretches are told here.
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
LONG: Final = 400_000  # positions: of fewer, to begin processes takes longer than they save
WAITING: Final = 3  # stretches that are asked for ahead, of each process

Leaves = list[bytes] | None


@contextmanager
def told_ahead(book: Book, workers: int | None = None) -> Iterator[Book]:
    """
    The same book, whose events are told by other processes as well.

    :param workers: how many; None: `WORKERS` for a long book, none for a short one.
    """
    if workers is None:
        workers = WORKERS if book.stop - book.start >= LONG else 1
    if workers < 2:  # noqa: PLR2004 - nobody to share with
        yield book
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=begin)
    try:
        yield replace(book, ahead=Ahead(book, pool, WAITING * workers))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class Ahead:
    """What was asked of the processes and is not taken yet; `most` at a time."""

    def __init__(self, book: Book, pool: ProcessPoolExecutor, most: int) -> None:
        self._book, self._pool, self._most = book, pool, most
        self._asked: dict[tuple[int, int], Future[Leaves]] = {}
        self._next = book.start

    def leaves(self, first: int, stop: int) -> Leaves:
        """As `whole.leaves`."""
        told = self._asked.pop((first, stop), None)
        if told is None:  # the first, or one behind a gap: from there on all is asked for again
            self._asked.clear()
            self._next = stop
        try:
            self._ask()
            if told is not None:
                return told.result()
        except BrokenExecutor:
            self._most = 0
        return tell(self._book, first, stop)

    def _ask(self) -> None:
        while len(self._asked) < self._most and self._next < self._book.stop:
            first, stop = self._next, self._book.stretch(self._next)
            self._asked[first, stop] = self._pool.submit(tell, self._book, first, stop)
            self._next = stop


def begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever asks
    django.setup()


def tell(book: Book, first: int, stop: int) -> Leaves:
    from ledger.checking import whole  # noqa: PLC0415 - see above

    return whole.leaves(book, first, stop)
