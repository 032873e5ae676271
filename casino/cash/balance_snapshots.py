"""
Balances through a position of the ledger, at a price that does not grow with the ledger.

Each `WINDOW` positions the subscriber writes down what every account that moved in between had come
to, and all kinds. What an account held at a position is its last mark before it and the few
transfers since: two steps down an index.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet, Sum

from casino.cash.account_models import BalanceMark
from ledger import keyed
from ledger.accounts import AccountRef, Kind
from ledger.models import Transfer
from ledger.money import Balance

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from ledger.wire import StoredEvent

WINDOW = 512  # positions from one mark to the next
EVERYTHING = ""  # the kind whose marks say that all is marked; the name of a kind's own marks

Key = tuple[str, str]

LAST_MARK = f"""
    SELECT debits, credits FROM {BalanceMark._meta.db_table}
    WHERE establishment_id = %s AND kind = %s AND name = %s AND position <= %s
    ORDER BY position DESC LIMIT 1"""  # noqa: S608, SLF001 - names of our own


@dataclass(frozen=True, slots=True)
class Moves:
    """What accounts were debited and credited over a stretch of the ledger."""

    debits: Mapping[Key, int]
    credits: Mapping[Key, int]

    @property
    def keys(self) -> set[Key]:
        return {*self.debits, *self.credits}

    def of_kinds(self) -> Moves:
        """The same, all accounts of a kind together."""
        sums: tuple[dict[Key, int], dict[Key, int]] = (defaultdict(int), defaultdict(int))
        for side, summed in zip((self.debits, self.credits), sums, strict=True):
            for (kind, _name), amount in side.items():
                summed[kind, EVERYTHING] += amount
        return Moves(*sums)


def handle(event: StoredEvent) -> None:
    if (event.position + 1) % WINDOW == 0:
        mark(event.establishment, event.position)


def mark(establishment: UUID, position: int) -> None:
    """Write down what every account that moved since the last marks has come to."""
    before = marked(establishment, position)
    if before >= position:
        return
    moves = _moves(establishment, before, position)
    kinds = moves.of_kinds()
    rows = [BalanceMark(establishment_id=establishment, kind="", name="", position=position)]
    for each in (moves, kinds):
        for key in each.keys:
            had = _marked_balance(establishment, key, before)
            rows.append(
                BalanceMark(
                    establishment_id=establishment,
                    kind=key[0],
                    name=key[1],
                    position=position,
                    debits=had.debits + each.debits.get(key, 0),
                    credits=had.credits + each.credits.get(key, 0),
                )
            )
    BalanceMark.objects.bulk_create(rows)


def marked(establishment: UUID, position: int) -> int:
    """The last position up to this one through which all is marked; -1 before the first."""
    rows = BalanceMark.objects.filter(
        establishment=establishment, kind=EVERYTHING, name="", position__lte=position
    )
    last = rows.order_by("-position").values_list("position", flat=True).first()
    return -1 if last is None else last


def through(establishment: UUID, account: AccountRef, position: int) -> Balance:
    """What an account was debited and credited through a position."""
    key = (account.kind.value, account.name)
    rows = BalanceMark.objects.filter(
        establishment=establishment, kind=key[0], name=key[1], position__lte=position
    )
    had = rows.order_by("-position").first()
    since = had.position if had else -1
    transfers = Transfer.objects.filter(
        establishment=establishment, position__gt=since, position__lte=position
    )
    debits = _sum(transfers.filter(debit_kind=key[0], debit_name=key[1]))
    credits_ = _sum(transfers.filter(credit_kind=key[0], credit_name=key[1]))
    return Balance((had.debits if had else 0) + debits, (had.credits if had else 0) + credits_)


def kinds_through(establishment: UUID, position: int) -> dict[Kind, int]:
    """What all accounts of each kind held together through a position."""
    at = marked(establishment, position)
    since = _moves(establishment, at, position).of_kinds()
    held = {}
    for kind in Kind:
        key = (kind.value, EVERYTHING)
        had = _marked_balance(establishment, key, at)
        held[kind] = Balance(
            had.debits + since.debits.get(key, 0), had.credits + since.credits.get(key, 0)
        ).of(kind)
    return held


def _marked_balance(establishment: UUID, key: Key, position: int) -> Balance:
    rows = keyed.rows(LAST_MARK, establishment, *key, position)
    return Balance(*rows[0]) if rows else Balance()


def _moves(establishment: UUID, after: int, position: int) -> Moves:
    rows = Transfer.objects.filter(
        establishment=establishment, position__gt=after, position__lte=position
    )
    return Moves(_summed(rows, "debit"), _summed(rows, "credit"))


def _summed(rows: QuerySet[Transfer], side: str) -> dict[Key, int]:
    grouped = rows.values_list(f"{side}_kind", f"{side}_name").annotate(sum=Sum("amount"))
    return {(kind, name): int(total) for kind, name, total in grouped}


def _sum(rows: QuerySet[Transfer]) -> int:
    return int(rows.aggregate(sum=Sum("amount"))["sum"] or 0)


def touching(account: AccountRef) -> Q:
    """The transfers of an account."""
    key = {"kind": account.kind.value, "name": account.name}
    debited = Q(debit_kind=key["kind"], debit_name=key["name"])
    return debited | Q(credit_kind=key["kind"], credit_name=key["name"])
