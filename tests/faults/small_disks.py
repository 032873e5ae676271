"""A disk of few megabytes, which is full when it is full, for whoever may mount one."""

from __future__ import annotations

import errno
import os
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MOUNTED = os.geteuid() == 0  # nobody else is let mount anything
PIECE = 2**16  # bytes


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """In memory; all that makes temporary folders meanwhile makes them there."""
    folder, before = Path(tempfile.mkdtemp(prefix="small-disk-")), tempfile.tempdir
    size = f"size={megabytes}m,mode=1777"
    subprocess.run(["mount", "-t", "tmpfs", "-o", size, "none", folder], check=True)
    try:
        tempfile.tempdir = str(folder)
        yield folder
    finally:
        tempfile.tempdir = before
        subprocess.run(["umount", "--lazy", folder], check=True)
        folder.rmdir()


@contextmanager
def filled(disk: Path, *, but: int = 0) -> Iterator[None]:
    """
    Nothing more can be written to it, until the block ends.

    :param but: bytes that are left.
    """
    ballast = disk / "ballast"
    try:
        with ballast.open("wb", buffering=0) as file:
            _write_until_full(file.fileno())
            file.truncate(max(0, file.tell() - but))
        yield
    finally:
        ballast.unlink(missing_ok=True)


def _write_until_full(file: int) -> None:
    while True:
        try:
            os.write(file, b"\0" * PIECE)
        except OSError as full:
            if full.errno != errno.ENOSPC:
                raise
            return
