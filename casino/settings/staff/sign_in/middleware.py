"""
Middleware that sets the assurance of the person, and limits which pages a session may open.

A session by PIN may only open pages of the floor (D3). An act that needs a second factor redirects
to the page where it is given, and back (D2).
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.http import url_has_allowed_host_and_scheme

from casino.house.attendants import assurance, known_browsers
from casino.house.attendants.models import Attendant
from casino.house.attendants.permissions import SecondFactorNeeded

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest

ON_THE_FLOOR: Final = (
    "/floor/", "/cash/tables/", "/sign-in/", "/sign-out/", "/static/", "/healthz", "/invitation/",
    "/receipts/", "/ledger/", "/wall/", "/g/",
)  # fmt: skip
"""Paths that a session by PIN may open: play, receipts, and the cash of one's table (B1, B3)."""
READING: Final = frozenset({"GET", "HEAD"})


class AssuranceMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        signed_in = request.user
        request.user = SimpleLazyObject(  # type: ignore[assignment]  # lazy, as Django's own
            lambda: person_of_request(request, signed_in)
        )
        if not request.path_info.startswith(ON_THE_FLOOR) and on_the_floor(request):
            return keep_out(request)
        return known_browsers.set_browser_cookie(request, self._get_response(request))

    def process_exception(self, request: HttpRequest, failure: Exception) -> HttpResponse | None:
        if not isinstance(failure, SecondFactorNeeded):
            return None
        address = f"{reverse('second-factor')}?{urlencode({'next': back_to(request)})}"
        if request.headers.get("HX-Request") == "true":
            return HttpResponse(status=HTTPStatus.FORBIDDEN, headers={"HX-Redirect": address})
        return redirect(address)


def person_of_request(request: HttpRequest, signed_in: Any) -> Any:
    """The person of the request, with their assurance; anonymous if the session has ended."""
    if isinstance(signed_in, Attendant):  # this evaluates Django's lazy user
        session = request.session
        if not assurance.holds(session, signed_in):
            return AnonymousUser()
        if not assurance.lasts(session, timezone.now(), by_itself=polls(request)):
            return AnonymousUser()
        signed_in.standing = assurance.of_session(request.session)
        signed_in.of_a_request = True
    return getattr(signed_in, "_wrapped", signed_in)


def polls(request: HttpRequest) -> bool:
    """
    Whether a page sent the request by itself (a poll), without an act of the person; pages say so
    (``static/js/ask_house.js``). What a person asks for cannot be told from its ETag: a browser
    that comes back to a page sends one, too, and the first request of a poll has none.
    """
    return request.method in READING and request.headers.get("Asked-By") == "page"


def on_the_floor(request: HttpRequest) -> bool:
    """Whether the session is by PIN. Without a session cookie there is no query."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES and assurance.FLOOR in request.session


def keep_out(request: HttpRequest) -> HttpResponse:
    if request.path_info == reverse("start"):
        return redirect("floor")
    address = f"{reverse('sign-in')}?{urlencode({'next': request.path_info})}"
    context = {"sign_in": address}
    return render(request, "settings/sign_in/floor_only.html", context, status=HTTPStatus.FORBIDDEN)


def back_to(request: HttpRequest) -> str:
    """The page to return to: this one, or for a POST the page that sent it."""
    if request.method in READING:
        return request.get_full_path()
    before = request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(before, {request.get_host()}):
        parts = urlsplit(before)
        return f"{parts.path}?{parts.query}" if parts.query else parts.path
    return reverse("start")
