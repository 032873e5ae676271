"""How far settlement has come with a game, and what it has booked."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from django.db.models import Min

from casino.play import rollovers
from casino.play.accounts import stake
from casino.play.models import PrizeIssued
from ledger.models import Account, ParkedEvent, Subscription

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
    names = {stake(loaded.key.game, player).name: player for player in loaded.view["stakes"]}
    rows = Account.objects.filter(
        establishment=loaded.key.establishment, kind="stake", name__in=names
    )
    return {
        names[name]: credited - debited
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
    """
    The last event that no void goes back across (G4): one on whose points a prize rests, or one
    that left in the rollover what another game has drawn.
    """
    return max(_prized_through(loaded), rollovers.barrier(loaded))


def _prized_through(loaded: Loaded) -> int:
    """A prize may have been reached in another game: what counts is the player's points so far."""
    prizes = PrizeIssued.objects.filter(
        establishment=loaded.key.establishment, player__in=loaded.view["stakes"]
    )
    issued = dict(prizes.order_by("position").values_list("player", "position"))
    resting = (
        number
        for number, fact in loaded.live
        for player, _points in fact.points
        if loaded.events[number - 1].position <= issued.get(player, -1)
    )
    return max(resting, default=0)
