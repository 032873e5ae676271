"""
Log lines leave the process behind its back: whoever reads them slowly, or not at all, holds up
no throw.
"""

from __future__ import annotations

import atexit
import logging
import os
import threading
from collections import deque
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from typing import TextIO

WAITING: Final = 5_000  # lines, some megabytes at most
AT_ONCE: Final = 500  # of them, so that no more are out of the queue than stand in it
LINGERS: Final = 0.1  # seconds: to wake the writer costs more than a line does
ENDS_WITHIN: Final = 1.0  # seconds that the last lines have when a process ends


class Unhurried(logging.StreamHandler["TextIO"]):
    """
    Writes in a thread of its own, what came within a moment at once. Where more lines wait than
    memory should hold, the newest are dropped; once there is room again, one line says how many.

    A fork has no thread of its parent's: each process begins its own with its first line.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        super().__init__(stream)
        self._anew()
        os.register_at_fork(after_in_child=self._anew)
        atexit.register(self.end)

    def _anew(self) -> None:
        self._lines: deque[str] = deque()
        self._more, self._ending = threading.Event(), threading.Event()
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
        if len(self._lines) < WAITING:
            self._lines.append(line)
        else:
            self._dropped += 1
        if not self._more.is_set():
            self._more.set()

    def _write(self) -> None:
        ends = False
        while not ends:
            self._more.wait()
            dropped, self._dropped = self._dropped, 0  # before those that wait now
            self._ending.wait(LINGERS)
            self._more.clear()  # and then look: who comes behind this says so anew
            ends = self._ending.is_set()  # what came before the end is there by now
            while self._lines:
                lines = [self._lines.popleft() for _ in range(min(AT_ONCE, len(self._lines)))]
                if dropped:
                    lines.insert(0, f'{{"event": "log lines dropped", "lines": {dropped}}}')
                try:
                    self.stream.write("".join(f"{line}{self.terminator}" for line in lines))
                    self.stream.flush()
                except (OSError, ValueError):  # full, or closed: the house goes on without
                    self._dropped += dropped + len(lines) - bool(dropped)
                dropped = 0
            self._dropped += dropped  # to be said with the next line

    def end(self) -> None:
        """Write what waits, for a moment."""
        if self._writer is not None and self._writer.is_alive():
            self._ending.set()
            self._more.set()
            self._writer.join(ENDS_WITHIN)
