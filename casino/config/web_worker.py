"""
gunicorn's worker with threads, which goes on for a while after it was asked to end.

A load balancer sends requests to a web process that has ended until it looks again, and those are
lost with their connections. So on SIGTERM a process first says at ``/healthz/web`` that it is
draining and answers everything for `WEB_DRAIN` seconds, in which the load balancer looks. Then it
ends as gunicorn's worker does: it finishes what it is about.
"""

from __future__ import annotations

import threading
from typing import Any

from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]  # has no types

from casino.config.gunicorn import DRAIN
from casino.platform.draining import DRAINING


class Worker(ThreadWorker):  # type: ignore[misc]  # as above
    def handle_exit(self, *signal: Any) -> None:
        """On SIGTERM, which systemd and gunicorn's parent both send: the first one counts."""
        if DRAINING.is_set():
            return
        DRAINING.set()
        later = threading.Timer(DRAIN, super().handle_exit, signal)
        later.daemon = True
        later.start()
