"""
What every column of every table is to a verification: truth, derived, or of no account.

Truth is hashed: it stands in the signed tree, in the chain of answers, or under a hash that does.
What is derived is made once more and compared. What is of no account says why it may be anything.
There is no fourth kind: a test reads the schema and fails for a column that is in none of the
three, or that is declared and gone.

Declared is table by table, so that a new one is thought about, and column by column where a table
is not made once more as a whole (`columns_declared`).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from casino.integrity.column_kinds import Declared, Kind
from casino.integrity.columns_declared import declared

if TYPE_CHECKING:
    from collections.abc import Iterator


@cache
def every() -> tuple[Declared, ...]:
    return tuple(declared())


def held_by(stage: str) -> Iterator[Declared]:
    """What a stage of a verification answers for."""
    return (each for each in every() if each.by == stage)


def held(table: str) -> frozenset[str]:
    """The columns of a table that a verification answers for."""
    return frozenset(
        column
        for each in every()
        if each.table == table and each.kind is not Kind.NO_ACCOUNT
        for column in each.columns
    )
