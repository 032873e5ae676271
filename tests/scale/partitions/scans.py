"""Which pieces the statements of a transaction look into, inside functions too."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from django.db import connections, transaction

from tests.schema.described import asked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

SCANNED: Final = """
    SELECT relname::text, seq_scan + coalesce(idx_scan, 0) FROM pg_stat_xact_user_tables
    WHERE schemaname = 'partitions' AND relname ~ '_h[0-9]+'"""
PART: Final = "SELECT tableoid::regclass::text FROM ledger_commandreceipt WHERE establishment = %s"


def looks() -> dict[str, int]:
    """How often each piece was looked into: scans of its indexes, and of all of it."""
    return dict(asked(connections["default"], SCANNED))


def part_of(house: UUID) -> str:
    """The ending of the parts that a house is in: the same one in every table."""
    [(name,), *_] = asked(connections["default"], PART, [str(house)])
    return str(name).rpartition("_")[2]


@contextmanager
def of_one_part(house: UUID) -> Iterator[None]:
    """No statement of the block looks into pieces of other parts. What it writes is rolled back."""
    with transaction.atomic():
        before = looks()
        yield
        after = looks()
        transaction.set_rollback(True)
    looked = {name for name, count in after.items() if count > before.get(name, 0)}
    parts = {re.sub(r".*_(h\d+)(_p\d+)?$", r"\1", name) for name in looked}
    assert parts <= {part_of(house)}, looked
