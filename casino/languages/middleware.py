"""Each answer in the language of whoever reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import translation
from django.utils.cache import patch_vary_headers

from casino.languages import reader

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse


class LanguageMiddleware:
    """After the one that says who asks. What a request chose is chosen anew by the next."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        reader.begin(request)
        response = self._get_response(request)
        patch_vary_headers(response, ("Accept-Language",))
        response.headers.setdefault("Content-Language", translation.get_language() or "en")
        return response
