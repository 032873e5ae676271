"""
How much may be asked: so many requests a minute from an address, of pages that anybody may read;
and so many entries a second of programs at one house.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from functools import wraps
from http import HTTPStatus
from math import ceil
from typing import TYPE_CHECKING, Any, Final, cast

from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods
from rest_framework.exceptions import Throttled
from rest_framework.settings import api_settings
from rest_framework.throttling import SimpleRateThrottle

from casino.house.attendants import signins

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

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


# What one house may take of a web process: so many entries a second, of programs.
#
# A house whose program has gone mad is answered 429 with Retry-After, and the others go on. The
# count is kept in each web process, as those of addresses are. What
# people enter at the tables is not counted: nobody throws so fast.


BURST: Final = 5.0  # seconds' worth that a house may send at once after a quiet moment
HOUSES: Final = 1000  # houses remembered; one that was not heard of for longest has a full measure


class Measures:
    """
    How much each house may send now: it fills at the rate, and an entry takes one from it.

    A list is taken whole while there is anything left, and what it takes more than that is owed.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._left: OrderedDict[UUID, tuple[float, float]] = OrderedDict()

    def take(self, house: UUID, entries: int, rate: int) -> float:
        """Seconds to wait before anything more is taken; 0: these entries are taken now."""
        if not rate:
            return 0.0
        now = self._clock()
        with self._lock:
            left, at = self._left.pop(house, (rate * BURST, now))
            left = min(rate * BURST, left + (now - at) * rate)
            wait = 0.0 if left > 0 else (1 - left) / rate
            self._left[house] = (left if wait else left - entries, now)
            if len(self._left) > HOUSES:
                self._left.popitem(last=False)
        return wait

    def forget(self) -> None:
        with self._lock:
            self._left.clear()


MEASURES: Final = Measures()


def admit(house: UUID, entries: int = 1) -> None:
    """:raises Throttled: if the house has sent more than `HOUSE_RATE` lets it; nothing is done."""
    if wait := MEASURES.take(house, entries, settings.HOUSE_RATE):
        raise Throttled(wait=ceil(wait))
