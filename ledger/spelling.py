"""
Spells columns as canonical JSON: in SQL, or in Python for many rows, a column at a time.

PostgreSQL spells moments and ids as event bodies do before it sends them. SQLite stores them
differently: many of them are read as they are stored, and spelled here, each distinct value once.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from django.db import models

from ledger.canonical import INTEGER_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.db.backends.base.base import BaseDatabaseWrapper

# SQL that spells a column as event bodies do, so that the two can be compared directly.
SPELT: Final = {
    "postgresql": {
        models.UUIDField: "{column}::text",
        models.DateTimeField: (
            "to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
        ),
        models.DateField: "to_char({column}, 'YYYY-MM-DD')",
    },
    "sqlite": {
        models.UUIDField: (
            "substr({column}, 1, 8) || '-' || substr({column}, 9, 4) || '-' ||"
            " substr({column}, 13, 4) || '-' || substr({column}, 17, 4) || '-' ||"
            " substr({column}, 21)"
        ),
        models.DateTimeField: (
            "replace({column}, ' ', 'T') ||"
            " CASE length({column}) WHEN 19 THEN '.000000Z' ELSE 'Z' END"
        ),
        models.DateField: "{column} || ''",  # as text: the driver reads plain columns as dates
    },
}

SPELT_THERE: Final = "postgresql"  # the database that spells every column itself
PLAIN: Final = re.compile(r'[^"\\\x00-\x1f]*')
"""Text that JSON writes unchanged between quotes."""


class Unusual(Exception):  # noqa: N818  names the fact
    """A value is outside the fast path's range: it may be right, and must be looked at singly."""


def spelt(
    connection: BaseDatabaseWrapper, model: type[models.Model], names: Sequence[str], of: str = ""
) -> str:
    """Columns in SQL, spelled as event bodies do. :param of: the alias of the table in the SQL."""
    kinds, prefix = SPELT[connection.vendor], f"{of}." if of else ""
    fields = {each.name: each for each in model._meta.concrete_fields}  # noqa: SLF001
    return ", ".join(
        kinds.get(type(fields[name]), "{column}").format(column=f"{prefix}{fields[name].column}")
        for name in names
    )


def columns_in_sql(
    connection: BaseDatabaseWrapper, model: type[models.Model], names: Sequence[str]
) -> str:
    """Columns in SQL, in the form that `spell` expects."""
    if connection.vendor != "sqlite":
        return spelt(connection, model, names)
    return ", ".join(_column_in_sql(model._meta.get_field(name)) for name in names)  # noqa: SLF001


def _column_in_sql(field: Any) -> str:
    """The column; a moment or day is joined to '', as the driver parses it as a plain column."""
    return f"{field.column} || ''" if isinstance(field, models.DateField) else str(field.column)


def spell(
    model: type[models.Model], columns: Mapping[str, Sequence[Any]], vendor: str = SPELT_THERE
) -> dict[str, Sequence[Any]]:
    """
    The columns of some rows with each value as JSON, in the order of the rows.

    :param vendor: the database from which the columns were read with `columns_in_sql`; without
        it, they were read as `spelt` gives them.
    :raises Unusual: if a value of a number column is not a whole number within bounds, or if a text
        needs more than quotes around it.
    """
    known: dict[type, dict[Any, str]] = {}
    found: dict[str, Sequence[Any]] = {}
    for name, column in columns.items():
        field = model._meta.get_field(name)  # noqa: SLF001
        if isinstance(field, models.IntegerField):
            found[name] = whole(column) if not field.null else whole_or_none(column)
        else:
            texts = known.setdefault(type(field), {None: "null"})
            new = set(column).difference(texts)
            plain(new)
            texts |= quote(type(field), new, vendor)
            found[name] = [texts[value] for value in column]
    return found


def whole_or_none(column: Sequence[Any]) -> Sequence[int | str]:
    """A column of whole numbers or None as JSON. :raises Unusual: as `whole`."""
    whole([number for number in column if number is not None])
    return ["null" if number is None else number for number in column]


def whole(column: Sequence[Any]) -> Sequence[int]:
    """:raises Unusual: if a value is not a whole number from 0 to 2**53 - 1."""
    if column and (set(map(type, column)) != {int} or min(column) < 0 or max(column) > INTEGER_MAX):
        raise Unusual
    return column


def plain(values: Iterable[Any]) -> None:
    """:raises Unusual: if a value is not a text, or JSON has to escape something in it."""
    try:
        together = "".join(values)
    except TypeError:
        raise Unusual from None
    if PLAIN.fullmatch(together) is None:
        raise Unusual


def quote(kind: type, values: Iterable[str], vendor: str) -> dict[Any, str]:
    """Each value -> its JSON in an event body."""
    if vendor == "sqlite" and issubclass(kind, models.UUIDField):
        return {
            digits: f'"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"'
            for digits in values
        }
    if vendor == "sqlite" and issubclass(kind, models.DateTimeField):
        return {
            at: f'"{at.replace(" ", "T")}{"Z" if len(at) != SECONDS else ".000000Z"}"'
            for at in values
        }
    return {text: f'"{text}"' for text in values}


SECONDS: Final = 19  # characters of a moment that SQLite stores without a fraction of a second
