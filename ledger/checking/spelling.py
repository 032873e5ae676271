"""
Columns as canonical JSON spells them: many rows at once, a column at a time.

PostgreSQL spells moments and ids as bodies do before it sends them. SQLite keeps them otherwise;
from there they come as they are, and are spelled here, each value that repeats itself once.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from django.db import models

from ledger.canonical import INTEGER_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.checking.book import Book

PLAIN: Final = re.compile(r'[^"\\\x00-\x1f]*')
"""Text that JSON spells as it is, between quotes."""


class Unusual(Exception):  # noqa: N818  names the fact
    """Not spelled as nearly all values are: not that anything is wrong with it."""


def asked(book: Book, model: type[models.Model], names: Sequence[str]) -> str:
    """Columns in SQL, for `spelled`."""
    if book.connection.vendor != "sqlite":
        return book.spelt(model, names)
    return ", ".join(_asked(model._meta.get_field(name)) for name in names)  # noqa: SLF001


def _asked(field: Any) -> str:
    """Joined to nothing: of a plain column of a moment or a day the driver makes one."""
    return f"{field.column} || ''" if isinstance(field, models.DateField) else str(field.column)


def spelled(field: models.Field[Any, Any], column: Sequence[Any], vendor: str) -> Sequence[Any]:
    """
    A column's values as JSON has them, in their order.

    :raises Unusual: if one is no whole number within bounds where they should be, or a text that
        needs more than quotes around it.
    """
    if isinstance(field, models.IntegerField):
        return whole(column)
    found = set(column)
    if field.null:
        found.discard(None)
    plain(found)
    known = quoted(field, found, vendor)
    if field.null:
        known[None] = "null"
    return [known[value] for value in column]


def whole(column: Sequence[Any]) -> Sequence[int]:
    """:raises Unusual: if one is no whole number from 0 to 2**53 - 1."""
    if column and (set(map(type, column)) != {int} or min(column) < 0 or max(column) > INTEGER_MAX):
        raise Unusual
    return column


def plain(values: Iterable[Any]) -> None:
    """:raises Unusual: if one of them is no text, or none that is spelled as it is."""
    try:
        together = "".join(values)
    except TypeError:
        raise Unusual from None
    if PLAIN.fullmatch(together) is None:
        raise Unusual


def quoted(field: models.Field[Any, Any], values: Iterable[str], vendor: str) -> dict[Any, str]:
    """Each value, and what a body has of it."""
    if vendor == "sqlite" and isinstance(field, models.UUIDField):
        return {
            digits: f'"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"'
            for digits in values
        }
    if vendor == "sqlite" and isinstance(field, models.DateTimeField):
        return {
            at: f'"{at.replace(" ", "T")}{"Z" if len(at) != SECONDS else ".000000Z"}"'
            for at in values
        }
    return {text: f'"{text}"' for text in values}


SECONDS: Final = 19  # characters of a moment that SQLite keeps without a fraction
