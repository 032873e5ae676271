"""Pages that anybody may read without signing in, with a limit of requests per minute."""

from __future__ import annotations

from functools import wraps
from http import HTTPStatus
from math import ceil
from typing import TYPE_CHECKING, Any, cast

from django.http import HttpResponse
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods
from rest_framework.settings import api_settings
from rest_framework.throttling import SimpleRateThrottle

from casino.house.attendants import signins

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from rest_framework.request import Request
    from rest_framework.views import APIView

TEXT = "text/plain; charset=utf-8"


class Visits(SimpleRateThrottle):
    """
    The limit of requests from one address, counted in each web process separately.

    :param of: what is counted in place of the address.
    """

    scope: str

    def __init__(self, scope: str, of: str = "") -> None:
        self.scope, self.of = scope, of
        super().__init__()

    def get_rate(self) -> str | None:
        return cast("str | None", api_settings.DEFAULT_THROTTLE_RATES[self.scope])

    def get_cache_key(self, request: Request, view: APIView | None) -> str:
        del view
        counted = self.of or signins.address_of(request)
        return self.cache_format % {"scope": self.scope, "ident": counted}


def visitors_page(
    view: Callable[..., HttpResponse], scope: str = "ledger", *, takes: tuple[str, ...] = ()
) -> Callable[..., HttpResponse]:
    """
    Decorate a page for visitors who are not signed in; too many requests are answered 429.

    :param scope: which limit counts them (`DEFAULT_THROTTLE_RATES`).
    :param takes: methods besides GET and HEAD.
    """

    @require_http_methods(["GET", "HEAD", *takes])
    @wraps(view)
    def let_in(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return too_many(request, Visits(scope)) or view(request, **kwargs)

    return let_in


def too_many(request: HttpRequest, visits: Visits) -> HttpResponse | None:
    """The answer to a request that is one too many; None: it is not."""
    # The throttle reads only headers and address, which Django's request has as well.
    if visits.allow_request(cast("Any", request), cast("Any", None)):
        return None
    seconds = ceil(visits.wait() or 1)
    sentence = ngettext(
        "Too many requests from your address. Come again in a second.",
        "Too many requests from your address. Come again in %(seconds)s seconds.",
        seconds,
    )
    return text(
        sentence % {"seconds": seconds},
        status=HTTPStatus.TOO_MANY_REQUESTS,
        headers={"Retry-After": str(seconds)},
    )


def text(content: str, *, filename: str = "", **more: Any) -> HttpResponse:
    """
    A response of plain text.

    :param filename: the name under which browsers save it; "": they show it.
    """
    response = HttpResponse(content, content_type=TEXT, **more)
    if filename:
        response["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response
