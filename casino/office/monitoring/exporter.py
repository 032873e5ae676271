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
import shutil
import socket
import tempfile
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any, Final
from wsgiref.simple_server import WSGIRequestHandler

if TYPE_CHECKING:
    from collections.abc import Callable

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

    from casino.office.monitoring import installation, instruments  # noqa: PLC0415

    counted, whole = CollectorRegistry(), CollectorRegistry()
    if FOLDER in os.environ:
        MultiProcessCollector(counted)  # type: ignore[no-untyped-call]
    else:
        counted.register(instruments.COUNTED)
    counted.register(installation.Build())
    whole.register(installation.Installation())
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
