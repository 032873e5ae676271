"""
Security headers of every answer: what a page may load, and that no cache keeps it.

Django 6 brings middleware for the Content-Security-Policy and the setting ``SECURE_CSP``; until
then this module does the same with the same name and values. Only the admin has a policy of its
own, ``SECURE_CSP_ADMIN``.
"""

from collections.abc import Callable, Mapping, Sequence

from django.conf import settings
from django.http import HttpRequest, HttpResponse

HEADER = "Content-Security-Policy"
KEPT_BY_NOBODY = "no-store, private"
ADMIN = "/admin/"


class ContentSecurityPolicyMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.everywhere = policy(settings.SECURE_CSP)
        self.admin = policy(settings.SECURE_CSP_ADMIN)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        in_admin = request.path_info.startswith(ADMIN)
        response.headers.setdefault(HEADER, self.admin if in_admin else self.everywhere)
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
