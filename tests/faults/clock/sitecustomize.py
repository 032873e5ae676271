"""
Sets the clock of the process wrong, as a host's may be, by as many minutes as ``CLOCK_FILE`` says.

Python imports this module before any other where its folder stands in ``PYTHONPATH``. The file is
looked at again and again: what it says anew makes the clock of a running process jump, of those,
too, that were forked. What counts seconds (``time.monotonic``) is not touched.
"""

import os
import threading
from datetime import timedelta
from pathlib import Path
from time import sleep

LOOKS_EVERY = 0.1  # seconds

if file := os.environ.get("CLOCK_FILE"):
    import time_machine

    class Clock:
        """The one of this process."""

        def __init__(self, file: Path) -> None:
            self.file, self.minutes = file, 0
            self.moved: time_machine.Traveller | None = None
            self.look()

        def look(self) -> None:
            minutes = int(self.file.read_text() or 0)
            if minutes != self.minutes and self.moved is None:
                self.moved = time_machine.travel(timedelta(), tick=True).start()
            if self.moved is not None:
                self.moved.shift(timedelta(minutes=minutes - self.minutes))
            self.minutes = minutes

        def keep_looking(self) -> None:
            threading.Thread(target=self._keep, name="clock", daemon=True).start()

        def _keep(self) -> None:
            while True:
                sleep(LOOKS_EVERY)
                self.look()

    CLOCK = Clock(Path(file))
    CLOCK.keep_looking()
    os.register_at_fork(after_in_child=CLOCK.keep_looking)
