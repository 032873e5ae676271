"""
What the house's events say of players, as lists read it: cash, what is owed.

And the one effect that an event has on what may be forgotten: an erased name goes, here.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.db.models import F

from casino.players import erasure
from casino.players.models import CashDay, CashMove, Owed, PrizeToHandOut
from casino.pseudonyms.models import Player, Text
from ledger import keyed
from ledger.accounts import CASH, PLAYERS_MONEY, AccountRef, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import date, datetime

    from ledger.wire import StoredEvent

ROWS = (CashMove, CashDay, Owed, PrizeToHandOut)
ERASED = (Player, Text)
"""What an erasure takes a name out of. It stays: no event could bring it back."""

PRIZE_ISSUED, PRIZE_HANDED_OUT = "settlement.prize_issued", "prize.handed_out"
OF_PLAYERS = frozenset({Kind.STAKE, Kind.PRIZES_OWED, Kind.RECEIVABLE})
OF_A_GAME = frozenset({Kind.STAKE, Kind.POT, Kind.HELD})
_PLAYER = re.compile(r"(?:^|/)(p-[a-z2-9]{12})$")


def handle(event: StoredEvent) -> None:
    """A batch of one."""
    with batch(event.establishment) as taken:
        taken(event)


@contextmanager
def batch(establishment: UUID) -> Iterator[Callable[[StoredEvent], None]]:
    """What takes the events of a batch in; behind it is written what players are owed."""
    owed: dict[AccountRef, Owing] = {}
    yield partial(_taken, owed=owed)
    for account, owing in owed.items():
        _owes(establishment, account, owing)
    if owed:
        names = [account.name for account in owed]
        Owed.objects.filter(establishment=establishment, name__in=names, amount=0).delete()


class Owing(NamedTuple):
    """By how much it changed what lies in an account, and when last."""

    more: int
    changed_at: datetime
    gaming_day: date


def _taken(event: StoredEvent, owed: dict[AccountRef, Owing]) -> None:
    """Take an event of the house, or of a game, into the rows about players."""
    match event.event_type:
        case erasure.ERASED:
            erasure.forget(event.establishment, event.data["player"])
        case "settlement.prize_issued":
            _prize_issued(event)
        case "prize.handed_out":
            _prize_handed_out(event)
    for seq, transfer in enumerate(event.transfers):
        _moved(event, seq, transfer, owed)


def player_of(account: AccountRef) -> str | None:
    """The token of the player whose account it is; of the house's own accounts none."""
    found = _PLAYER.search(account.name) if account.kind in OF_PLAYERS else None
    return found.group(1) if found else None


def game_of(account: AccountRef) -> UUID | None:
    """The game in which a stake, a pot or held money lies."""
    if account.kind not in OF_A_GAME:
        return None
    try:
        return UUID(account.name.partition("/")[0])
    except ValueError:
        return None


def _prize_issued(event: StoredEvent) -> None:
    PrizeToHandOut.objects.create(
        establishment_id=event.establishment,
        position=event.position,
        player=event.data["player"],
        prize=event.data["prize"],
        amount=event.data["amount"],
        game=UUID(event.stream.partition("/")[2]),
        issued_at=event.provenance.recorded_at,
        gaming_day=event.provenance.gaming_day,
    )


def _prize_handed_out(event: StoredEvent) -> None:
    PrizeToHandOut.objects.filter(
        establishment=event.establishment, position=event.data["issued"]
    ).update(
        handed_at=event.provenance.recorded_at,
        handed_by=event.provenance.actor,
        handed_position=event.position,
    )


def _moved(
    event: StoredEvent, seq: int, transfer: Mapping[str, Any], owed: dict[AccountRef, Owing]
) -> None:
    debit, credit = AccountRef.parse(transfer["debit"]), AccountRef.parse(transfer["credit"])
    amount = transfer["amount"]
    told = event.provenance
    for account, more in ((debit, -amount), (credit, amount)):
        if account.kind in PLAYERS_MONEY:
            before = owed[account].more if account in owed else 0
            owed[account] = Owing(before + more, told.recorded_at, told.gaming_day)
    taken_back = transfer["reverses"] is not None
    for account, cash, brought in ((credit, debit, True), (debit, credit, False)):
        player = player_of(account)
        if player is not None and cash.kind in CASH:
            into = brought is not taken_back  # handed back, a buy-in counts against itself
            signed = -amount if taken_back else amount
            _cash(event, seq, player, account, cash, transfer["reason"], into, signed)


def _cash(  # noqa: PLR0913, PLR0917 - the columns of one line of the log
    event: StoredEvent,
    seq: int,
    player: str,
    account: AccountRef,
    cash: AccountRef,
    reason: str,
    into: bool,  # noqa: FBT001 - which of two columns
    signed: int,
) -> None:
    told = event.provenance
    sums = {"cash_in" if into else "cash_out": signed}
    CashMove.objects.create(
        establishment_id=event.establishment,
        position=event.position,
        seq=seq,
        player=player,
        gaming_day=told.gaming_day,
        at=told.recorded_at,
        reason=reason,
        where=str(cash),
        game=game_of(account),
        by=told.actor,
        **sums,
    )
    day = {
        "establishment_id": event.establishment,
        "gaming_day": told.gaming_day,
        "player": player,
    }
    more = {name: F(name) + value for name, value in sums.items()}
    if not CashDay.objects.filter(**day).update(**more, moves=F("moves") + 1):
        CashDay.objects.create(**day, **sums, moves=1)


def _owes(establishment: UUID, account: AccountRef, owing: Owing) -> None:
    changed = {"changed_at": owing.changed_at, "gaming_day": owing.gaming_day}
    if not keyed.changed(
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
    UPDATE players_owed SET amount = amount + %s, changed_at = %s, gaming_day = %s
    WHERE establishment_id = %s AND kind = %s AND name = %s"""
