"""
How a verification treats every column of every table: truth, derived, or of no account.

Truth is hashed: it is in the signed tree, in the chain of answers, or under a hash that is. Derived
columns are computed again and compared. A column of no account may have any value, and its
declaration says why. There is no fourth kind: a test reads the schema, and fails for a column
without a declaration and for a declaration without a column.

Columns are declared table by table, so that a new table has to be considered, and one by one if a
table is not computed again as a whole (`columns_declared`).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from casino.proof.integrity.column_kinds import Declared, Kind
from casino.proof.integrity.columns_declared import declarations

if TYPE_CHECKING:
    from collections.abc import Iterator


@cache
def every() -> tuple[Declared, ...]:
    return tuple(declarations())


def columns_of_stage(stage: str) -> Iterator[Declared]:
    """The declarations of the columns that a stage of a verification checks."""
    return (each for each in every() if each.by == stage)


def columns_checked(table: str) -> frozenset[str]:
    """The columns of a table that some stage of a verification checks."""
    return frozenset(
        column
        for each in every()
        if each.table == table and each.kind is not Kind.NO_ACCOUNT
        for column in each.columns
    )
