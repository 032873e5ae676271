"""
What is the house's own on the disk: readable by whoever runs the house, and by nobody else.

The mode is said where a file is made, so that it holds whatever the umask is.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

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

    :raises OSError: as `open`.
    """
    with open(path, "ab", opener=opener) as file:
        mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        if mode & OTHERS:
            os.fchmod(file.fileno(), mode & ~OTHERS)
