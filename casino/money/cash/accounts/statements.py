"""
Statements of accounts: each transfer with its time, a sentence of its reason, and the balance.

A page costs the same for an account with a million transfers as for one with ten: lines are read
from two indexes (debits, credits), beginning at a cursor, and the balance is computed from the last
balance snapshot before them (casino/money/cash/balance_snapshots.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.money.cash import balance_snapshots
from ledger.accounts import CASH, AccountRef, Kind
from ledger.models import Event, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date, datetime
    from uuid import UUID

    from django.db.models import QuerySet
    from django.utils.functional import _StrPromise

PAGE = 50
SEQ_MOST = 2**31 - 1  # greater than the place of every transfer of an event
TOGETHER = 500  # lines read at once when the whole account is written out


class At(NamedTuple):
    """The place of a transfer: the position of its event, and its number among the transfers."""

    position: int
    seq: int

    @classmethod
    def parse(cls, text: str) -> At:
        """:raises ValueError: if the text is not written like ``120.0``."""
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
    A line of a statement: a transfer from the point of view of one account.

    :param balance: balance of the account after the transfer.
    :param reverses: the id of the transfer that this one reverses.
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
    A page of the statement of an account, the newest line first.

    :param older: cursor of the page with older lines; None: there is none.
    :param newer: cursor of the page with newer lines; None: there is none.
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
        """How much this transfer adds to the balance of an account of the kind."""
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
    A page of up to `limit` lines: the newest ones, or those before or after a cursor.

    :param older_than: the last line of the page that was shown; the page continues with older ones.
    :param newer_than: the first line of the page that was shown.
    """
    rows = Transfer.objects.filter(establishment=establishment)
    if newer_than is not None:
        found = _find_transfers(_behind(rows, newer_than), account, limit + 1, newest=False)
        more, found = len(found) > limit, found[:limit][::-1]
        older = found[-1].at if found else None
        newer = found[0].at if more else None
    else:
        older_rows = rows if older_than is None else _before(rows, older_than)
        found = _find_transfers(older_rows, account, limit + 1, newest=True)
        more, found = len(found) > limit, found[:limit]
        older = found[-1].at if more else None
        newer = found[0].at if found and older_than is not None else None
    return Statement(account, _lines(establishment, account, found), older, newer)


def every_line(establishment: UUID, account: AccountRef) -> Iterator[Line]:
    """All lines of an account, the oldest first, read `TOGETHER` at a time."""
    rows = Transfer.objects.filter(establishment=establishment)
    balance, part = 0, _find_transfers(rows, account, TOGETHER, newest=False)
    while part:
        events = _events(establishment, part)
        for each in part:
            balance += each.more(account.kind)
            yield _line(each, balance, events)
        part = _find_transfers(_behind(rows, part[-1].at), account, TOGETHER, newest=False)


def before_day(establishment: UUID, day: date) -> At | None:
    """The cursor before the first event of a gaming day; None if the day has no event."""
    rows = Event.objects.filter(establishment=establishment, gaming_day=day)
    first = rows.order_by("position").values_list("position", flat=True).first()
    return None if first is None else At(first - 1, SEQ_MOST)


def through_position(position: int) -> At:
    """The cursor after the last transfer of a position; its older lines include the position."""
    return At(position + 1, 0)


def _before(rows: QuerySet[Transfer], at: At) -> QuerySet[Transfer]:
    """
    The transfers before a place.

    It is one range of an index, of which the end of the last event is excluded. A condition with OR
    would be two ranges.
    """
    return rows.filter(position__lte=at.position).exclude(position=at.position, seq__gte=at.seq)


def _behind(rows: QuerySet[Transfer], at: At) -> QuerySet[Transfer]:
    return rows.filter(position__gte=at.position).exclude(position=at.position, seq__lte=at.seq)


def _find_transfers(
    rows: QuerySet[Transfer], account: AccountRef, limit: int, *, newest: bool
) -> list[_Moved]:
    """The first transfers of an account in one direction, debits and credits merged."""
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
    """The lines of found transfers, newest first, each with the balance after it."""
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
    """
    The balance of an account after a transfer.

    It is the balance after the event, less the later transfers of the same event.
    """
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
    """The events of transfers, by position, without their bodies."""
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


# The catalogue of the reasons of transfers: a sentence for each, which says why money moved.


SENTENCES: Final[Mapping[str, _StrPromise]] = {
    # At the table
    "buy_in": gettext_lazy("Bought in: cash for a stake."),
    "cash_out": gettext_lazy("Cashed out: a stake for cash."),
    "house_seat": gettext_lazy("The house's own seat brought its stake."),
    "fee_box": gettext_lazy("A fee, from the float into the table's fee box."),
    # Between the tables and the cage
    "opener": gettext_lazy("Opener: a counted float brought to the table."),
    "closer": gettext_lazy("Closer: the counted float back to the cage."),
    "left_over": gettext_lazy("What the book still had at the table, to the cage."),
    "fill": gettext_lazy("Fill: from the cage to the table, by a numbered slip."),
    "credit": gettext_lazy("Credit: from the table to the cage, by a numbered slip."),
    "over_short": gettext_lazy("Over/short: what a count found more, or less, than the book has."),
    "fee_count": gettext_lazy("The fee box was counted by two people and emptied into the cage."),
    # The house's own
    "capital": gettext_lazy("The house's own money, brought into the cage."),
    "to_bank": gettext_lazy("Cash taken from the cage to the bank."),
    # Owed
    "prize": gettext_lazy("A prize was won on the scoreboard: the house owes it."),
    "prize_handed_out": gettext_lazy("A prize was handed out."),
    "late_cash_out": gettext_lazy("A stake that was left behind, paid at the cage."),
    "tip": gettext_lazy("A tip, held for an attendant."),
    "tip_paid_out": gettext_lazy("Tips handed to their attendant."),
    # Held and adjusted
    "held": gettext_lazy("Held until somebody has looked at it."),
    "released": gettext_lazy("Released after it was held."),
    "held_drawn": gettext_lazy("Taken from what is held: the player owed more than lay free."),
    "advanced": gettext_lazy("Advanced by the house: an adjustment had taken it before."),
    "adjustment_handed_out": gettext_lazy("What an adjustment left was handed out at the cage."),
    "adjustment": gettext_lazy("An adjustment, asked for by one person and approved by another."),
}


def sentence(reason: str, *, reverses: bool = False) -> str:
    """
    The sentence for the reason of a transfer.

    A reason that is not in the catalogue consists of numbers of the game's rules.
    """
    if reverses:
        return _("Taken back: a void moved it the other way (G4).")
    if reason in SENTENCES:
        return str(SENTENCES[reason])
    if reason.replace(" ", "").isalnum() and reason.upper() == reason:
        return _("By the rules of the game: %(rules)s.") % {"rules": reason}
    return reason.replace("_", " ").capitalize() + "."


def rules(reason: str) -> list[str]:
    """The numbers of the rules that a reason consists of; empty for reasons of the catalogue."""
    named = reason.replace(" ", "").isalnum() and reason.upper() == reason
    return reason.split() if named else []
