"""
Balances at a position of the ledger, at a cost that does not grow with the ledger.

Every `WINDOW` positions the subscriber writes a balance snapshot ("mark") of every account that
moved since the last snapshots, and of its kind. The balance of an account at a position is its last
snapshot before the position plus the few transfers since: two index lookups.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet, Sum

from casino.money.cash.models import BalanceMark
from ledger import keyed
from ledger.accounts import AccountRef, Kind
from ledger.models import Transfer
from ledger.money import Balance

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from ledger.wire import StoredEvent

WINDOW = 512  # positions from one snapshot to the next
EVERYTHING = ""  # as a kind: all snapshots are written; as a name: all accounts of the kind

Key = tuple[str, str]

LAST_MARK = f"""
    SELECT debits, credits FROM {BalanceMark._meta.db_table}
    WHERE establishment_id = %s AND kind = %s AND name = %s AND position <= %s
    ORDER BY position DESC LIMIT 1"""  # noqa: S608, SLF001 - names of our own


@dataclass(frozen=True, slots=True)
class Moves:
    """The debits and credits of each account over a range of positions."""

    debits: Mapping[Key, int]
    credits: Mapping[Key, int]

    @property
    def keys(self) -> set[Key]:
        return {*self.debits, *self.credits}

    def of_kinds(self) -> Moves:
        """The same sums by kind: all accounts of a kind together."""
        sums: tuple[dict[Key, int], dict[Key, int]] = (defaultdict(int), defaultdict(int))
        for side, summed in zip((self.debits, self.credits), sums, strict=True):
            for (kind, _name), amount in side.items():
                summed[kind, EVERYTHING] += amount
        return Moves(*sums)


def handle(event: StoredEvent) -> None:
    if (event.position + 1) % WINDOW == 0:
        mark(event.establishment, event.position)


def mark(establishment: UUID, position: int) -> None:
    """Write a balance snapshot of every account that moved since the last snapshots."""
    before = last_snapshot(establishment, position)
    if before >= position:
        return
    moves = _moves(establishment, before, position)
    kinds = moves.of_kinds()
    rows = [BalanceMark(establishment_id=establishment, kind="", name="", position=position)]
    for each in (moves, kinds):
        for key in each.keys:
            had = _balance_of_snapshot(establishment, key, before)
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


def last_snapshot(establishment: UUID, position: int) -> int:
    """The last position, at most this one, with complete snapshots; -1 if there is none."""
    rows = BalanceMark.objects.filter(
        establishment=establishment, kind=EVERYTHING, name="", position__lte=position
    )
    last = rows.order_by("-position").values_list("position", flat=True).first()
    return -1 if last is None else last


def through(establishment: UUID, account: AccountRef, position: int) -> Balance:
    """The debits and credits of an account up to and including a position."""
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
    """The balance of all accounts of each kind together, at a position."""
    at = last_snapshot(establishment, position)
    since = _moves(establishment, at, position).of_kinds()
    held = {}
    for kind in Kind:
        key = (kind.value, EVERYTHING)
        had = _balance_of_snapshot(establishment, key, at)
        held[kind] = Balance(
            had.debits + since.debits.get(key, 0), had.credits + since.credits.get(key, 0)
        ).of(kind)
    return held


def _balance_of_snapshot(establishment: UUID, key: Key, position: int) -> Balance:
    rows = keyed.rows(LAST_MARK, establishment, *key, position)
    return Balance(*rows[0]) if rows else Balance()


def _moves(establishment: UUID, after: int, position: int) -> Moves:
    rows = Transfer.objects.filter(
        establishment=establishment, position__gt=after, position__lte=position
    )
    return Moves(_add_up(rows, "debit"), _add_up(rows, "credit"))


def _add_up(rows: QuerySet[Transfer], side: str) -> dict[Key, int]:
    grouped = rows.values_list(f"{side}_kind", f"{side}_name").annotate(sum=Sum("amount"))
    return {(kind, name): int(total) for kind, name, total in grouped}


def _sum(rows: QuerySet[Transfer]) -> int:
    return int(rows.aggregate(sum=Sum("amount"))["sum"] or 0)


def touching(account: AccountRef) -> Q:
    """A filter for the transfers that debit or credit an account."""
    key = {"kind": account.kind.value, "name": account.name}
    debited = Q(debit_kind=key["kind"], debit_name=key["name"])
    return debited | Q(credit_kind=key["kind"], credit_name=key["name"])
