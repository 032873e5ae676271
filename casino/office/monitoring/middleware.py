"""Measures each request; only a house with `METRICS_BIND` has this middleware."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.urls import Resolver404, resolve

from casino.engine.logs.logs import route_of
from casino.office.monitoring import instruments

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

STATIC: Final = "static"
NOWHERE: Final = "nowhere"
"""The views of files, and of addresses that lead nowhere: both have any number of paths."""


class MetricsMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = self._get_response(request)
        instruments.request_answered(
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
