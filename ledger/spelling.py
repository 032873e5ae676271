"""
Spells columns and answers as canonical JSON: in SQL, or in Python for many rows at a time.

PostgreSQL spells moments and ids as event bodies do before it sends them. SQLite stores them
differently: many of them are read as they are stored, and spelled here, each distinct value once.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from django.db import DEFAULT_DB_ALIAS, connections, models

from ledger import keyed
from ledger.canonical import INTEGER_MAX, encode
from ledger.models import CommandReceipt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from uuid import UUID

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


# Answers to commands as the chain of receipts hashes them: canonical JSON, many at a time.


ANSWER: Final = tuple(
    each.name
    for each in CommandReceipt._meta.concrete_fields  # noqa: SLF001 - documented API
    if each.name not in {"establishment", "seq"}
)
"""
The columns of an answer that are hashed, in their order. `seq`, its place in the chain, is not
among them: in an export it is the number of the line.
"""
HASH: Final = ANSWER.index("request_hash")  # bytes in the column, hex digits in the JSON
SPELLED: Final = "{" + ",".join(f'"{name}":%s' for name in sorted(ANSWER)) + "}"
CHUNK: Final = 2048  # rows that one query reads

ROWS: Final = """
    SELECT seq, {columns} FROM ledger_commandreceipt
    WHERE establishment = %s AND seq >= %s ORDER BY seq LIMIT {chunk}"""


def answers_of(
    establishment: UUID, seq: int, *, using: str = DEFAULT_DB_ALIAS
) -> Iterator[tuple[int, bytes]]:
    """The answers of a house from number `seq` on, each as (number, JSON); read in chunks."""
    columns = spelt(connections[using], CommandReceipt, ANSWER)
    statement = ROWS.format(columns=columns, chunk=CHUNK)
    while rows := keyed.bulk(statement, establishment, seq, using=using):
        yield from zip(
            (row[0] for row in rows), spell_answers([row[1:] for row in rows]), strict=True
        )
        seq = rows[-1][0] + 1


def spell_answers(rows: Sequence[Sequence[Any]]) -> list[bytes]:
    """
    Answers as canonical JSON, from rows whose columns are spelt as event bodies spell them.

    :raises NotCanonical: if an answer has no canonical spelling.
    """
    try:
        return _side_by_side(rows)
    except Unusual:
        pass
    if len(rows) == 1:
        return [alone(rows[0])]
    middle = len(rows) // 2
    return spell_answers(rows[:middle]) + spell_answers(rows[middle:])


def alone(row: Sequence[Any]) -> bytes:
    """One answer as canonical JSON, with any texts. :raises NotCanonical: if it has no spelling."""
    return encode(dict(zip(ANSWER, row, strict=True)) | {"request_hash": bytes(row[HASH]).hex()})


def _side_by_side(rows: Sequence[Sequence[Any]]) -> list[bytes]:
    if not rows:
        return []
    columns = dict(zip(ANSWER, zip(*rows, strict=True), strict=True))
    hashes = columns.pop("request_hash")
    known = spell(CommandReceipt, columns)
    known["request_hash"] = [f'"{bytes(value).hex()}"' for value in hashes]
    each = zip(*(known[name] for name in sorted(ANSWER)), strict=True)
    return [(SPELLED % row).encode() for row in each]
