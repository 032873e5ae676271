"""
Security headers of every answer: what a page may load, and that no cache keeps it.

Django 6 brings middleware for the Content-Security-Policy and the setting ``SECURE_CSP``; until
then this module does the same with the same name and values, on every page.
"""

from collections.abc import Callable, Mapping, Sequence

from django.conf import settings
from django.http import HttpRequest, HttpResponse

HEADER = "Content-Security-Policy"
KEPT_BY_NOBODY = "no-store, private"


class ContentSecurityPolicyMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.policy = policy(settings.SECURE_CSP)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault(HEADER, self.policy)
        return response


class KeptByNobodyMiddleware:
    """
    Forbids every cache, in the browser or on the way, to keep an answer, unless its view permits
    that. Behind the back button or in a proxy, a page would otherwise outlive its session.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", KEPT_BY_NOBODY)
        return response


def policy(directives: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(" ".join((name, *sources)) for name, sources in directives.items())
