"""
The address at which Prometheus reads the metrics of a program: `METRICS_BIND`, a port of its own.

`/metrics` has what the processes of this program counted, `/metrics/installation` what database
and broker know (`Installation`), which is the same whichever program is asked.

A program that forks listens before it does, and each of its processes answers at that one socket:
the counts of all of them lie in a folder of small files. So no process that only serves metrics has
to be paid for, and one that is busy or has died leaves the answer to the others. The main process
answers nothing: whoever forks should have no threads.
"""

from __future__ import annotations

import atexit
import os
import platform
import shutil
import socket
import tempfile
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any, Final
from wsgiref.simple_server import WSGIRequestHandler

import structlog
from celery import current_app as app
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone
from kombu.exceptions import ChannelError
from kombu.exceptions import OperationalError as BrokerDown
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily
from prometheus_client.registry import Collector

from casino.engine.logs.health import worker_signs
from casino.engine.logs.health.models import BeatLease
from casino.engine.processes.queues import waking
from casino.engine.processes.version import VERSION
from casino.office.monitoring import checks
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from ledger import subscriptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from prometheus_client.core import Metric

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable of prometheus_client for its folder; it is read when that is first imported."""
HOUR: Final = 3600.0  # seconds; nothing wakes the thread but a request
WAITING: Final = 32  # connections
PORT_MAX: Final = 65535
PATHS: Final = ("/metrics", "/metrics/installation")

_listening: socket.socket | None = None
_serving: int | None = None
"""The process in which the thread runs; a fork has none."""


def begin(bind: str, *, forks: bool) -> None:
    """
    Listen, and begin to count. Processes that are forked afterwards inherit both; again, it does
    nothing. `serve` begins to answer.

    :param bind: host and port, as `127.0.0.1:9464`.
    :param forks: whether the processes that count are forks of this one.
    :raises SystemExit: if this is no address, or nobody can listen there.
    """
    global _listening  # noqa: PLW0603 - one for each program
    if _listening is not None:
        return
    if forks and FOLDER not in os.environ:
        os.environ[FOLDER] = _folder()
    _listening = _listen(bind)
    from casino.office.monitoring import instruments  # noqa: PLC0415 - it reads the variable

    instruments.connect()


def serve() -> None:
    """Answer from a thread of this process, if it `begin`s or is a fork of one that did."""
    global _serving  # noqa: PLW0603 - one for each process
    if _listening is None or _serving == os.getpid():
        return
    _serving = os.getpid()
    Thread(
        target=_server(_listening).serve_forever, args=(HOUR,), name="metrics", daemon=True
    ).start()


def serve_from_here(**_signal: object) -> None:
    """`serve`, as a receiver of Celery's signal."""
    serve()


def _listen(bind: str) -> socket.socket:
    host, _, port = bind.rpartition(":")
    if not host or not port.isdecimal() or int(port) > PORT_MAX:
        raise SystemExit(f"METRICS_BIND={bind!r}: say host:port, as in 127.0.0.1:9464.")
    try:
        return socket.create_server(
            (host.strip("[]"), int(port)),
            family=socket.AF_INET6 if ":" in host else socket.AF_INET,
            backlog=WAITING,
        )
    except OSError as error:
        raise SystemExit(f"METRICS_BIND={bind!r}: nobody can listen there: {error}.") from error


def _folder() -> str:
    """A new folder for the counts of the processes; it goes when this process ends."""
    made, maker = tempfile.mkdtemp(prefix="home-throw-metrics-"), os.getpid()

    def remove() -> None:
        if os.getpid() == maker:  # forks inherit this
            shutil.rmtree(made, ignore_errors=True)

    atexit.register(remove)
    return made


