"""
What is the house's own on the disk: readable by whoever runs the house, and by nobody else.

The mode is said where a file is made, so that it holds whatever the umask is.
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
    """For `open`: what it makes is its owner's alone."""
    return os.open(path, flags, FILE)


def folder(path: Path) -> None:
    """Make a folder, where it is not there; one that somebody made is left as they made it."""
    path.mkdir(mode=FOLDER, parents=True, exist_ok=True)


def kept(path: Path) -> None:
    """
    Make a file, empty, or take from others what they may do with the one that is there.

    One that is there is not opened: whoever closes a file of SQLite's takes from all threads of the
    process the locks they have on it (fcntl(2)), and the next program to look at the book would
    take it for closed, and its log away (https://sqlite.org/howtocorrupt.html, 2.2).

    :raises OSError: if it can be neither.
    """
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        _made(path)
    else:
        if mode & OTHERS:
            path.chmod(mode & ~OTHERS)


def _made(path: Path) -> None:
    """Of those that do this at the same time one wins; the file has its name once it is closed."""
    descriptor, own = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(descriptor)
    try:
        with suppress(FileExistsError):
            path.hardlink_to(own)
    finally:
        Path(own).unlink()
