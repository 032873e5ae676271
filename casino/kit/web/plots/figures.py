"""Writes figures of any size beside plots, to two or three digits."""

from __future__ import annotations

from math import floor, log10
from typing import Final

from casino.kit.web.plots.axes import power
from casino.words.languages.locales import decimal, number

MANY: Final = 6  # from a million (10⁶) on, powers of ten are easier to read


def large(value: float) -> str:
    """A figure of any size, to two or three digits: "1.43", "380", "10¹²"."""
    if value >= 10.0**MANY:
        return power(floor(log10(value)))
    return decimal(value, 2) if value < 100 else number(round(value))  # noqa: PLR2004 - digits
