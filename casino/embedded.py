"""
The whole house in one process: web server, Celery worker and beat, on SQLite and ``memory://``.

The same application, tasks and schedule as in production; only who starts them differs.
"""

from __future__ import annotations

import errno
import fcntl
import logging
import signal
import socket
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

import waitress
from celery import signals
from celery.beat import Service
from celery.worker import WorkController, state
from kombu.exceptions import OperationalError

from casino.backoffice.tasks import sign_of_life
from casino.beat import Clock
from casino.celery import app

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

THREADS = 8
PORT_MAX = 65535
STOPS_WITHIN = 10.0  # seconds that a task which has begun is given to end
FIRST_SIGN = 3.0  # seconds that the first page waits for the worker; a broker may be away
LOCK = "running.lock"
log = logging.getLogger(__name__)


class StartRefused(Exception):  # noqa: N818 - it is a fact, as the refusals of games are
    """Something outside stands in the way; the message is the sentence to say."""


class PartDied(Exception):  # noqa: N818 - a fact
    """The house ended although nobody asked."""


@contextmanager
def alone_with(data: Path) -> Iterator[IO[str]]:
    """Two houses on the same data would share one book and two brokers: refuse the second."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        lock = (data / LOCK).open("a+", encoding="utf-8")
    except OSError as error:
        raise StartRefused(
            f"Cannot write to {data}: {error.strerror}. HOME_THROW_DATA can name another folder."
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise StartRefused(
                f"Home Throw already runs on the data in {data}: {lock.read() or 'it is starting'}."
            ) from None
        lock.truncate(0)
        yield lock


def listen(host: str, port: int, wsgi: Callable[..., Any]) -> Any:
    """Waitress, bound but not yet answering."""
    if not 0 <= port <= PORT_MAX:
        raise StartRefused(f"There is no port {port}: they go from 1 to {PORT_MAX}.")
    try:
        return waitress.create_server(wsgi, host=host, port=port, threads=THREADS, ident=None)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        reason = "something else listens there" if taken else error.strerror
        raise StartRefused(
            f"Cannot use port {port}: {reason}. Choose another with --port, as in --port 8001."
        ) from error


def names_on_the_lan() -> list[str]:
    """What other devices may call this machine. Nothing is sent: a route is asked for."""
    hostname = socket.gethostname()
    names = [hostname, f"{hostname}.local"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return names
        return [str(probe.getsockname()[0]), *names]


@dataclass
class Background:
    """The threads beside the web server. One that ends unasked brings everything to a stop."""

    stopping: bool = False
    died: str | None = None

    def start(self, name: str, work: Callable[[], object]) -> threading.Thread:
        thread = threading.Thread(target=self._watch, args=(name, work), name=name, daemon=True)
        thread.start()
        return thread

    def _watch(self, name: str, work: Callable[[], object]) -> None:
        try:
            work()
        except Exception:
            log.exception("The %s failed.", name)
        if not self.stopping:
            self.died = self.died or name
            main = threading.main_thread().ident
            signal.pthread_kill(main or 0, signal.SIGTERM)


@contextmanager
def worker_and_beat() -> Iterator[Background]:
    """Run both until the block ends; then the worker is given time to end what it has begun."""
    background = Background()
    worker = WorkController(
        app=app,
        pool_cls="solo",
        concurrency=1,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    beat = Service(app, max_interval=1, scheduler_cls=Clock)
    signed = threading.Event()
    signals.task_postrun.connect(lambda **_: signed.set(), sender=sign_of_life, weak=False)
    working = background.start("worker", worker.start)
    try:
        background.start("beat", beat.start)
        wake_up()  # beat's first comes in some seconds, and who asks /healthz at once is to know
        signed.wait(FIRST_SIGN)
        yield background
    finally:
        background.stopping = True
        beat.stop()  # not waited for: it sleeps, and holds nothing
        state.should_stop = 0  # type: ignore[assignment]  # Celery's own way, typed as never set
        wake_up()
        working.join(STOPS_WITHIN)
        if background.died:
            raise PartDied(f"The {background.died} died, so everything was stopped.")


def wake_up() -> None:
    """A worker sees its stop after one message and acts on it after another, or after 2 s."""
    with suppress(OperationalError):
        sign_of_life.delay()
        sign_of_life.delay()
