"""
Logs: one event per line, as JSON in production, in a readable form where a person started the
house.

All logs pass through here: structlog's own events, Django's and Celery's loggers, one line for each
request and each task. A line says what happened to which id. Of an address it has only the name of
the route, because paths contain keys and queries contain names. It never contains a body, a
person's name or, in production, the message of an exception (a database quotes the row that it
refuses): it has the exception's type and the places in the code instead.
"""

from __future__ import annotations

import atexit
import logging
import os
import re
import sys
import threading
import time
import traceback
from collections import deque
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final

import structlog
from celery import signals
from django.core.signals import got_request_exception
from django.utils.functional import SimpleLazyObject
from structlog.stdlib import ProcessorFormatter

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from celery import Task
    from django.http import HttpRequest, HttpResponse
    from structlog.typing import EventDict, Processor, WrappedLogger

log = structlog.get_logger("casino.requests")
task_log = structlog.get_logger("casino.tasks")

GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
ROUTINE_TASKS = {
    "casino.subscriptions.tasks.serve",
    "casino.subscriptions.tasks.sweep",
    "casino.subscriptions.tasks.sweep_rollovers",
    "casino.health.tasks.sign_of_life",
    "casino.jobs.tasks.watch",
    "casino.chain.tasks.watch",
}
ROUTINE_PATHS = ("/healthz", "/static/")
FRAMES = 12
SERVERS = ("gunicorn.error", "waitress")
# A server's message about a request that it could not read or answer quotes the request line or a
# header.
QUOTING = re.compile(
    r"(Invalid request|Error handling request|Exception (?:while serving|when servicing)"
    r"|Client disconnected while serving).*",
    re.DOTALL,
)
# Where a person reads along, a line is written before the next thing happens.
WRITER = {True: "casino.engine.logs.logs.BatchHandler", False: "logging.StreamHandler"}
OTHERS = ("django",)
# Loggers that repeat the request and task lines, write every second, or quote addresses and values.
QUIET = {
    "django.template": "INFO",
    "django.request": "CRITICAL",
    "django.server": "CRITICAL",
    "django.security": "CRITICAL",
    "gunicorn.access": "CRITICAL",
    "waitress.queue": "ERROR",
    "celery.beat": "WARNING",
    "celery.worker.strategy": "WARNING",
    "celery.app.trace": "CRITICAL",
    "celery.redirected": "WARNING",
    "kombu": "WARNING",
    "kombu.connection": "ERROR",
}


PROCESSORS: Final[list[Processor]] = []
"""One list, as loggers keep the one that they have found: settings and gunicorn both configure."""


def configuration(*, production: bool, level: str) -> dict[str, Any]:
    """Configure structlog and return Django's LOGGING, so that both write the same lines."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=production),
    ]
    PROCESSORS[:] = [
        structlog.stdlib.filter_by_level,
        *shared,
        ProcessorFormatter.wrap_for_formatter,
    ]
    structlog.configure(
        processors=PROCESSORS,
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    formatter = {
        "()": ProcessorFormatter,
        "foreign_pre_chain": [*shared, remove_quotes],
        "processors": [ProcessorFormatter.remove_processors_meta, *rendering(production)],
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": formatter},
        "handlers": {"stderr": {"class": WRITER[production], "formatter": "lines"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # These loggers have handlers of their own, which would write in another format.
            **{name: {"level": level, "handlers": [], "propagate": True} for name in OTHERS},
            "gunicorn.error": {
                "level": no_lower_than_info(level),
                "handlers": [],
                "propagate": True,
            },
            **{name: {"level": quiet} for name, quiet in QUIET.items()},
        },
    }


def no_lower_than_info(level: str) -> str:
    """
    The level, or INFO for a lower one, at which gunicorn would log every address. An unknown level
    stays as it is: logging itself complains about it.
    """
    return "INFO" if level in {"DEBUG", "NOTSET"} else level


def rendering(production: bool) -> list[Any]:  # noqa: FBT001 - the setting of this name
    if production:
        return [where_it_failed, structlog.processors.JSONRenderer(sort_keys=True)]
    plain = structlog.dev.plain_traceback
    return [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=plain)]


def where_it_failed(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """A structlog processor: an exception becomes its type and places, without its message."""
    info = event.pop("exc_info", None)
    if info is True:  # logged while the exception is being handled
        info = sys.exc_info()
    error = info[1] if isinstance(info, tuple) else info
    if isinstance(error, BaseException):
        frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
        event["exception"] = f"{type(error).__module__}.{type(error).__qualname__}"
        event["at"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    return event


def remove_quotes(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """A structlog processor that removes what a server's own line quotes from a request."""
    if event.get("logger") in SERVERS:
        event["event"] = QUOTING.sub(r"\1", str(event["event"]))
    return event


class RequestLogMiddleware:
    """
    Gives each request an id, adds it to all its log lines and to the answer, and logs the request
    once.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = id_of(request)
        with structlog.contextvars.bound_contextvars(request_id=request_id, house=None):
            began = time.perf_counter()
            response = self.get_response(request)
            log.log(
                importance(request, response),
                "request",
                method=request.method,
                route=route_of(request),
                status=response.status_code,
                ms=round(1000 * (time.perf_counter() - began), 1),
                attendant=person_of_request(request),
            )
        response.headers["X-Request-ID"] = request_id
        return response


def at_house(house: object) -> None:
    """Add the house's id to the following log lines of the request."""
    structlog.contextvars.bind_contextvars(house=str(house))


