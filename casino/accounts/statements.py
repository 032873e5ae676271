"""
An account line by line: each transfer with when, why, from which event, and the running balance.

A page costs the same on an account with a million transfers as on one with ten: lines are read
down two indexes (debits, credits) from a cursor, and the balance they run from comes from the last
mark before them (casino/cash/balance_snapshots.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from casino.cash import balance_snapshots
from ledger.accounts import CASH, AccountRef, Kind
from ledger.models import Event, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date, datetime
    from uuid import UUID

    from django.db.models import QuerySet

PAGE = 50
SEQ_MOST = 2**31 - 1  # behind every transfer of an event
TOGETHER = 500  # lines read at once where all are written out


class At(NamedTuple):
    """Where a transfer lies: its event's position, and its place among that event's transfers."""

    position: int
    seq: int

    @classmethod
    def parse(cls, text: str) -> At:
        """:raises ValueError: if it is not written as ``120.0``."""
        position, _, seq = text.partition(".")
        at = cls(int(position), int(seq))
        if min(at) < 0 or str(at) != text:
            raise ValueError(text)
        return at

    def __str__(self) -> str:
        return f"{self.position}.{self.seq}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """
    One transfer as one of its two accounts sees it. `balance` is what it held after.

    :param reverses: the id of the transfer that this one takes back.
    """

    at: At
    transfer_id: UUID
    other: AccountRef
    debit: int
    credit: int
    balance: int
    reason: str
    reverses: UUID | None
    event_type: str
    stream: str
    actor: str
    recorded_at: datetime
    gaming_day: date


@dataclass(frozen=True, slots=True)
class Statement:
    """
    A page of an account, the newest line first.

    :param older: where the next page begins, by its cursor; None: there is none.
    :param newer: the same the other way.
    """

    account: AccountRef
    lines: Sequence[Line]
    older: At | None
    newer: At | None


class _Moved(NamedTuple):
    at: At
    transfer_id: UUID
    other: AccountRef
    debit: int
    credit: int
    reason: str
    reverses: UUID | None

    def more(self, kind: Kind) -> int:
        """What it adds to an account of the kind."""
        return self.debit - self.credit if kind in CASH else self.credit - self.debit


def page(
    establishment: UUID,
    account: AccountRef,
    *,
    older_than: At | None = None,
    newer_than: At | None = None,
    limit: int = PAGE,
) -> Statement:
    """
    Up to `limit` lines: the newest, or those before or behind a line.

    :param older_than: the last line of a page that has been shown; `newer_than`: its first one.
    """
    rows = Transfer.objects.filter(establishment=establishment)
    if newer_than is not None:
        found = _found(_behind(rows, newer_than), account, limit + 1, newest=False)
        more, found = len(found) > limit, found[:limit][::-1]
        older = found[-1].at if found else None
        newer = found[0].at if more else None
    else:
        older_rows = rows if older_than is None else _before(rows, older_than)
        found = _found(older_rows, account, limit + 1, newest=True)
        more, found = len(found) > limit, found[:limit]
        older = found[-1].at if more else None
        newer = found[0].at if found and older_than is not None else None
    return Statement(account, _lines(establishment, account, found), older, newer)


def every_line(establishment: UUID, account: AccountRef) -> Iterator[Line]:
    """All lines, the oldest first, a part at a time: for writing them out."""
    rows = Transfer.objects.filter(establishment=establishment)
    balance, part = 0, _found(rows, account, TOGETHER, newest=False)
    while part:
        events = _events(establishment, part)
        for each in part:
            balance += each.more(account.kind)
            yield _line(each, balance, events)
        part = _found(_behind(rows, part[-1].at), account, TOGETHER, newest=False)


def before_day(establishment: UUID, day: date) -> At | None:
    """The cursor whose newer lines are those from a gaming day on; None: it has no event."""
    rows = Event.objects.filter(establishment=establishment, gaming_day=day)
    first = rows.order_by("position").values_list("position", flat=True).first()
    return None if first is None else At(first - 1, SEQ_MOST)


def through_position(position: int) -> At:
    """The cursor whose older lines are those through a position."""
    return At(position + 1, 0)


def _before(rows: QuerySet[Transfer], at: At) -> QuerySet[Transfer]:
    """One stretch of an index, and its last event cut: no OR, which would be two."""
    return rows.filter(position__lte=at.position).exclude(position=at.position, seq__gte=at.seq)


def _behind(rows: QuerySet[Transfer], at: At) -> QuerySet[Transfer]:
    return rows.filter(position__gte=at.position).exclude(position=at.position, seq__lte=at.seq)


def _found(
    rows: QuerySet[Transfer], account: AccountRef, limit: int, *, newest: bool
) -> list[_Moved]:
    """The first of an account's transfers in one direction, debits and credits together."""
    order = ("-position", "-seq") if newest else ("position", "seq")
    key = (account.kind.value, account.name)
    debited = rows.filter(debit_kind=key[0], debit_name=key[1]).order_by(*order)[:limit]
    credited = rows.filter(credit_kind=key[0], credit_name=key[1]).order_by(*order)[:limit]
    moved = [*(_as_debit(row) for row in debited), *(_as_credit(row) for row in credited)]
    return sorted(moved, key=attrgetter("at"), reverse=newest)[:limit]


def _as_debit(row: Transfer) -> _Moved:
    other = AccountRef(Kind(row.credit_kind), row.credit_name)
    at = At(row.position, row.seq)
    return _Moved(at, row.transfer_id, other, row.amount, 0, row.reason, row.reverses)


def _as_credit(row: Transfer) -> _Moved:
    other = AccountRef(Kind(row.debit_kind), row.debit_name)
    at = At(row.position, row.seq)
    return _Moved(at, row.transfer_id, other, 0, row.amount, row.reason, row.reverses)


def _lines(establishment: UUID, account: AccountRef, found: Sequence[_Moved]) -> list[Line]:
    """The newest first, as found, each with the balance after it."""
    if not found:
        return []
    events = _events(establishment, found)
    balance = _after(establishment, account, found[0].at)
    lines = []
    for each in found:
        lines.append(_line(each, balance, events))
        balance -= each.more(account.kind)
    return lines


def _after(establishment: UUID, account: AccountRef, at: At) -> int:
    """What an account held after a transfer: through its event, less what came behind it there."""
    whole = balance_snapshots.through(establishment, account, at.position).of(account.kind)
    of_event = Transfer.objects.filter(
        balance_snapshots.touching(account),
        establishment=establishment,
        position=at.position,
        seq__gt=at.seq,
    )
    key = (account.kind.value, account.name)
    later = (
        _as_debit(row) if (row.debit_kind, row.debit_name) == key else _as_credit(row)
        for row in of_event
    )
    return whole - sum(each.more(account.kind) for each in later)


def _events(establishment: UUID, found: Sequence[_Moved]) -> dict[int, Event]:
    """Of each line the event that books it, without its body."""
    positions = {each.at.position for each in found}
    rows = Event.objects.filter(establishment=establishment, position__in=positions)
    return {row.position: row for row in rows.defer("body", "leaf_hash")}


def _line(moved: _Moved, balance: int, events: Mapping[int, Event]) -> Line:
    event = events[moved.at.position]
    return Line(
        at=moved.at,
        transfer_id=moved.transfer_id,
        other=moved.other,
        debit=moved.debit,
        credit=moved.credit,
        balance=balance,
        reason=moved.reason,
        reverses=moved.reverses,
        event_type=event.event_type,
        stream=event.stream,
        actor=event.actor,
        recorded_at=event.recorded_at,
        gaming_day=event.gaming_day,
    )
