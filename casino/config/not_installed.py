"""Answers 409 to a request for a game on record whose package is no longer installed."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.shortcuts import render

from casino.house.acts.game_streams.catalogue import GameNotInstalled
from casino.words.languages.messages import translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest


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
