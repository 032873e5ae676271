"""
The projection of players' cash, prizes and waits from the house's events.

It also carries out the erasure of a name when it reads the event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import F

from casino.floor.players import player_names, waiting
from casino.floor.players.models import CashDay, CashMove, PrizeToHandOut, Wait
from casino.house.attendants.pseudonyms.models import Player, Text
from casino.money.cash.prizes import game_of, player_of
from ledger import journal
from ledger.accounts import CASH, AccountRef

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.wire import StoredEvent

ROWS = (CashMove, CashDay, PrizeToHandOut, Wait)
ERASED = (Player, Text)
"""
Models from which an erasure removes a name. A rebuild does not delete their rows, because no event
could bring them back.
"""

PRIZE_ISSUED, PRIZE_HANDED_OUT = "settlement.prize_issued", "prize.handed_out"


def handle(event: StoredEvent) -> None:
    """Update the rows about players from an event of the house or of a game."""
    match event.event_type:
        case player_names.ERASED:
            player_names.forget(event.establishment, event.data["player"])
            _end(event, {"player": event.data["player"]}, Wait.End.OFF)
        case "settlement.prize_issued":
            _prize_issued(event)
        case "prize.handed_out":
            _prize_handed_out(event)
        case waiting.ENTERED | waiting.CALLED | waiting.SKIPPED | waiting.TAKEN_OFF:
            _waits(event)
        case "game.player_joined":
            _end_waits(event, [event.data["player"]])
        case _ if event.stream_version == 1 and event.stream.startswith("game/"):
            _end_waits(event, [seat["name"] for seat in event.data.get("players", ())])
    for seq, transfer in enumerate(event.transfers):
        _note_transfer(event, seq, transfer)


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


def _note_transfer(event: StoredEvent, seq: int, transfer: Mapping[str, Any]) -> None:
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


def _waits(event: StoredEvent) -> None:
    """Write what an act did to the waiting list. Who is not on it any more by time, is gone."""
    entry, at = waiting.entry_of(event), event.provenance.recorded_at
    mine = {"entry": entry.entry}
    rows = Wait.objects.filter(establishment=event.establishment, ended_at__isnull=True)
    listed = [each["entry"] for each in event.data["waiting"]]
    gone = rows.exclude(entry__in=[*listed, entry.entry]).filter(gone_at__lte=at)
    gone.update(ended_at=F("gone_at"), end=Wait.End.GONE)
    match event.event_type:
        case waiting.ENTERED:
            Wait.objects.create(
                establishment_id=event.establishment,
                entry=entry.entry,
                player=entry.player,
                game=entry.game,
                since=at,
                gaming_day=event.provenance.gaming_day,
                ahead=entry.ahead,
                gone_at=entry.gone_at,
            )
        case waiting.TAKEN_OFF:
            _end(event, mine, Wait.End.OFF)
        case _:
            called = int(event.event_type == waiting.CALLED)
            rows.filter(**mine).update(calls=F("calls") + called, gone_at=entry.gone_at)


def _end_waits(event: StoredEvent, players: list[str]) -> None:
    """End the waits of players who sit down, for the game at which they do."""
    waits = Wait.objects.filter(
        establishment=event.establishment, player__in=players, ended_at__isnull=True
    )
    if not waits.exists():
        return
    [opening] = journal.firsts(establishment=event.establishment, streams=[event.stream])
    game = opening.event_type.partition(".")[0].replace("_", "-")
    _end(event, {"player__in": players, "game": game}, Wait.End.SEATED)


def _end(event: StoredEvent, of: Mapping[str, Any], end: Wait.End) -> None:
    waits = Wait.objects.filter(establishment=event.establishment, ended_at__isnull=True, **of)
    waits.update(ended_at=event.provenance.recorded_at, end=end)
