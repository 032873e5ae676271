"""
Settings of the C library's allocator, so that a process gives memory back; a pause for the garbage
collector.

By default the allocator keeps as many heaps as threads ever allocated at once, and raises its
limits with each large block that is freed: a process that drew one long report then stays as large
as that made it. Web grew from 160 to 310 MB in an evening (`python -m bench.soak`).
"""

from __future__ import annotations

import ctypes
import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAPS: Final = 2
LARGE: Final = 128 * 1024  # bytes; a larger block is mapped alone, and given back when freed

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # malloc.h; once set, they stay


def gives_back() -> None:
    """Set the limits of Linux's C library; elsewhere do nothing."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    mallopt(_ARENA_MAX, HEAPS)
    mallopt(_MMAP_THRESHOLD, LARGE)
    mallopt(_TRIM_THRESHOLD, LARGE)


def trim() -> None:
    """
    Give free memory between used blocks back, after work that needed much of it, such as a report.
    Takes a few ms. Without it the heaps grew by a quarter in an evening, with as much in use as
    before.
    """
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError):
        return


@contextmanager
def without_collector() -> Iterator[None]:
    """
    Switch the garbage collector off while games are read: that makes many objects, all of them
    needed and without cycles. Saves a seventh of the time.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
