"""Lengths of time in words, in the largest unit that fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

if TYPE_CHECKING:
    from datetime import timedelta

MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60


def length(time: timedelta, *, units: int = 1) -> str:
    """
    A length of time in words: "2 hours".

    :param units: with 2, what is left over is said in the next smaller unit: "2 hours 5 minutes".
    """
    seconds = max(0, int(time.total_seconds()))
    counts = {
        DAY: ngettext("%(n)s day", "%(n)s days", seconds // DAY),
        HOUR: ngettext("%(n)s hour", "%(n)s hours", seconds % DAY // HOUR),
        MINUTE: ngettext("%(n)s minute", "%(n)s minutes", seconds % HOUR // MINUTE),
        1: ngettext("%(n)s second", "%(n)s seconds", seconds % MINUTE),
    }
    sizes = [size for size in counts if seconds >= size or size == 1][:units]
    said: list[str] = []
    for size in sizes:
        number, seconds = divmod(seconds, size)
        if number or not said:
            said.append(counts[size] % {"n": number})
    return " ".join(said)


def ago(since: timedelta) -> str:
    """A time ago in words."""
    return _("%(length)s ago") % {"length": length(since)} if since.total_seconds() >= 1 else (
        _("just now")
    )  # fmt: skip


def in_english(time: timedelta) -> str:
    """For operators, whose sentences are English."""
    with translation.override("en"):
        return length(time)
