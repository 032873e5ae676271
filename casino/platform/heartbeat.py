"""
The sign of life of a worker or a beat, for whoever looks after its process: a file that it touches.

It says that the main loop goes on, and nothing about any other process; `/healthz` says whether
somebody serves each queue. Without `HEARTBEAT_FILE` nothing is written.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

VARIABLE: Final = "HEARTBEAT_FILE"
FRESH: Final = 30.0  # seconds; a worker touches it every two, beat every second


def touch() -> None:
    """Say that this process goes on. A disk that is full is no reason to stop."""
    if named := os.environ.get(VARIABLE, ""):
        with suppress(OSError):
            Path(named).touch()


def age() -> float | None:
    """Seconds since the process went on; None if it never did, or nobody says where to look."""
    try:
        return time.time() - Path(os.environ.get(VARIABLE, "")).stat().st_mtime
    except OSError:
        return None
