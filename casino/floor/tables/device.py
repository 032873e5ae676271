"""The name of a tablet or desk: random, kept in a cookie, so that its entries can be attributed."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Final

from casino.house.attendants import known_browsers
from casino.play.devices.models import DEVICE_MAX

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

COOKIE: Final = "device"
FLOOR: Final = "floor"
GIVEN: Final = "casino.device"  # in the request: the name that its answer has to set as a cookie
KEPT_FOR: Final = 10**8  # seconds


def of(request: HttpRequest) -> str:
    """The device's name; a browser without one gets one, and its answer sets the cookie."""
    given = request.COOKIES.get(COOKIE, "")
    if not (given.startswith(f"{FLOOR}-") and given.isascii() and len(given) <= DEVICE_MAX):
        given = request.COOKIES[COOKIE] = f"{FLOOR}-{uuid.uuid4().hex[:12]}"
        request.META[GIVEN] = given
    return given


def set_device_cookie(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer, with the cookie if the browser has none yet."""
    of(request)
    if given := request.META.get(GIVEN):
        known_browsers.keep(request, response, COOKIE, given, KEPT_FOR)
    return response
