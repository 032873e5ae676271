"""
Answers to requests that fail for a known reason, in the format of the request.

503 where the database cannot be written, 409 where the package of a game on record is no longer
installed. A failure in a view is handled here before Django logs it as a server error. A failure
before any view (the session is in the same database) arrives at `answer_failure`, the handler of
every unhandled exception.
"""

from __future__ import annotations

import re
import sys
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.views.defaults import server_error

from casino.engine.databases.storage_failure import Trouble, trouble_of
from casino.house.acts.game_streams.catalogue import GameNotInstalled
from casino.words.languages.messages import translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest

API: Final = "/api/"
JSON: Final = "application/json"
SECRET: Final = frozenset({"password", "pin", "code", "token", "secret"})
"""Words in the names of fields whose values no page may show again."""
READING: Final = frozenset({"GET", "HEAD"})
COUNTS_ONCE: Final = "The same entry is sent again; it counts once."


class StorageMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, failure: Exception) -> HttpResponse | None:
        trouble = trouble_of(failure)
        return None if trouble is None else as_response(request, trouble)


def answer_failure(request: HttpRequest) -> HttpResponse:
    """Answer as Django's ``handler500``, which is called while the exception is being handled."""
    failure = sys.exc_info()[1]
    if failure is not None and (trouble := trouble_of(failure)) is not None:
        return as_response(request, trouble)
    return server_error(request)


def as_response(request: HttpRequest, trouble: Trouble) -> HttpResponse:
    """A problem for programs, a sentence for a part of a page, a page for people."""
    on_a_page = request.headers.get("HX-Request") == "true"
    if request.path_info.startswith(API) or (request.content_type == JSON and not on_a_page):
        return as_problem(trouble)
    if on_a_page:
        answer = HttpResponse(f"{trouble.says} {COUNTS_ONCE}", content_type="text/plain")
        answer.status_code = HTTPStatus.SERVICE_UNAVAILABLE
    else:
        answer = render(request, "503.html", page_context(request, trouble), status=503)
    for name, value in trouble.headers.items():
        answer.headers[name] = value
    add_never_cache_headers(answer)
    return answer


def as_problem(trouble: Trouble) -> HttpResponse:
    from casino.kit.web.api import problems  # noqa: PLC0415 - with it the API's framework, for a rare failure

    return problems.of_storage(trouble).outside()


def page_context(request: HttpRequest, trouble: Trouble) -> dict[str, Any]:
    """The template context of the page: the trouble, and the submitted fields, to be sent again."""
    reading = request.method in READING
    sent = [] if reading else list(request.POST.lists())
    keeps = bool(sent) and not request.FILES and not any(secret(name) for name, _ in sent)
    return {
        "code": trouble.code,
        "certain": trouble.storage_fault.certain,
        "reading": reading,
        "once": "command_id" in request.POST,
        "address": request.get_full_path(),
        "fields": [(name, value) for name, values in sent for value in values] if keeps else [],
    }


def secret(name: str) -> bool:
    return not SECRET.isdisjoint(re.findall("[a-z]+", name.lower()))


# --- A game whose package is not installed --------------------------------------------------------


class NotInstalledMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, failure: Exception) -> HttpResponse | None:
        """Answer 409 for a page about this game alone; lists leave such games out by themselves."""
        if not isinstance(failure, GameNotInstalled):
            return None
        missing = translate(str(failure))
        if request.headers.get("HX-Request") == "true":
            conflict = HTTPStatus.CONFLICT
            return HttpResponse(missing, status=conflict, content_type="text/plain")
        return render(request, "409.html", {"missing": missing}, status=HTTPStatus.CONFLICT)
