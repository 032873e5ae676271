"""Compares the rows of a house with the shadow rows that a replay has made."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from datetime import date, datetime, time
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from django.db.models import Field, Model

    from casino.proof.verification.shadow import Shadows

LISTED_MAX: Final = 20  # differing rows of one table that are listed; all are counted
HOUSE: Final = "establishment_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """
    A row that is not what the ledger makes it, or an event that could not be handled again.

    :param what: ``altered``; ``missing``: the ledger makes a row that does not exist; ``extra``: a
        row exists that the ledger does not make; ``unreadable``: an event that its subscriber has
        handled before and that could not be handled again.
    :param key: identifies the row within the house; for an event, its stream and position.
    :param found: the stored values of the columns that differ; for an extra row, of all columns.
    :param expected: the values that the ledger makes; for a missing row, of all columns.
    :param of: how many rows of this table differ, listed or not.
    """

    follower: str
    table: str
    what: str
    key: Mapping[str, Any]
    found: Mapping[str, Any] = field(default_factory=dict)
    expected: Mapping[str, Any] = field(default_factory=dict)
    of: int = 1

    def as_dict(self) -> dict[str, Any]:
        """The difference as JSON values."""
        values: dict[str, Any] = json.loads(json.dumps(asdict(self), default=_plain))
        return values


def _plain(value: object) -> Any:
    return value.isoformat() if isinstance(value, date | datetime | time) else str(value)


def differences(
    shadows: Shadows,
    model: type[Model],
    subscriber: str,
    *,
    unsettled: str = "",
    most: int = LISTED_MAX,
) -> Iterator[Difference]:
    """
    The first rows of a table that differ, in the order of their keys.

    Call it within one snapshot that covers both the table and the events of its shadow.

    :param unsettled: an SQL condition; rows that fulfil it are not compared.
    :param most: how many differing rows are listed at most.
    """
    columns, keys = columns_to_compare(model), key_of(model)
    with shadows.connection.cursor() as cursor:
        cursor.execute(_statement(shadows, model, unsettled, most))
        differing = cursor.fetchall()  # at most two entries for each listed row
    for _place, sides in groupby(differing, key=itemgetter(0)):
        found: dict[str, Any] = {}
        expected: dict[str, Any] = {}
        for _, is_expected, in_all, *values in sides:
            (expected if is_expected else found).update(_read(shadows, columns, values))
            of = in_all
        key = {name: (expected or found)[name] for name in map(column_name, keys)}
        if found and expected:
            changed = {name for name in found if found[name] != expected[name]}
            found = {name: found[name] for name in found if name in changed}
            expected = {name: expected[name] for name in expected if name in changed}
        yield Difference(
            follower=subscriber,
            table=model._meta.db_table,  # noqa: SLF001 - Django's documented Meta API
            what="altered" if found and expected else "extra" if found else "missing",
            key={name: value for name, value in key.items() if name != HOUSE},
            found=found,
            expected=expected,
            of=of,
        )


def columns_to_compare(model: type[Model]) -> list[Field[Any, Any]]:
    """
    The columns of a table that are compared: all of them. No column is written by a clock or by a
    counter of the database; times and numbers come from events.
    """
    return list(model._meta.concrete_fields)  # noqa: SLF001


def key_of(model: type[Model]) -> list[Field[Any, Any]]:
    """The columns that name a row: its primary key."""
    meta: Any = model._meta  # noqa: SLF001
    return list(meta.pk_fields)


def column_name(column: Field[Any, Any]) -> str:
    """The name of a column in its table."""
    return str(column.column)


STATEMENT: Final = """
    WITH real_rows AS (SELECT {columns} FROM {real} AS each WHERE {house} = '{id}' {settled}),
         shadow_rows AS (SELECT {columns} FROM {shadow} AS each WHERE true {settled}),
         differing AS (
             SELECT 1 AS is_expected, expected.* FROM
                 (SELECT * FROM shadow_rows EXCEPT SELECT * FROM real_rows) AS expected
             UNION ALL
             SELECT 0 AS is_expected, found.* FROM
                 (SELECT * FROM real_rows EXCEPT SELECT * FROM shadow_rows) AS found
         ),
         placed AS (SELECT dense_rank() OVER (ORDER BY {keys}) AS place, differing.* FROM differing)
    SELECT place, is_expected, (SELECT max(place) FROM placed), {columns} FROM placed
    WHERE place <= {most} ORDER BY place, is_expected"""


def _statement(shadows: Shadows, model: type[Model], unsettled: str, most: int) -> str:
    quoted = shadows.connection.ops.quote_name
    table = model._meta.db_table  # noqa: SLF001
    return STATEMENT.format(
        columns=", ".join(quoted(column_name(each)) for each in columns_to_compare(model)),
        keys=", ".join(quoted(column_name(each)) for each in key_of(model)),
        real=shadows.real[table],
        shadow=f"{shadows.vendor.temporary}.{quoted(table)}",
        house=quoted(HOUSE),
        id=shadows.house.hex,
        settled=f"AND NOT ({unsettled})" if unsettled else "",
        most=most,
    )


def _read(
    shadows: Shadows, columns: Sequence[Field[Any, Any]], values: Sequence[Any]
) -> Iterator[tuple[str, Any]]:
    """A row converted as Django does it: databases store UUIDs, moments and JSON differently."""
    connection = shadows.connection
    for column, raw in zip(columns, values, strict=True):
        expression, value = column.get_col(column.model._meta.db_table), raw  # noqa: SLF001
        converters = connection.ops.get_db_converters(expression)
        for convert in (*converters, *expression.get_db_converters(connection)):
            value = convert(value, expression, connection)
        yield column_name(column), value
