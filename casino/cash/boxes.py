"""Where cash lies, and where a difference goes: the accounts that custody moves money between."""

from __future__ import annotations

from ledger.accounts import AccountRef, Kind


def cage() -> AccountRef:
    """The house's own store of cash, from which floats are brought to the tables."""
    return AccountRef(Kind.CAGE, "main")


def over_short(name: str) -> AccountRef:
    """What counts of a table (its id) found more, or less, than the book has (B1)."""
    return AccountRef(Kind.OVER_SHORT, name)
