"""How far settlement has come with a game, and what it has booked."""

from __future__ import annotations

import json
from bisect import bisect_right
from typing import TYPE_CHECKING

from django.db.models import Min

from casino.play.accounts import stake, stakes_prefix
from ledger.models import Account, Event, ParkedEvent, Subscription

if TYPE_CHECKING:
    from casino.play.loading import Loaded

SETTLEMENT = "settlement"
BOOKED = "settlement.booked"
REVERSED = "settlement.reversed"
PRIZE_ISSUED = "settlement.prize_issued"


def settled_through(loaded: Loaded) -> int:
    """The number of the game's last event that settlement has dealt with; 0 before the first."""
    house = loaded.key.establishment
    at = Subscription.objects.filter(establishment=house, name=SETTLEMENT)
    position = at.values_list("position", flat=True).first()
    if position is None:
        return 0
    parked = ParkedEvent.objects.filter(
        establishment=house, subscription=SETTLEMENT, stream=loaded.key.stream
    ).aggregate(first=Min("position"))["first"]
    reached = position if parked is None else min(position, parked - 1)
    return bisect_right([event.position for event in loaded.events], reached)


def booked_stakes(loaded: Loaded) -> dict[str, int]:
    """What the accounts hold of each player's stake, in coins."""
    prefix = stakes_prefix(loaded.key.game)
    rows = Account.objects.filter(
        establishment=loaded.key.establishment, kind="stake", name__startswith=prefix
    )
    return {
        name.removeprefix(prefix): credited - debited
        for name, debited, credited in rows.values_list("name", "debits", "credits")
    }


def booked_stake(loaded: Loaded, player: str) -> int:
    """What may leave as cash: nothing while an event of the game waits for settlement."""
    if settled_through(loaded) < loaded.version:
        return 0
    account = Account.objects.filter(
        establishment=loaded.key.establishment,
        kind="stake",
        name=stake(loaded.key.game, player).name,
    ).first()
    return account.credits - account.debits if account else 0


def irreversible_through(loaded: Loaded) -> int:
    """The last event of the game that brought a prize: a void may not go back across it (G4)."""
    key = loaded.key
    prizes = Event.objects.filter(
        establishment=key.establishment, stream=key.settlement, event_type=PRIZE_ISSUED
    )
    last = prizes.order_by("-stream_version").values_list("body", flat=True).first()
    return 0 if last is None else int(json.loads(bytes(last))["data"]["cause"])
