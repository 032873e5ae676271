"""Formats the value of a cell for programs and for people."""

from __future__ import annotations

import math
from datetime import date, datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone

from casino.words.languages import locales
from casino.words.languages.amounts import money
from casino.words.languages.locales import MINUS, NO_BREAK

if TYPE_CHECKING:
    from casino.kit.documents.report import Cell, Kind

NUMERIC: Final[frozenset[Kind]] = frozenset({"number", "money", "share", "ratio", "seconds"})
"""Kinds of columns that are aligned to the right."""
AS_THEY_ARE: Final = frozenset({str, int})
"""The types of most cells, which need no conversion; checked before rarer types."""
NOTHING: Final = "\N{EN DASH}"
MINUTE: Final = 60
HOUR: Final = 60 * MINUTE


def plainly(cell: Cell) -> Any:
    """A cell for programs: numbers unchanged, dates and times in ISO 8601 by the house's clock."""
    if cell is None or type(cell) in AS_THEY_ARE:
        return cell
    if isinstance(cell, datetime):
        return timezone.localtime(cell).isoformat()
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, Fraction):
        return float(cell)
    if isinstance(cell, float) and not math.isfinite(cell):
        return None
    return cell if isinstance(cell, int | float) else str(cell)


def format_cell(cell: Cell, kind: Kind) -> str:  # noqa: PLR0911 - one for each kind
    """A cell for people, in the house's locale; a dash if there is no value."""
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return NOTHING
    match kind, cell:
        case "money", int():
            return money(cell)
        case "number", int():
            return locales.with_sign(cell)
        case "share", int() | float() | Fraction():
            return f"{locales.decimal(cell * 100, 1)}{NO_BREAK}%"
        case (("ratio" | "number"), int() | float() | Fraction()):
            return locales.decimal(cell, 2)
        case "seconds", int():
            return length(cell)
        case "moment", datetime():
            return locales.moment(cell)
        case (("day" | "moment"), date()):
            return locales.figures_of_day(cell)
        case _:
            return str(cell)


def length(seconds: int) -> str:
    """A duration: 75 seconds are "1:15", 3675 seconds "1:01:15"."""
    sign, left = (MINUS if seconds < 0 else ""), abs(seconds)
    hours, minutes = left // HOUR, left % HOUR // MINUTE
    if hours:
        return f"{sign}{hours}:{minutes:02}:{left % MINUTE:02}"
    return f"{sign}{minutes}:{left % MINUTE:02}"
