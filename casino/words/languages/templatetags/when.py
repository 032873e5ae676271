"""
Template filters for dates and times as the house writes them (`casino.words.languages.locales`),
and for translating sentences that the rules made (`casino.words.languages.messages`). Every
template has them.

`{{ at|moment }}`, `{{ day|day }}`. None and "" give "", as with Django's own filters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template

from casino.words.languages import locales
from casino.words.languages.messages import translate

if TYPE_CHECKING:
    from collections.abc import Callable

register = template.Library()
register.filter("translated", lambda sentence: translate(str(sentence)))


def _filter(written: Callable[[Any], str]) -> None:
    def written_or_empty(of: Any) -> str:
        return "" if of is None or of == "" else written(of)

    register.filter(written.__name__, written_or_empty)


for _each in (
    locales.day,
    locales.weekday,
    locales.day_of_year,
    locales.weekday_of_year,
    locales.short_day,
    locales.figures_of_day,
    locales.clock,
    locales.clock_to_seconds,
    locales.moment,
    locales.short_moment,
    locales.short_moment_to_seconds,
    locales.long_moment,
    locales.long_moment_to_seconds,
    locales.moment_of_year,
    locales.weekday_moment,
    locales.weekday_short_moment,
):
    _filter(_each)
