"""One house at a time on the same data: a lock in its folder."""

from __future__ import annotations

import fcntl
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from casino.platform import private

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOCK = "running.lock"


class StartRefused(Exception):  # noqa: N818 - it is a fact, as the refusals of games are
    """Something outside stands in the way; the message is the sentence to say."""


@contextmanager
def alone_with(data: Path) -> Iterator[IO[str]]:
    """Two houses on the same data would share one book and two brokers: refuse the second."""
    try:
        private.folder(data)
        private.kept(data / LOCK)
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
