"""
The whole house in one process: web server, Celery worker and beat, on SQLite and ``memory://``.

The application, tasks and schedule are the same as in production; only what starts them differs.
The web server starts first: whatever the first page does not need is started after it was served.
"""

from __future__ import annotations

import errno
import logging
import math
import signal
import socket
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import waitress
from django.db import DatabaseError, connections

from casino.config.environment import BODY_MOST, CONNECTIONS, HEAD_MOST, READ_WITHIN
from casino.engine.processes import data_lock

if TYPE_CHECKING:
    from collections.abc import Callable

THREADS = 8
PORT_MAX = 65535
STOPS_WITHIN = 10.0  # seconds that background threads get to end
FIRST_PAGE_WITHIN = 2.0  # seconds; after them nobody seems to want a first page
LOOKS = 60.0  # seconds for which somebody who has requested a page looks at it
NO_PAGES = ("/api/", "/healthz", "/static/")  # what programs request
ASSETS_WITHIN = 0.3  # seconds in which a browser requests the assets of the page
log = logging.getLogger(__name__)


class PartDied(Exception):  # noqa: N818 - a fact
    """A background thread of the house ended by itself."""


def listen(host: str, port: int, wsgi: Callable[..., Any]) -> Any:
    """Return waitress, bound to its address but not yet answering."""
    if not 0 <= port <= PORT_MAX:
        raise data_lock.StartRefused(f"There is no port {port}: they go from 1 to {PORT_MAX}.")
    try:
        return waitress.create_server(
            wsgi,
            host=host,
            port=port,
            threads=THREADS,
            ident=None,
            connection_limit=CONNECTIONS,
            channel_timeout=int(READ_WITHIN),
            cleanup_interval=int(READ_WITHIN),
            max_request_header_size=HEAD_MOST,
            max_request_body_size=BODY_MOST,
            asyncore_use_poll=True,  # select() ends at 1024 files
        )
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        reason = "something else listens there" if taken else error.strerror
        raise data_lock.StartRefused(
            f"Cannot use port {port}: {reason}. Choose another with --port, as in --port 8001."
        ) from error


def names_on_the_lan() -> list[str]:
    """
    The names under which other devices may reach this machine. Nothing is sent: only a route is
    looked up.
    """
    hostname = socket.gethostname()
    names = [hostname, f"{hostname}.local"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return names
        return [str(probe.getsockname()[0]), *names]


class Served:
    """A WSGI application that remembers whether it has answered, and when a page was wanted."""

    def __init__(self, application: Callable[..., Any]) -> None:
        self._application = application
        self._answered = threading.Event()
        self._wanted = -math.inf

    def __call__(self, environ: Any, start_response: Any) -> Any:
        if not environ.get("PATH_INFO", "").startswith(NO_PAGES):
            self._wanted = time.monotonic()
        try:
            return self._application(environ, start_response)
        finally:
            self._answered.set()

    def is_looked_at(self) -> bool:
        """Whether somebody has a page open; most pages ask again by themselves."""
        return time.monotonic() - self._wanted < LOOKS

    def first_page(self) -> None:
        """Wait until somebody has the first page, or until nobody seems to want one."""
        if self._answered.wait(FIRST_PAGE_WITHIN):
            time.sleep(ASSETS_WITHIN)


@dataclass
class Background:
    """The background threads. If one ends by itself, the whole process stops."""

    stopping: threading.Event = field(default_factory=threading.Event)
    died: str | None = None
    failure: Exception | None = None

    def start(self, name: str, work: Callable[[], object]) -> threading.Thread:
        thread = threading.Thread(target=self._watch, args=(name, work), name=name, daemon=True)
        thread.start()
        return thread

    def stop(self, last: threading.Thread) -> None:
        """
        Signal all threads to stop, and give the one that waits for the others time to end.

        :raises PartDied: if a thread had ended before; the log has the reason.
        """
        self.stopping.set()
        last.join(2 * STOPS_WITHIN)
        if self.failure is not None:
            raise self.failure
        if self.died:
            raise PartDied(f"The {self.died} died, so everything was stopped.")

    def _watch(self, name: str, work: Callable[[], object]) -> None:
        try:
            work()
        except (OSError, DatabaseError) as failure:  # such as a full disk: one sentence explains it
            self.failure = self.failure or failure
        except Exception:
            log.exception("The %s failed.", name)
        finally:
            connections.close_all()
        if not self.stopping.is_set():
            self.died = self.died or name
            main = threading.main_thread().ident
            signal.pthread_kill(main or 0, signal.SIGTERM)
