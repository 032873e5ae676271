"""
Private files and folders: readable and writable only by the user who runs the house.

The mode is given when a file is made, so it does not depend on the umask. `sync` waits for the
disk.
"""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

FILE: Final = 0o600
FOLDER: Final = 0o700
OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def opener(path: str, flags: int) -> int:
    """An opener for `open`: a file that it makes belongs to its owner alone."""
    return os.open(path, flags, FILE)


def folder(path: Path) -> None:
    """Make a private folder if it does not exist; an existing folder keeps its mode."""
    path.mkdir(mode=FOLDER, parents=True, exist_ok=True)


def keep_private(path: Path) -> None:
    """
    Make an empty private file, or remove the rights of others from an existing one.

    An existing file is not opened: closing a file of SQLite's drops all locks that any thread of
    the process has on it (fcntl(2)). The next program to open the database would then take it for
    closed, and delete its write-ahead log (https://sqlite.org/howtocorrupt.html, 2.2).

    :raises OSError: if neither is possible.
    """
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        _make(path)
    else:
        if mode & OTHERS:
            path.chmod(mode & ~OTHERS)


def _make(path: Path) -> None:
    """
    Make the file. If several processes do this at once, one wins; the file has its name once it is
    closed.
    """
    descriptor, own = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(descriptor)
    try:
        with suppress(FileExistsError):
            path.hardlink_to(own)
    finally:
        Path(own).unlink()


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
