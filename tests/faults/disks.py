"""
A disk of one's own that can be full: of memory, as only root may make one (tmpfs(5)).

Full is what the kernel says it is: whoever asks for a page more gets ENOSPC, and what has been
written stays.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SIZE = 6 * 2**30  # bytes, of which only what is written is taken
LEFT = 64 * 2**10  # bytes that a full disk has left, for what needs no more
TRIES = 20
NEW_MOUNTS = 0x00020000  # CLONE_NEWNS, unshare(2)


@dataclass(frozen=True)
class Disk:
    folder: Path

    def fill(self) -> None:
        """It has no room but for some pages."""
        for _ in range(TRIES - 1):
            # What was written since it was looked at may be more than is left: then it is refused.
            with suppress(subprocess.CalledProcessError):
                self._leave_little()
                return
        self._leave_little()

    def _leave_little(self) -> None:
        space = os.statvfs(self.folder)
        used = (space.f_blocks - space.f_bfree) * space.f_frsize
        self._resize(used + LEFT)

    def empty(self) -> None:
        """There is room again."""
        self._resize(SIZE)

    @contextmanager
    def full(self) -> Iterator[None]:
        """Until the block ends."""
        self.fill()
        try:
            yield
        finally:
            self.empty()

    def _resize(self, size: int) -> None:
        subprocess.run(
            ["mount", "-o", f"remount,size={size}", str(self.folder)],
            check=True, stderr=subprocess.DEVNULL,
        )  # fmt: skip


def apart() -> None:
    """
    What this program mounts nobody else sees, and it goes with the program.

    Before it has threads, and only where it is root's; else nothing changes.
    """
    if os.geteuid() == 0 and ctypes.CDLL(None, use_errno=True).unshare(NEW_MOUNTS) == 0:
        subprocess.run(["mount", "--make-rprivate", "/"], check=False)


@contextmanager
def disk(folder: Path) -> Iterator[Disk | None]:
    """A folder as a disk of its own; None where nobody may make one, and the folder is a folder."""
    if not _mounted(folder):
        yield None
        return
    made = Disk(folder)
    try:
        yield made
    finally:
        with suppress(OSError):
            subprocess.run(["umount", "--lazy", str(folder)], check=False)


def _mounted(folder: Path) -> bool:
    if os.geteuid() != 0:
        return False
    kept = folder.stat()
    with suppress(OSError):
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "home-throw-faults", str(folder)],
            check=False, capture_output=True,
        )  # fmt: skip
        if done.returncode == 0:
            os.chown(folder, kept.st_uid, kept.st_gid)
            folder.chmod(kept.st_mode & 0o777)
            return True
    return False
