"""Accounts without a database: the kinds of account, their names, and whose money they hold."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class Kind(StrEnum):
    """The kinds of account that a house has. Accounts of one kind differ by their name."""

    CAGE = "cage"
    FLOAT = "float"
    STAKE = "stake"
    POT = "pot"
    ROLLOVER = "rollover"
    HELD = "held"
    PRIZES_OWED = "prizes_owed"
    FEES = "fees"
    BANK = "bank"
    RECEIVABLE = "receivable"
    OVER_SHORT = "over_short"


CASH = frozenset({Kind.CAGE, Kind.FLOAT})
"""Chips and coins that the house holds. They are assets: a debit increases the balance."""

PLAYERS_MONEY = frozenset({Kind.STAKE, Kind.POT, Kind.ROLLOVER, Kind.HELD, Kind.PRIZES_OWED})
"""What the house owes players. A credit increases the balance, which never falls below zero."""

POT_FALLS_TO = frozenset({Kind.STAKE, Kind.HELD, Kind.ROLLOVER, Kind.FEES})
"""
Where a pot's coins may go (A2): to the players who won them or put them in, held or not; to the
next game; and to the announced fee. An adjustment corrects what was paid from a pot afterwards, and
never takes coins from the pot itself.
"""

HOUSE_MONEY = frozenset({Kind.FEES, Kind.BANK, Kind.RECEIVABLE, Kind.OVER_SHORT})


@dataclass(frozen=True, slots=True)
class AccountRef:
    """An account of a house, e.g. ``AccountRef(Kind.STAKE, "<player id>")``."""

    kind: Kind
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    def owed(self, balance: int) -> int:
        """A balance as credits less debits: negated for cash, which is increased by debits."""
        return -balance if self.kind in CASH else balance

    @classmethod
    def parse(cls, text: str) -> Self:
        kind, _, name = text.partition(":")
        return cls(Kind(kind), name)
