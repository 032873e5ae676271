"""The accounts of cash and of over/short, between which custody moves money."""

from __future__ import annotations

from typing import Final

from ledger.accounts import AccountRef, Kind

TIPS: Final = "tips/"  # prefix of the names of accounts that hold tips for attendants (P4)


def cage() -> AccountRef:
    """The account of the cage, from which floats are brought to the tables."""
    return AccountRef(Kind.CAGE, "main")


def over_short(name: str) -> AccountRef:
    """The account of the differences between counts of a table (its id) and the ledger (B1)."""
    return AccountRef(Kind.OVER_SHORT, name)


def is_float(account: AccountRef) -> bool:
    """Whether an account is the float of a table, not its fee box or tip box (A5, P4)."""
    return account.kind == Kind.FLOAT and "/" not in account.name


def holds_tips(account: AccountRef) -> bool:
    """Whether an account of held money holds an attendant's tips, not a payout of a game (P4)."""
    return account.kind == Kind.HELD and account.name.startswith(TIPS)
