"""
Balances of a house: read from its accounts, or computed again from its transfers.

An account stores the sums of all its debits and all its credits; both only grow. Cash (cage,
floats) is an asset: debits increase it. Everything else is owed or earned: credits increase it.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Q, Sum, Value
from django.db.models.functions import Concat

from ledger.accounts import CASH, HOUSE_MONEY, PLAYERS_MONEY, AccountRef, Kind
from ledger.models import Account, Transfer

__all__ = [
    "CASH",
    "HOUSE_MONEY",
    "KINDS",
    "PLAYERS_MONEY",
    "AccountRef",
    "Balance",
    "Kind",
    "balance",
    "balance_at",
    "balances",
    "differences",
    "fold_balances",
]

KINDS: Final = {
    "from_kind": Concat("debit_kind", Value("")),
    "to_kind": Concat("credit_kind", Value("")),
}
"""
The kinds of accounts that transfers moved between, for grouping a few transfers. Each is wrapped in
a concatenation: to group by the bare column, SQLite would walk the index that begins with it, over
all transfers of a house, instead of the index that finds these few.
"""


@dataclass(frozen=True, slots=True)
class Balance:
    """The debits and credits of an account in whole coins, since the ledger began."""

    debits: int = 0
    credits: int = 0

    def of(self, kind: Kind) -> int:
        """The balance, for an account of this kind."""
        return self.debits - self.credits if kind in CASH else self.credits - self.debits


def balance(account: AccountRef, *, establishment: UUID) -> int:
    """The balance of an account; 0 if it was never used."""
    return balances(establishment=establishment, accounts=[account]).get(account, 0)


def balances(
    *,
    establishment: UUID,
    kinds: Iterable[Kind] | None = None,
    accounts: Iterable[AccountRef] | None = None,
    using: str = DEFAULT_DB_ALIAS,
) -> dict[AccountRef, int]:
    """
    The balances of all accounts, of some kinds, or of those named. One query. An account that was
    never used is not in the result.
    """
    rows = Account.objects.using(using).filter(establishment=establishment)
    if kinds is not None:
        rows = rows.filter(kind__in=list(kinds))
    if accounts is not None:
        named = [Q(kind=account.kind, name=account.name) for account in accounts]
        rows = rows.filter(reduce(or_, named)) if named else rows.none()
    return {
        AccountRef(Kind(row.kind), row.name): Balance(row.debits, row.credits).of(Kind(row.kind))
        for row in rows
    }


def balance_at(account: AccountRef, position: int, *, establishment: UUID) -> int:
    """The balance after the event at a position. Takes time for each transfer of the account."""
    rows = Transfer.objects.filter(establishment=establishment, position__lte=position)
    sums = {
        side: rows.filter(**{f"{side}_kind": account.kind, f"{side}_name": account.name}).aggregate(
            sum=Sum("amount")
        )["sum"]
        for side in ("debit", "credit")
    }
    return Balance(int(sums["debit"] or 0), int(sums["credit"] or 0)).of(account.kind)


def fold_balances(
    *, establishment: UUID, using: str = DEFAULT_DB_ALIAS
) -> dict[AccountRef, Balance]:
    """All balances, computed from the transfers alone. Reads all transfers: for audits."""
    rows = Transfer.objects.using(using).filter(establishment=establishment)
    debits: dict[AccountRef, int] = defaultdict(int)
    credits: dict[AccountRef, int] = defaultdict(int)  # noqa: A001  the book-keepers' word
    for side, sums in (("debit", debits), ("credit", credits)):
        grouped = rows.values_list(f"{side}_kind", f"{side}_name").annotate(sum=Sum("amount"))
        for kind, name, total in grouped:
            sums[AccountRef(Kind(kind), name)] = int(total)
    return {account: Balance(debits[account], credits[account]) for account in {*debits, *credits}}


def differences(
    *, establishment: UUID, using: str = DEFAULT_DB_ALIAS
) -> dict[AccountRef, tuple[Balance, Balance]]:
    """Accounts whose row differs from the sum of their transfers: (as stored, as computed)."""
    kept = {
        AccountRef(Kind(row.kind), row.name): Balance(row.debits, row.credits)
        for row in Account.objects.using(using).filter(establishment=establishment)
    }
    folded = fold_balances(establishment=establishment, using=using)
    return {
        account: (kept.get(account, Balance()), folded.get(account, Balance()))
        for account in kept.keys() | folded.keys()
        if kept.get(account, Balance()) != folded.get(account, Balance())
    }
