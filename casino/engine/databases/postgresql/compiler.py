"""
Rows that are inserted together are sent as VALUES.

Django sends them as arrays (``INSERT ... SELECT * FROM UNNEST``), which saves planning thousands
of rows. Where PostgreSQL is distributed by house, Citus then reads the arrays on the coordinator,
copies the rows to their server and commits in two phases; VALUES of one house go to its server as
they are. A house inserts a few rows at a time. Many, as an import sends them, stay arrays.
"""

from __future__ import annotations

from typing import Any, Final

from django.db.backends.postgresql import compiler
from django.db.backends.postgresql.compiler import (
    SQLAggregateCompiler,
    SQLCompiler,
    SQLDeleteCompiler,
    SQLUpdateCompiler,
)
from django.db.models.sql.compiler import SQLInsertCompiler as AsValues

__all__ = [
    "SQLAggregateCompiler",
    "SQLCompiler",
    "SQLDeleteCompiler",
    "SQLInsertCompiler",
    "SQLUpdateCompiler",
]

FEW: Final = 50
"""Rows that are sent as VALUES at most."""


class SQLInsertCompiler(compiler.SQLInsertCompiler):
    def assemble_as_sql(self, fields: Any, value_rows: Any) -> Any:
        if len(value_rows) <= FEW:
            return AsValues.assemble_as_sql(self, fields, value_rows)
        return super().assemble_as_sql(fields, value_rows)
