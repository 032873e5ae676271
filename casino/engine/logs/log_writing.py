"""Writes log lines from a thread of its own, so that a slow or stuck reader delays no throw."""

from __future__ import annotations

import atexit
import logging
import os
import threading
from collections import deque
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from typing import TextIO

WAITING: Final = 5_000  # lines that may wait, some megabytes at most
AT_ONCE: Final = 500  # lines written at once, so that few are out of the queue
GATHERS: Final = 0.1  # seconds: waking the writer costs more than writing a line
ENDS_WITHIN: Final = 1.0  # seconds that the last lines get when a process ends


class BatchHandler(logging.StreamHandler["TextIO"]):
    """
    A handler that writes from its own thread, all lines of a moment together. When `WAITING` lines
    wait, the newest are dropped; once there is room again, one line says how many.

    Threads do not survive a fork: each process starts its own with its first line.
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
            dropped, self._dropped = self._dropped, 0  # dropped before the lines that wait now
            self._ending.wait(GATHERS)
            self._more.clear()  # clear before looking: a line that comes later sets it again
            ends = self._ending.is_set()  # lines from before the end are in the queue by now
            while self._lines:
                lines = [self._lines.popleft() for _ in range(min(AT_ONCE, len(self._lines)))]
                if dropped:
                    lines.insert(0, f'{{"event": "log lines dropped", "lines": {dropped}}}')
                try:
                    self.stream.write("".join(f"{line}{self.terminator}" for line in lines))
                    self.stream.flush()
                except (OSError, ValueError):  # full, or closed: the house goes on without logs
                    self._dropped += dropped + len(lines) - bool(dropped)
                dropped = 0
            self._dropped += dropped  # reported with the next line

    def end(self) -> None:
        """Give the waiting lines a moment to be written."""
        if self._writer is not None and self._writer.is_alive():
            self._ending.set()
            self._more.set()
            self._writer.join(ENDS_WITHIN)
