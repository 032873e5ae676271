"""
Fetches rows that every request needs, with SQL that is compiled once.

Django compiles a statement anew each time, which takes several times as long as the database takes
to answer it. The results are the models' own instances, converted as Django converts them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection

from ledger import keyed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.db.models import Model

Converter = tuple[int, Any, "Sequence[Callable[..., Any]]"]


class _Shape(NamedTuple):
    columns: str
    parts: tuple[tuple[type[Model], list[str], slice], ...]
    converters: tuple[Converter, ...]


def rows(
    models: tuple[type[Model], ...], source: str, *values: keyed.Value
) -> list[tuple[Any, ...]]:
    """
    Fetch an instance of each model for every row.

    :param source: the statement from FROM on, with the tables under their own names.
    """
    shape = _shape(models, connection.vendor)
    found = _fetch(f"SELECT {shape.columns} {source}", values)
    return [tuple(_instances(shape, list(row))) for row in found]


def one(
    models: tuple[type[Model], ...], extra_columns: str, source: str, *values: keyed.Value
) -> tuple[tuple[Any, ...], list[tuple[Any, ...]]] | None:
    """
    Fetch an instance of each model from the first row, and the extra columns of every row.

    :param extra_columns: columns of a table that may have several rows for these instances.
    :return: None if there is no row.
    """
    shape = _shape(models, connection.vendor)
    found = _fetch(f"SELECT {shape.columns}, {extra_columns} {source}", values)
    if not found:
        return None
    width = shape.parts[-1][2].stop
    return tuple(_instances(shape, list(found[0][:width]))), [row[width:] for row in found]


def _fetch(statement: str, values: Sequence[keyed.Value]) -> list[tuple[Any, ...]]:
    parameters = [keyed.adapt(connection, each) for each in values]
    return keyed.fetch(connection.cursor(), statement, parameters)


def _instances(shape: _Shape, row: list[Any]) -> list[Model]:
    for place, column, converters in shape.converters:
        for convert in converters:
            row[place] = convert(row[place], column, connection)
    return [
        model.from_db(DEFAULT_DB_ALIAS, names, row[place]) for model, names, place in shape.parts
    ]


@cache
def _shape(models: tuple[type[Model], ...], vendor: str) -> _Shape:
    del vendor  # an argument only so that the cache has one entry for each
    columns, parts, converters, begins = [], [], [], 0
    for model in models:
        table, fields = model._meta.db_table, model._meta.concrete_fields  # noqa: SLF001 - documented
        for place, field in enumerate(fields, begins):
            column = field.get_col(table)
            columns.append(f'"{table}"."{field.column}"')
            needed = [
                *connection.ops.get_db_converters(column), *column.get_db_converters(connection)
            ]  # fmt: skip
            if needed:
                converters.append((place, column, needed))
        names = [field.attname for field in fields]
        parts.append((model, names, slice(begins, begins + len(fields))))
        begins += len(fields)
    return _Shape(", ".join(columns), tuple(parts), tuple(converters))
