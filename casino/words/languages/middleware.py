"""The middleware that chooses the language of each response."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import translation
from django.utils.cache import patch_vary_headers

from casino.words.languages import reader

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse


class LanguageMiddleware:
    """
    Activates the language of each request and sets the headers for it.

    It has to come after the authentication middleware. Each request chooses its language anew.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        reader.begin(request)
        response = self._get_response(request)
        patch_vary_headers(response, ("Accept-Language",))
        response.headers.setdefault("Content-Language", translation.get_language() or "en")
        return response
