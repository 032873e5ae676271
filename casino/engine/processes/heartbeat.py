"""
The sign of life of a worker or a beat, for whoever looks after its process: a file that it touches.

A worker touches it every two seconds, beat every second. It says that the main loop goes on, and
nothing about any other process; `/healthz` says whether somebody serves each queue. Without
`HEARTBEAT_FILE` nothing is written.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def touch() -> None:
    """Say that this process goes on. A disk that is full is no reason to stop."""
    if named := os.environ.get("HEARTBEAT_FILE", ""):
        with suppress(OSError):
            Path(named).touch()
