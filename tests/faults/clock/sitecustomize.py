"""
Sets the clock of the process wrong, as a host's may be, where ``CLOCK_MINUTES`` says by how much.

Python imports this module before any other where its folder stands in ``PYTHONPATH``; processes
that are forked later have the same clock. What counts seconds (``time.monotonic``) is not touched.
"""

import os
from datetime import timedelta

if minutes := int(os.environ.get("CLOCK_MINUTES") or 0):
    import time_machine

    time_machine.travel(timedelta(minutes=minutes), tick=True).start()
