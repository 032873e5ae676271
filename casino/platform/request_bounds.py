"""Bounds of a request: of both web servers, of the application, and of every example of a proxy."""

from __future__ import annotations

from typing import Final

BODY_MOST: Final = 262_144  # bytes: 500 commands, or a list as CSV; nothing that is taken is longer
HEAD_MOST: Final = 65_536  # bytes
READ_WITHIN: Final = 20.0  # seconds for the whole request, and for a connection to send its first
WRITTEN_WITHIN: Final = 30.0  # seconds until some of an answer is taken
CONNECTIONS: Final = 1_000  # of a process
