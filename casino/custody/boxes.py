"""Where cash lies, and where a difference goes: the accounts that custody moves money between."""

from __future__ import annotations

from typing import Final

from ledger.accounts import AccountRef, Kind

TIPS: Final = "tips/"  # how the accounts begin in which tips are held for attendants (P4)


def cage() -> AccountRef:
    """The house's own store of cash, from which floats are brought to the tables."""
    return AccountRef(Kind.CAGE, "main")


def over_short(name: str) -> AccountRef:
    """What counts of a table (its id) found more, or less, than the book has (B1)."""
    return AccountRef(Kind.OVER_SHORT, name)


def is_float(account: AccountRef) -> bool:
    """Whether it is a table's float itself, and none of the boxes beside it (A5, P4)."""
    return account.kind == Kind.FLOAT and "/" not in account.name


def holds_tips(account: AccountRef) -> bool:
    """Whether what is held there is an attendant's, and no payout of a game (P4)."""
    return account.kind == Kind.HELD and account.name.startswith(TIPS)
