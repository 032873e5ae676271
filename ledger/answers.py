"""Answers to commands as the chain of receipts hashes them: canonical JSON, many at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import DEFAULT_DB_ALIAS, connections

from ledger import keyed, spelling
from ledger.canonical import encode
from ledger.models import CommandReceipt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from uuid import UUID

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


def of(
    establishment: UUID, seq: int, *, using: str = DEFAULT_DB_ALIAS
) -> Iterator[tuple[int, bytes]]:
    """The answers of a house from number `seq` on, each as (number, JSON); read in chunks."""
    columns = spelling.spelt(connections[using], CommandReceipt, ANSWER)
    statement = ROWS.format(columns=columns, chunk=CHUNK)
    while rows := keyed.bulk(statement, establishment, seq, using=using):
        yield from zip((row[0] for row in rows), spell([row[1:] for row in rows]), strict=True)
        seq = rows[-1][0] + 1


def spell(rows: Sequence[Sequence[Any]]) -> list[bytes]:
    """
    Answers as canonical JSON, from rows whose columns are spelt as event bodies spell them.

    :raises NotCanonical: if an answer has no canonical spelling.
    """
    try:
        return _side_by_side(rows)
    except spelling.Unusual:
        pass
    if len(rows) == 1:
        return [alone(rows[0])]
    middle = len(rows) // 2
    return spell(rows[:middle]) + spell(rows[middle:])


def alone(row: Sequence[Any]) -> bytes:
    """One answer as canonical JSON, with any texts. :raises NotCanonical: if it has no spelling."""
    return encode(dict(zip(ANSWER, row, strict=True)) | {"request_hash": bytes(row[HASH]).hex()})


def _side_by_side(rows: Sequence[Sequence[Any]]) -> list[bytes]:
    if not rows:
        return []
    columns = dict(zip(ANSWER, zip(*rows, strict=True), strict=True))
    hashes = columns.pop("request_hash")
    known = spelling.spell(CommandReceipt, columns)
    known["request_hash"] = [f'"{bytes(value).hex()}"' for value in hashes]
    each = zip(*(known[name] for name in sorted(ANSWER)), strict=True)
    return [(SPELLED % row).encode() for row in each]
