"""A lock in the data folder: only one house at a time may run on the same data."""

from __future__ import annotations

import fcntl
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from casino.engine.processes import private

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOCK = "running.lock"


class StartRefused(Exception):  # noqa: N818 - it is a fact, as the refusals of games are
    """The house cannot start for an outside reason; the message is the sentence to show."""


@contextmanager
def alone_with(data: Path) -> Iterator[IO[str]]:
    """
    Lock the data folder, or refuse to start: two houses on it would share a database but not a
    broker.
    """
    try:
        private.folder(data)
        private.keep_private(data / LOCK)
        lock = (data / LOCK).open("a+", encoding="utf-8")
    except OSError as error:
        raise StartRefused(
            f"Cannot write to {data}: {error.strerror}. HOME_THROW_DATA can name another folder."
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise StartRefused(
                f"Home Throw already runs on the data in {data}: {lock.read() or 'it is starting'}."
            ) from None
        lock.truncate(0)
        yield lock


def address(data: Path) -> str | None:
    """Where the house on this data is reached; None where none runs, or one is still starting."""
    try:
        lock = (data / LOCK).open(encoding="utf-8")
    except FileNotFoundError:
        return None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return lock.read() or None
        return None
