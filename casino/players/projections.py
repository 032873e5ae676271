"""
The projection of players' cash and prizes from the house's events.

It also carries out the erasure of a name when it reads the event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import F

from casino.cash.owed import game_of, player_of
from casino.players import erasure
from casino.players.models import CashDay, CashMove, PrizeToHandOut
from casino.pseudonyms.models import Player, Text
from ledger.accounts import CASH, AccountRef

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.wire import StoredEvent

ROWS = (CashMove, CashDay, PrizeToHandOut)
ERASED = (Player, Text)
"""
Models from which an erasure removes a name. A rebuild does not delete their rows, because no event
could bring them back.
"""

PRIZE_ISSUED, PRIZE_HANDED_OUT = "settlement.prize_issued", "prize.handed_out"


def handle(event: StoredEvent) -> None:
    """Update the rows about players from an event of the house or of a game."""
    match event.event_type:
        case erasure.ERASED:
            erasure.forget(event.establishment, event.data["player"])
        case "settlement.prize_issued":
            _prize_issued(event)
        case "prize.handed_out":
            _prize_handed_out(event)
    for seq, transfer in enumerate(event.transfers):
        _moved(event, seq, transfer)


def _prize_issued(event: StoredEvent) -> None:
    kind, _, name = event.stream.partition("/")
    PrizeToHandOut.objects.create(
        establishment_id=event.establishment,
        position=event.position,
        player=event.data["player"],
        prize=event.data["prize"],
        amount=event.data["amount"],
        game=UUID(name) if kind == "settlement" else None,
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


def _moved(event: StoredEvent, seq: int, transfer: Mapping[str, Any]) -> None:
    debit, credit = AccountRef.parse(transfer["debit"]), AccountRef.parse(transfer["credit"])
    amount = transfer["amount"]
    taken_back = transfer["reverses"] is not None
    for account, cash, brought in ((credit, debit, True), (debit, credit, False)):
        player = player_of(account)
        if player is not None and cash.kind in CASH:
            into = brought is not taken_back  # a reversed buy-in reduces the cash in
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
    provenance = event.provenance
    sums = {"cash_in" if into else "cash_out": signed}
    CashMove.objects.create(
        establishment_id=event.establishment,
        position=event.position,
        seq=seq,
        player=player,
        gaming_day=provenance.gaming_day,
        at=provenance.recorded_at,
        reason=reason,
        where=str(cash),
        game=game_of(account),
        by=provenance.actor,
        **sums,
    )
    day = {
        "establishment_id": event.establishment,
        "gaming_day": provenance.gaming_day,
        "player": player,
    }
    more = {name: F(name) + value for name, value in sums.items()}
    if not CashDay.objects.filter(**day).update(**more, moves=F("moves") + 1):
        CashDay.objects.create(**day, **sums, moves=1)
