"""Times as the clock on the house's wall shows them, figures as the house writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.utils import timezone

from casino.languages import reader
from casino.platform import logs

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    from casino.establishments.models import Establishment


def show_times_of(house: Establishment) -> None:
    """
    From here to the end of the request, which is this house's, times are shown in its zone, dates
    and figures in its locale; and it speaks its language to who has chosen none.
    """
    timezone.activate(ZoneInfo(house.time_zone))
    logs.at_house(house.pk)
    reader.at_house(house.language, house.locale, house.currency_symbol, house.coin_digits)


class HouseClockMiddleware:
    """A zone that one request chose does not outlive it: threads serve many houses."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with timezone.override(None):
            return self._get_response(request)
