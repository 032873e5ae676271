"""The projection of what the house owes players, by account (P3)."""

from __future__ import annotations

import re
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from casino.money.cash.models import Owed
from ledger import keyed
from ledger.accounts import PLAYERS_MONEY, AccountRef, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import date, datetime

    from ledger.wire import StoredEvent

ROWS = (Owed,)
OF_PLAYERS = frozenset({Kind.STAKE, Kind.PRIZES_OWED, Kind.RECEIVABLE})
OF_A_GAME = frozenset({Kind.STAKE, Kind.POT, Kind.HELD})
_PLAYER = re.compile(r"(?:^|/)(p-[a-z2-9]{12})$")


def handle(event: StoredEvent) -> None:
    """Handle one event, as a batch of one."""
    with batch(event.establishment) as taken:
        taken(event)


@contextmanager
def batch(establishment: UUID) -> Iterator[Callable[[StoredEvent], None]]:
    """Collect what the events of a batch change in what players are owed; write it at the end."""
    owed: dict[AccountRef, Owing] = {}
    yield partial(_take, owed=owed)
    for account, owing in owed.items():
        _owes(establishment, account, owing)
    if owed:
        names = [account.name for account in owed]
        Owed.objects.filter(establishment=establishment, name__in=names, amount=0).delete()


class Owing(NamedTuple):
    """By how much a batch changes an account, and when it was last changed."""

    more: int
    changed_at: datetime
    gaming_day: date


def _take(event: StoredEvent, owed: dict[AccountRef, Owing]) -> None:
    provenance = event.provenance
    for transfer in event.transfers:
        amount = transfer["amount"]
        for side, more in (("debit", -amount), ("credit", amount)):
            account = AccountRef.parse(transfer[side])
            if account.kind in PLAYERS_MONEY:
                before = owed[account].more if account in owed else 0
                owed[account] = Owing(before + more, provenance.recorded_at, provenance.gaming_day)


def player_of(account: AccountRef) -> str | None:
    """The token of the player whose account this is; None for an account of the house."""
    found = _PLAYER.search(account.name) if account.kind in OF_PLAYERS else None
    return found.group(1) if found else None


def game_of(account: AccountRef) -> UUID | None:
    """The game of an account of a stake, a pot or held money; None for other accounts."""
    if account.kind not in OF_A_GAME:
        return None
    try:
        return UUID(account.name.partition("/")[0])
    except ValueError:
        return None


def _owes(establishment: UUID, account: AccountRef, owing: Owing) -> None:
    changed = {"changed_at": owing.changed_at, "gaming_day": owing.gaming_day}
    if not keyed.change(
        OWES, owing.more, *changed.values(), establishment, account.kind.value, account.name
    ):
        Owed.objects.create(
            establishment_id=establishment,
            kind=account.kind.value,
            name=account.name,
            player=player_of(account) or "",
            game=game_of(account),
            amount=owing.more,
            **changed,
        )


OWES = """
    UPDATE cash_owed SET amount = amount + %s, changed_at = %s, gaming_day = %s
    WHERE establishment_id = %s AND kind = %s AND name = %s"""
