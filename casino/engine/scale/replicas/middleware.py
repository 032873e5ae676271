"""
Tells each browser, in a cookie, how far the database was after its request; and programs, in a
header. They bring it with the next request, which then sees no less.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import Error

from casino.engine.scale.replicas import servers
from casino.engine.scale.replicas.reading import SEEN, Seen
from casino.engine.scale.replicas.servers import read_signed, sign

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

COOKIE: Final = "__Host-position" if settings.PRODUCTION else "position"
HEADER: Final = "Home-Throw-Position"


class PositionMiddleware:
    """Stands outside of whatever writes, so that the position is behind all of it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        told = request.headers.get(HEADER) if _is_program(request) else request.COOKIES.get(COOKIE)
        seen = Seen(read_signed(told) if told else None)
        token = SEEN.set(seen)
        try:
            response = self._get_response(request)
        finally:
            SEEN.reset(token)
        if _shows_something(request, response):
            _tell(request, response, seen)
        return response


def _is_program(request: HttpRequest) -> bool:
    return "Authorization" in request.headers


def _shows_something(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether somebody is signed in, who has got something new."""
    if response.status_code == HTTPStatus.NOT_MODIFIED:
        return False
    session = settings.SESSION_COOKIE_NAME
    return _is_program(request) or session in request.COOKIES or session in response.cookies


def _tell(request: HttpRequest, response: HttpResponse, seen: Seen) -> None:
    try:
        # Of the primary, it is later than anything that anybody saw; a position of another history,
        # from before a restore, ends with it.
        position = seen.shown or servers.primary().position
    except Error:
        response.delete_cookie(COOKIE)  # unknown, until the next answer says it
        return
    if _is_program(request):
        response.headers[HEADER] = sign(position)
        return
    response.set_cookie(
        COOKIE, sign(position), max_age=settings.SESSION_COOKIE_AGE, httponly=True,
        secure=settings.SESSION_COOKIE_SECURE, samesite="Lax",
    )  # fmt: skip
