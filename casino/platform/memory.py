"""
What a process has used once it gives back: the C library's allocator, told so. And when not to
look for what could be given back.

By itself it keeps as many heaps as threads ever met in one, and learns from each large block that
is freed to keep larger ones: a process that drew one long report then stays as large as that made
it. Web grew from 160 to 310 MB in an evening (`python -m bench.soak`).
"""

from __future__ import annotations

import ctypes
import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAPS: Final = 2
LARGE: Final = 128 * 1024  # bytes; a block of its own, that goes back as soon as it is free

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # malloc.h; said once, they stay


def gives_back() -> None:
    """On Linux's C library; elsewhere there is nothing to be told."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    mallopt(_ARENA_MAX, HEAPS)
    mallopt(_MMAP_THRESHOLD, LARGE)
    mallopt(_TRIM_THRESHOLD, LARGE)


def trim() -> None:
    """
    What lies free between what is used goes back, too: for who has needed much, as a report does.
    A few ms. Without it the heaps grew by a quarter in an evening, with as much in use as before.
    """
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError):
        return


@contextmanager
def uncollected() -> Iterator[None]:
    """
    Without looking for cycles, for who reads games: what is made of them is much, all of it needed,
    and holds none. Saves a seventh.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
