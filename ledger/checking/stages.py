"""The checks of a ledger, in the order in which they are made."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from ledger.checking import ends, events, receipts, roots, signatures
from ledger.checking.book import Book
from ledger.checking.findings import Place, Step

Check = Callable[[Book, Place], Iterator[Step]]

STAGES: Final[Mapping[str, Check]] = {
    "signatures": signatures.check,
    "events": events.check,
    "tiles": roots.check_tiles,
    "receipts": receipts.check,
    "accounts": ends.check_accounts,
    "ends": ends.check,
}
"""The checks by name. A check that was stopped after any step can be continued from there."""
