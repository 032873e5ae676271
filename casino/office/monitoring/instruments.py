"""
What is counted in each process: requests, commands, tasks, and what could not be reached.

No label names a house or a person, and none has more values than the program has names: a metric
has one row for each combination. Only a house with `METRICS_BIND` imports this module.
"""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from celery import signals
from django.conf import settings
from django.urls import Resolver404, resolve
from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics

from casino.engine.logs.logs import route_of
from casino.engine.processes.signals import answered, unreached

if TYPE_CHECKING:
    from collections.abc import Callable

    from celery import Task
    from django.http import HttpRequest, HttpResponse

# As where processes share files: those keep no such time.
disable_created_metrics()  # type: ignore[no-untyped-call]
COUNTED: Final = CollectorRegistry()
SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
"""Upper bounds of the histograms' buckets, in seconds: from a poll to the longest task."""

REQUESTS: Final = Counter(
    "home_throw_http_requests",
    "HTTP requests answered, by the name of the view, method and status.",
    ("view", "method", "status"),
    registry=COUNTED,
)
REQUEST_SECONDS: Final = Histogram(
    "home_throw_http_request_duration_seconds",
    "Seconds from the first middleware to the response, by the name of the view.",
    ("view",),
    buckets=SECONDS,
    registry=COUNTED,
)
COMMANDS: Final = Counter(
    "home_throw_commands",
    "Commands that the ledger has an answer to, by kind and outcome: accepted, refused, repeated.",
    ("kind", "outcome"),
    registry=COUNTED,
)
TASKS: Final = Counter(
    "home_throw_tasks",
    "Celery tasks that ended, by name and outcome (Celery's state, in lower case).",
    ("task", "outcome"),
    registry=COUNTED,
)
TASK_SECONDS: Final = Histogram(
    "home_throw_task_duration_seconds",
    "Seconds that a Celery task ran.",
    ("task",),
    buckets=SECONDS,
    registry=COUNTED,
)
UNREACHED: Final = Counter(
    "home_throw_connection_errors",
    "Attempts to connect that failed, by what could not be reached: a database's alias, or broker.",
    ("service",),
    registry=COUNTED,
)
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def request_answered(*, view: str, method: str | None, status: int, seconds: float) -> None:
    """:param method: one that HTTP does not define counts as `other`: a caller may invent any."""
    REQUESTS.labels(view, method if method in METHODS else "other", str(status)).inc()
    REQUEST_SECONDS.labels(view).observe(seconds)


def _command(*, kind: str, refused: bool, repeated: bool, **_signal: object) -> None:
    outcome = "repeated" if repeated else "refused" if refused else "accepted"
    COMMANDS.labels(kind, outcome).inc()


def _count_unreached(*, service: str, **_signal: object) -> None:
    UNREACHED.labels(service).inc()


def _task_begins(task: Task[..., Any], **_signal: object) -> None:
    task.request.update(measured_from=time.perf_counter())


def _task_ended(task: Task[..., Any], state: str | None, **_signal: object) -> None:
    TASKS.labels(task.name, (state or "unknown").lower()).inc()
    if (began := task.request.get("measured_from")) is not None:
        TASK_SECONDS.labels(task.name).observe(time.perf_counter() - began)


@cache
def connect() -> None:
    """Begin to count."""
    answered.connect(_command)
    unreached.connect(_count_unreached)
    signals.task_prerun.connect(_task_begins)
    signals.task_postrun.connect(_task_ended)


# --- The middleware that measures requests --------------------------------------------------------


STATIC: Final = "static"
NOWHERE: Final = "nowhere"
"""The views of files, and of addresses that lead nowhere: both have any number of paths."""


class MetricsMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = self._get_response(request)
        request_answered(
            view=_view_of(request),
            method=request.method,
            status=response.status_code,
            seconds=time.perf_counter() - began,
        )
        return response


def _view_of(request: HttpRequest) -> str:
    """The name of the view. A request that a middleware answered is resolved here."""
    if request.path_info.startswith(f"/{settings.STATIC_URL.lstrip('/')}"):
        return STATIC
    if request.resolver_match is None:
        try:
            request.resolver_match = resolve(request.path_info)
        except Resolver404:
            return NOWHERE
    return route_of(request) or NOWHERE
