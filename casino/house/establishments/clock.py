"""Shows times in the house's time zone, and figures in the house's locale."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

from django.utils import timezone

from casino.engine.logs import logs
from casino.words.languages import locales, reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

    from casino.house.establishments.models import Establishment


class Shown(NamedTuple):
    """The columns of a house that say how it shows times, figures and amounts."""

    pk: UUID
    time_zone: str
    language: str
    locale: str
    currency_symbol: str
    coin_digits: int
    currency_code: str


def show_times_of(house: Establishment | Shown) -> None:
    """
    Use a house's time zone and locale until the end of the request.

    Its language is used too, unless the reader has chosen one.
    """
    timezone.activate(ZoneInfo(house.time_zone))
    logs.at_house(house.pk)
    reader.at_house(
        house.language,
        house.locale,
        house.currency_symbol,
        house.coin_digits,
        code=house.currency_code,
    )


@contextmanager
def show_as_at(house: Establishment) -> Iterator[None]:
    """Within the block times, figures and amounts are written as this house does."""
    with timezone.override(ZoneInfo(house.time_zone)), write_as_at(house):
        yield


@contextmanager
def write_as_at(house: Establishment) -> Iterator[None]:
    """Within the block figures and amounts are written as this house does, times are not."""
    with locales.use_within(
        house.locale, house.currency_symbol, house.coin_digits, code=house.currency_code
    ):
        yield


class HouseClockMiddleware:
    """Resets the time zone after each request, because a thread serves many houses."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with timezone.override(None):
            return self._get_response(request)
