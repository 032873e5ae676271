"""gunicorn's settings: `gunicorn -c python:casino.config.gunicorn casino.config.wsgi`."""

import os
import signal
from typing import Any

from gunicorn.glogging import Logger  # type: ignore[import-untyped]  # gunicorn has no types

from casino.engine.logs import logs
from casino.office.monitoring import exporter


class Lines(Logger):  # type: ignore[misc]  # as above
    """A logger without an access log: the house logs each request (`casino.engine.logs.logs`)."""

    def access(self, *_request: Any) -> None:
        """Write no access log line, and do not gather what would be in one."""


bind = os.environ.get("WEB_BIND", "0.0.0.0:8000")
worker_class = "casino.config.web_worker.Worker"
workers = int(os.environ.get("WEB_PROCESSES", "2"))
threads = int(os.environ.get("WEB_THREADS", "8"))
# Each process is replaced after so many requests, the two not at once. This is a precaution against
# leaks that nobody has found: the processes are not known to grow (python -m bench.soak).
max_requests = int(os.environ.get("WEB_MAX_REQUESTS", "250000"))
max_requests_jitter = max_requests // 10
# The house is imported once and then forked, so the processes share memory that they do not write.
# New code needs a restart; HUP only reads these settings again.
preload_app = True
# Connections from a proxy are kept and reused; a worker that hangs is replaced after `timeout`.
keepalive = 75
timeout = 60
# Seconds for which a process that is asked to end goes on, and says so to its load balancer; and
# seconds until the parent ends whoever has not ended.
DRAIN = int(os.environ.get("WEB_DRAIN", "0"))
graceful_timeout = 30 + DRAIN
# Heartbeats are kept in memory: on a busy disk a healthy worker could look dead.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: PTH112, S108
control_socket_disable = True
logger_class = Lines
logconfig_dict = logs.configuration(
    production=True, level=os.environ.get("LOG_LEVEL", "INFO").upper()
)


metrics_bind = os.environ.get("METRICS_BIND", "").strip()
if metrics_bind:  # before the application, which imports what counts
    exporter.begin(metrics_bind, forks=True)


def post_fork(server: Any, _worker: object) -> None:
    """
    Let a signal end a new process that does not listen yet.

    Until it does, it would only note the signal for the parent that it was forked from, and be
    killed after `graceful_timeout`.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    while not server.SIG_QUEUE.empty():  # since the fork, or just before it
        if server.SIG_QUEUE.get_nowait() == signal.SIGTERM:
            raise SystemExit(0)
    exporter.serve()


def when_ready(_server: object) -> None:
    from casino.config import preload  # noqa: PLC0415 - the application is there only now

    preload.web()