def route_of(request: HttpRequest) -> str | None:
    """The name of the route in the table of addresses; None if the address leads nowhere."""
    found = request.resolver_match
    return found.view_name or found.route if found is not None else None


def log_failure(**_signal: object) -> None:
    """Log an unhandled exception of a request. Django's own line is off: it has the address."""
    log.error("request failed", exc_info=sys.exc_info())


got_request_exception.connect(log_failure)


def id_of(request: HttpRequest) -> str:
    """The proxy's request id if it is well-formed, so that its lines and ours can be joined."""
    given = request.headers.get("X-Request-ID", "")
    return given if GIVEN_ID.fullmatch(given) else token_hex(8)


def importance(request: HttpRequest, response: HttpResponse) -> int:
    """The log level of a request: polls and probes are DEBUG unless they fail."""
    if response.status_code >= 500:  # noqa: PLR2004 - HTTP's own number
        return logging.ERROR
    routine = response.status_code == 304 or request.path.startswith(ROUTINE_PATHS)  # noqa: PLR2004
    return logging.DEBUG if routine else logging.INFO


def person_of_request(request: HttpRequest) -> str | None:
    """
    The id of the person who made the request, if known already; looking it up here would cost a
    query.
    """
    user = request.__dict__.get("user")
    if isinstance(user, SimpleLazyObject):
        user = request.__dict__.get("_cached_user")
    return str(user.pk) if user is not None and user.pk else None


@signals.setup_logging.connect
def keep_our_logging(**_signal: object) -> None:
    """Keep Celery from setting up its own logging: it does so unless this signal has a receiver."""


@signals.task_prerun.connect
def begin_task(task_id: str, task: Task[..., Any], **_signal: object) -> None:
    structlog.contextvars.bind_contextvars(task_id=task_id, task=task.name)
    task.request.update(began=time.perf_counter())


@signals.task_failure.connect
def task_failed(exception: BaseException, **_signal: object) -> None:
    """Log a failed task. Celery's own line is off, because it quotes the exception's message."""
    from casino.engine.databases.storage_failure import trouble_of  # noqa: PLC0415 - settings load this module

    if (trouble := trouble_of(exception)) is not None:  # a full disk needs no traceback
        task_log.error("task failed", code=trouble.code)
        return
    task_log.error("task failed", exc_info=exception)


@signals.task_postrun.connect
def finish_task(task: Task[..., Any], state: str | None, **_signal: object) -> None:
    routine = task.name in ROUTINE_TASKS and state == "SUCCESS"
    ms = round(1000 * (time.perf_counter() - task.request.get("began", 0.0)), 1)
    task_log.log(logging.DEBUG if routine else logging.INFO, "task", state=state, ms=ms)
    structlog.contextvars.unbind_contextvars("task_id", "task")


# Writes log lines from a thread of its own, so that a slow or stuck reader delays no throw.


WAITING: Final = 5_000  # lines that may wait, some megabytes at most
AT_ONCE: Final = 500  # lines written at once, so that few are out of the queue
GATHERS: Final = 0.1  # seconds: waking the writer costs more than writing a line
ENDS_WITHIN: Final = 1.0  # seconds that the last lines get when a process ends


class BatchHandler(logging.StreamHandler["TextIO"]):
    """
    A handler that writes from its own thread, all lines of a moment together. When `WAITING` lines
    wait, the newest are dropped; once there is room again, one line says how many.

    Threads do not survive a fork: each process starts its own with its first line.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        super().__init__(stream)
        self._anew()
        os.register_at_fork(after_in_child=self._anew)
        atexit.register(self.end)

    def _anew(self) -> None:
        self._lines: deque[str] = deque()
        self._more, self._ending = threading.Event(), threading.Event()
        self._dropped = 0
        self._writer: threading.Thread | None = None

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = self.format(record)
        except Exception:  # noqa: BLE001 - as logging's own handlers do
            self.handleError(record)
            return
        if self._writer is None:
            self._writer = threading.Thread(target=self._write, name="log", daemon=True)
            self._writer.start()
        if len(self._lines) < WAITING:
            self._lines.append(line)
        else:
            self._dropped += 1
        if not self._more.is_set():
            self._more.set()

    def _write(self) -> None:
        ends = False
        while not ends:
            self._more.wait()
            dropped, self._dropped = self._dropped, 0  # dropped before the lines that wait now
            self._ending.wait(GATHERS)
            self._more.clear()  # clear before looking: a line that comes later sets it again
            ends = self._ending.is_set()  # lines from before the end are in the queue by now
            while self._lines:
                lines = [self._lines.popleft() for _ in range(min(AT_ONCE, len(self._lines)))]
                if dropped:
                    lines.insert(0, f'{{"event": "log lines dropped", "lines": {dropped}}}')
                try:
                    self.stream.write("".join(f"{line}{self.terminator}" for line in lines))
                    self.stream.flush()
                except (OSError, ValueError):  # full, or closed: the house goes on without logs
                    self._dropped += dropped + len(lines) - bool(dropped)
                dropped = 0
            self._dropped += dropped  # reported with the next line

    def end(self) -> None:
        """Give the waiting lines a moment to be written."""
        if self._writer is not None and self._writer.is_alive():
            self._ending.set()
            self._more.set()
            self._writer.join(ENDS_WITHIN)
