"""Coins moved between accounts on each gaming day, by the ledger's transfers; reports compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import F, Max, Sum

from casino.reports.registers import history
from ledger import money
from ledger.accounts import AccountRef, Kind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import date

    from django.db.models import QuerySet

    from casino.kit.documents.report import Query


@dataclass(frozen=True, slots=True)
class Moved:
    """
    The coins that one account gave another on one gaming day.

    :param position: of the last event that moved coins between the two.
    """

    day: date
    debit: AccountRef
    credit: AccountRef
    amount: int
    position: int


def of_accounts(query: Query, kind: Kind, names: Collection[str]) -> Iterator[Moved]:
    """The coins that accounts of a kind gave and got, by day and by the other account."""
    rows: QuerySet[Any] = history.transfers(query)
    for side in ("debit", "credit"):
        of_side = rows.filter(**{f"{side}_kind": kind.value, f"{side}_name__in": names})
        grouped = of_side.annotate(**money.KINDS).values(
            "day", "from_kind", "debit_name", "to_kind", "credit_name"
        )
        for row in grouped.annotate(coins=Sum("amount"), last=Max("position")).order_by("day"):
            yield Moved(
                row["day"],
                AccountRef(Kind(row["from_kind"]), row["debit_name"]),
                AccountRef(Kind(row["to_kind"]), row["credit_name"]),
                int(row["coins"]),
                row["last"],
            )


def net(query: Query, kind: Kind) -> int:
    """The coins that all accounts of a kind got, less those they gave: credits less debits."""
    rows: QuerySet[Any] = history.transfers(query)
    got = rows.filter(credit_kind=kind.value).aggregate(coins=Sum(F("amount")))["coins"]
    gave = rows.filter(debit_kind=kind.value).aggregate(coins=Sum(F("amount")))["coins"]
    return int(got or 0) - int(gave or 0)
