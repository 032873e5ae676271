"""
Log lines leave the process behind its back: whoever reads them slowly, or not at all, holds up
no throw.
"""

from __future__ import annotations

import atexit
import logging
import os
import queue
import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from typing import TextIO

WAITING: Final = 5_000  # lines, some megabytes at most
ENDS_WITHIN: Final = 1.0  # seconds that the last lines have when a process ends


class Unhurried(logging.StreamHandler["TextIO"]):
    """
    Writes in a thread of its own. Where more lines wait than memory should hold, the newest are
    dropped; once there is room again, one line says how many.

    A fork has no thread of its parent's: each process begins its own with its first line.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        super().__init__(stream)
        self._anew()
        os.register_at_fork(after_in_child=self._anew)
        atexit.register(self.end)

    def _anew(self) -> None:
        self._lines: queue.Queue[str | None] = queue.Queue(WAITING)
        self._dropped = 0
        self._writer: threading.Thread | None = None

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = self.format(record)
        except Exception:  # noqa: BLE001 - as logging's own handlers do
            self.handleError(record)
            return
        if self._writer is None:
            self._writer = threading.Thread(target=self._write, name="log", daemon=True)
            self._writer.start()
        try:
            self._lines.put_nowait(line)
        except queue.Full:
            self._dropped += 1

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            dropped, self._dropped = self._dropped, 0
            if dropped:
                line = f'{{"event": "log lines dropped", "lines": {dropped}}}\n{line}'
            try:
                self.stream.write(f"{line}{self.terminator}")
                self.stream.flush()
            except (OSError, ValueError):  # full, or closed: the house goes on without
                self._dropped += dropped + 1

    def end(self) -> None:
        """Write what waits, for a moment."""
        if self._writer is not None and self._writer.is_alive():
            try:
                self._lines.put(None, timeout=ENDS_WITHIN)
            except queue.Full:
                return
            self._writer.join(ENDS_WITHIN)