def _server(listening: socket.socket) -> Any:
    from prometheus_client.exposition import ThreadingWSGIServer  # noqa: PLC0415 - see `begin`

    class Server(ThreadingWSGIServer):
        def handle_error(self, request: Any, client_address: Any) -> None:
            """Whoever asked is gone; the next one asks again."""

    server = Server(listening.getsockname()[:2], Quiet, bind_and_activate=False)
    server.socket.close()
    server.socket = listening
    server.server_name, server.server_port = "metrics", listening.getsockname()[1]
    server.setup_environ()
    server.set_app(application())
    return server


class Quiet(WSGIRequestHandler):
    """Logs no request: there is one every few seconds."""

    timeout = 10  # seconds for a request that does not end

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its base has it so
        pass


def application() -> Callable[..., list[bytes]]:
    """A WSGI application: two paths, in the text format of OpenMetrics or of Prometheus."""
    from django.db import connections  # noqa: PLC0415 - the settings may not be there at `begin`
    from prometheus_client import CollectorRegistry, make_wsgi_app  # noqa: PLC0415
    from prometheus_client.multiprocess import MultiProcessCollector  # noqa: PLC0415

    from casino.office.monitoring import instruments  # noqa: PLC0415

    counted, whole = CollectorRegistry(), CollectorRegistry()
    if FOLDER in os.environ:
        MultiProcessCollector(counted)  # type: ignore[no-untyped-call]
    else:
        counted.register(instruments.COUNTED)
    counted.register(Build())
    whole.register(Installation())
    paths = dict(zip(PATHS, (make_wsgi_app(counted), make_wsgi_app(whole)), strict=True))

    def answer(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        found = paths.get(environ["PATH_INFO"])
        if found is None:
            start_response("404 Not Found", [("Content-Type", "text/plain")])
            return [f"Ask {' or '.join(PATHS)}.\n".encode()]
        try:
            return list(found(environ, start_response))
        finally:
            with suppress(Exception):  # each request is a thread of its own
                connections.close_all()

    return answer


#
# How the installation stands: figures of the database and the broker, read when somebody asks.
#
# They say the same whichever program is asked, so one address of one of them is read. A scrape
# costs what `/healthz` costs, and one index look-up more for each house and subscriber.


NAME: Final = "home_throw"
log = structlog.get_logger(__name__)


class Build(Collector):
    """Which version runs here."""

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily(
            f"{NAME}_build",
            "The version of the house, and of Python.",
            {"version": VERSION, "python": platform.python_version()},
        )


class Installation(Collector):
    """Everything that is not counted in a process. What does not answer is left out."""

    def collect(self) -> Iterator[Metric]:
        now = timezone.now()
        answers = GaugeMetricFamily(
            f"{NAME}_figures_read", "Whether these figures could be read: 1, or 0.", labels=["of"]
        )
        parts: dict[str, Callable[[], list[Metric]]] = {
            "subscriptions": lambda: progress_of_subscribers(now),
            "queues": queues,
            "workers": lambda: workers(now),
            "beat": beat,
            "health": lambda: health(now),
        }
        for name, read in parts.items():
            try:
                yield from read()
            except (DatabaseError, BrokerDown, OSError) as error:
                log.warning("figures_unread", of=name, reason=type(error).__name__)
                answers.add_metric([name], 0)
            else:
                answers.add_metric([name], 1)
        yield answers

    def describe(self) -> list[Metric]:
        """None: to describe itself it would have to ask everybody."""
        return []


def progress_of_subscribers(now: datetime) -> list[Metric]:
    """How far the ledger is, and how far subscribers are behind it, over all houses."""
    of_subscriber = ["subscriber"]
    houses = GaugeMetricFamily(
        f"{NAME}_subscription_lagging_houses", "Houses with unread events.", labels=of_subscriber
    )
    behind = GaugeMetricFamily(
        f"{NAME}_subscription_lag_events", "Unread events, of all houses.", labels=of_subscriber
    )
    worst = GaugeMetricFamily(
        f"{NAME}_subscription_worst_lag_events",
        "Unread events of the house with most.",
        labels=of_subscriber,
    )
    oldest = GaugeMetricFamily(
        f"{NAME}_subscription_worst_lag_seconds",
        "Age of the oldest unread event, in seconds.",
        labels=of_subscriber,
    )
    begun, events = 0, 0
    for total in subscriptions.totals(SUBSCRIBERS):
        begun, events = total.houses, total.recorded
        since = 0.0 if total.oldest is None else max(0.0, (now - total.oldest).total_seconds())
        for family, value in (
            (houses, total.lagging),
            (behind, total.behind),
            (worst, total.worst),
            (oldest, since),
        ):
            family.add_metric([total.subscription], value)
    return [
        GaugeMetricFamily(f"{NAME}_ledgers", "Ledgers with at least one event.", begun),
        CounterMetricFamily(f"{NAME}_ledger_events", "Events recorded, in all ledgers.", events),
        houses, behind, worst, oldest,
    ]  # fmt: skip


def queues() -> list[Metric]:
    """What waits in the broker's queues, and in the lists of houses to look after."""
    messages = GaugeMetricFamily(
        f"{NAME}_queue_messages", "Messages that wait in a queue.", labels=["queue"]
    )
    entries = GaugeMetricFamily(
        f"{NAME}_waiting_entries", "Houses that wait for their turn in a queue.", labels=["queue"]
    )
    with app.connection_for_write(connect_timeout=checks.BROKER_TIMEOUT) as link:
        link.ensure_connection(max_retries=1, interval_start=0, timeout=checks.BROKER_TIMEOUT)
        channel: Any = link.default_channel  # its stubs know no method of it
        for queue in settings.CELERY_TASK_QUEUES:
            try:
                found = channel.queue_declare(queue, passive=True).message_count
            except ChannelError:  # nothing was ever sent to it
                found = 0
            messages.add_metric([queue], found)
    for queue in settings.CELERY_TASK_QUEUES:
        entries.add_metric([queue], waiting_entries(queue))
    return [messages, entries]


def waiting_entries(queue: str) -> int:
    """:raises BrokerDown: if the broker cannot be reached."""
    try:
        return waking.waiting().length(queue)
    except Exception as error:
        if waking.of_redis(error):
            raise BrokerDown(str(error)) from error
        raise


def workers(now: datetime) -> list[Metric]:
    """When a worker last took something from each queue."""
    seen = GaugeMetricFamily(
        f"{NAME}_queue_served_timestamp_seconds",
        "When a worker last answered a heartbeat from a queue, in seconds since 1970.",
        labels=["queue"],
    )
    for queue, at in worker_signs.last_seen(now).items():
        if at is not None:
            seen.add_metric([queue], at.timestamp())
    return [seen]


def beat() -> list[Metric]:
    """The lease of beat: when it was renewed, when it ends, how often the holder changed."""
    renewed = GaugeMetricFamily(
        f"{NAME}_beat_lease_renewed_timestamp_seconds", "When beat renewed its lease, since 1970."
    )
    ends = GaugeMetricFamily(
        f"{NAME}_beat_lease_ends_timestamp_seconds", "When beat's lease ends, since 1970."
    )
    holders = CounterMetricFamily(f"{NAME}_beat_holders", "Holders that the lease has had.")
    for row in BeatLease.objects.all():
        renewed.add_metric([], row.renewed_at.timestamp())
        ends.add_metric([], row.ends_at.timestamp())
        holders.add_metric([], row.fence)
    return [renewed, ends, holders]


def health(now: datetime) -> list[Metric]:
    """What `/healthz` says of each part."""
    well = GaugeMetricFamily(
        f"{NAME}_healthy", "Whether a part of /healthz is well: 1, or 0.", labels=["part"]
    )
    for part, finding in checks.report(now)["parts"].items():
        well.add_metric([part], int(finding["ok"]))
    return [well]
