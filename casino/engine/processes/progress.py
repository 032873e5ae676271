"""A progress bar on the terminal where a command runs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from django.core.management.base import OutputWrapper

WIDTH: Final = 30
CLEARED: Final = "\r\033[K"


def bar(stderr: OutputWrapper, share: float | None) -> None:
    """
    Draw a bar over the one before it; draw nothing where there is no terminal.

    :param share: from 0 to 1; None when the work is done: the bar is removed.
    """
    if not sys.stderr.isatty():
        return
    drawn = CLEARED
    if share is not None:
        done = round(WIDTH * share)
        drawn = f"\r[{'#' * done}{'.' * (WIDTH - done)}] {share:4.0%}"
    stderr.write(drawn, style_func=str, ending="")
    stderr.flush()
