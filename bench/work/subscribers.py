"""Settlement and projections at work, as the Celery tasks run them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any
from uuid import UUID

from bench.work import pace
from casino.house.acts.game_streams.loading import MEMORY
from casino.play.core.projections import PROJECTIONS
from casino.play.core.subscriptions import tasks
from casino.play.settlement.models import Payout
from casino.play.settlement.settled import BOOKED
from casino.play.settlement.subscriber import SETTLEMENT
from ledger import subscriptions
from ledger.models import Event, ParkedEvent, Subscription, Transfer

if TYPE_CHECKING:
    from ledger.subscriptions import Subscriber

ROUNDS = 1000  # of 20 batches each; no house of a bench is longer
IDLE = 0.005  # seconds


def follow(*, house: str) -> dict[str, Any]:
    """Let each subscriber catch up, and return its rate."""
    establishment = UUID(house)
    before = _booked(establishment)
    MEMORY.forget()
    settled, settling = _caught_up(SETTLEMENT, establishment)
    after = _booked(establishment)
    projected, projecting = _caught_up(PROJECTIONS, establishment)
    assert not ParkedEvent.objects.filter(establishment=establishment).exists()
    assert Payout.objects.filter(establishment=establishment).exists()
    return {
        "payouts": after["payouts"] - before["payouts"],
        "payouts/s": (after["payouts"] - before["payouts"]) / settling,
        "transfers/s": (after["transfers"] - before["transfers"]) / settling,
        "settlement events/s": settled / settling,
        "projections events/s": projected / projecting,
    }


def keep_following(*, start: float, seconds: float, house: str) -> float:
    """Events handled per second, for a given time, as by a worker that is woken again and again."""
    establishment = UUID(house)
    pace.wait_until(start)
    before = _positions(establishment)
    while time.monotonic() < start + seconds:
        for subscriber in tasks.SUBSCRIBERS:
            if subscriptions.lag(subscriber.name, establishment=establishment):
                tasks.advance(subscriber, establishment)
        time.sleep(IDLE)
    # The last batch may end after the time is over, and counts as a whole.
    return (_positions(establishment) - before) / (time.monotonic() - start)


def _caught_up(subscriber: Subscriber, establishment: UUID) -> tuple[int, float]:
    """Let a subscriber catch up. Return the number of events, and the seconds."""
    behind = subscriptions.lag(subscriber.name, establishment=establishment)
    began = time.monotonic()
    for _ in range(ROUNDS):
        tasks.advance(subscriber, establishment)
        if not subscriptions.lag(subscriber.name, establishment=establishment):
            break
    return behind, time.monotonic() - began


def _booked(establishment: UUID) -> dict[str, int]:
    booked = Event.objects.filter(establishment=establishment, event_type=BOOKED)
    moved = Transfer.objects.filter(
        establishment=establishment, position__in=booked.values("position")
    )
    return {"payouts": booked.count(), "transfers": moved.count()}


def _positions(establishment: UUID) -> int:
    rows = Subscription.objects.filter(establishment=establishment)
    return sum(rows.values_list("position", flat=True))
