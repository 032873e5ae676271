"""
Sets the clock of the process wrong, as a host's may be, where ``CLOCK_MINUTES`` says by how much,
and puts it back by an hour or on by one, while the process runs, at the signals below.

Python imports this module before any other where its folder stands in ``PYTHONPATH``; processes
that are forked later have the same clock. What counts seconds (``time.monotonic``) is not touched.
"""

import os
import signal
from datetime import timedelta

AN_HOUR_BACK = signal.SIGRTMIN + 1
AN_HOUR_ON = signal.SIGRTMIN + 2

if minutes := os.environ.get("CLOCK_MINUTES"):
    import time_machine

    clock = time_machine.travel(timedelta(minutes=int(minutes)), tick=True).start()

    def leap(number: int, _frame: object) -> None:
        clock.shift(timedelta(hours=1 if number == AN_HOUR_ON else -1))

    signal.signal(AN_HOUR_BACK, leap)
    signal.signal(AN_HOUR_ON, leap)
