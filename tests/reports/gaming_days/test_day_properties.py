"""
Whatever is played, and whenever days are closed: a closed day is the sum of its own events (B4).

The sums are made here once more, plainly, from the journal; houses lie in several time zones.
"""

from __future__ import annotations

from collections import Counter
from datetime import date, time, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from casino.house.acts.game_streams.loading import GameKey, load
from casino.house.establishments import gaming_day
from casino.play.core.models import DayFigures
from casino.play.core.projections import PROJECTIONS
from casino.play.core.subscriptions import tasks
from casino.reports.gaming_days import closing
from games.refusals import Refused
from ledger import journal, money, subscriptions
from ledger.accounts import AccountRef
from tests.forms import how_often
from tests.support import books, builders
from tests.support import playing as play
from tests.support.dayend import act
from tests.support.playing import NOW
from tests.support.random_player import RandomPlayer

if TYPE_CHECKING:
    from uuid import UUID

    from casino.play.core.core import Answer
    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

STEPS, EXAMPLES, LATE = 70, how_often(8, short=1), 0.1
ZONES = (("UTC", time(6)), ("America/New_York", time(2)), ("Pacific/Kiritimati", time(0)),
         ("Asia/Kolkata", time(4, 30)))  # fmt: skip


class Night:
    """A house that plays through several days, its clock going on by leaps, sometimes back."""

    def __init__(self, chance: Random, zone: str, cutoff: time) -> None:
        self.chance, self.now = chance, NOW
        self.house = builders.house(
            tables=2, dice_sets=0, time_zone=zone, day_cutoff=cutoff, closing_grace=30
        )
        builders.dice_for_every_game(self.house.establishment, sets=2)
        self.croupier = Late(self.house, chance)
        self.frozen: dict[date, dict[str, Any]] = {}

    def goes_on(self) -> None:
        self.now += timedelta(minutes=self.chance.choice((-30, 0, 1, 7, 50, 200)))
        self.croupier.now = self.now
        with time_machine.travel(self.now, tick=False):
            self.does_something(self.chance.random())

    def does_something(self, step: float) -> None:
        if step < 0.65:
            self.croupier.does_something()
        elif step < 0.8:
            subscriber = self.chance.choice(tasks.SUBSCRIBERS)
            size = self.chance.choice((1, 3, 50))
            subscriptions.advance(subscriber, establishment=self.house.id, batch=size)
        elif step < 0.87:
            self.closes_by_hand()
        elif step < 0.93:
            self.closes_by_itself()
        else:
            self.freezes()

    def closes_by_hand(self) -> None:
        known = gaming_day.day_state(self.house.id)
        if not known.open:
            return
        try:
            closing.close(act(self.house, now=self.now), known.open[0])
        except Refused:
            return

    def closes_by_itself(self) -> None:
        if (day := closing.due(self.house.establishment, self.now)) is not None:
            closing.close_by_itself(self.house.establishment, day, self.now)

    def freezes(self) -> None:
        event = closing.finish(self.house.establishment, self.now)
        if event is not None:
            self.frozen[date.fromisoformat(event.data["day"])] = dict(event.data)

    def ends(self) -> None:
        """All days that are over are closed."""
        self.now += timedelta(days=3)
        over = True
        while over:
            with time_machine.travel(self.now, tick=False):
                play.settled(self.house)
            self.freezes()
            over = closing.due(self.house.establishment, self.now) is not None
            self.closes_by_itself()


class Late(RandomPlayer):
    """A player at random whose tablet now and then tells a thing late."""

    def puts(self, game: UUID, fields: dict[str, Any]) -> Answer:
        if self.chance.random() < LATE:
            at = self.now - timedelta(hours=self.chance.choice((0, 3, 30)))
            fields = {**fields, "occurred_at": at.isoformat()}
        return super().puts(game, fields)


def journal_of(house: House) -> list[StoredEvent]:
    return journal.read(establishment=house.id, limit=100_000)


def summed(house: House, events: list[StoredEvent]) -> Counter[str]:
    """The day's money and throws once more, from its events alone, account by account."""
    sums: Counter[str] = Counter()
    for event in events:
        if event.stream.startswith("game/"):
            game = GameKey(house.id, event.provenance.correlation_id)
            fact = load(game).facts[event.stream_version - 1]
            sums["throws"] += fact.is_throw
        for transfer in event.transfers:
            sign = -1 if transfer["reverses"] else 1
            ends = [AccountRef.parse(transfer[end]).kind for end in ("debit", "credit")]
            debit, credit = ends if sign == 1 else reversed(ends)
            sums[f"{debit}>{credit}"] += sign * transfer["amount"]
    return sums


def holdings(events: list[StoredEvent]) -> dict[str, int]:
    """What each kind of account holds after these events."""
    held: Counter[str] = Counter()
    for event in events:
        for transfer in event.transfers:
            for end, sign in (("debit", -1), ("credit", 1)):
                kind = AccountRef.parse(transfer[end]).kind
                held[kind] += sign * transfer["amount"] * (-1 if kind in money.CASH else 1)
    return {str(kind): coins for kind, coins in held.items() if coins}


def agrees(house: House, summary: dict[str, Any], whole: list[StoredEvent]) -> None:
    day = date.fromisoformat(summary["day"])
    mine = [event for event in whole if event.provenance.gaming_day == day]
    up_to = [event for event in whole if event.provenance.gaming_day <= day]
    sums = summed(house, mine)
    assert summary["events"] == len(mine)
    assert summary["totals"]["throws"] == sums.pop("throws", 0)
    assert {k: v for k, v in summary["moved"].items() if v} == {k: v for k, v in sums.items() if v}
    assert summary["carried"]["kinds"] == holdings(up_to)
    assert summary["totals"]["fees_decided"] == summary["totals"]["fees"]  # nothing was parked
    figures = DayFigures.objects.filter(establishment=house.id, gaming_day=day).first()
    if figures:
        assert figures.rounds == summary["totals"]["rounds"]
        assert figures.throws == summary["totals"]["throws"]
        assert figures.voids == summary["totals"]["voids"]
        assert figures.staked == summary["totals"]["staked"]
        assert figures.paid == summary["totals"]["paid"]
        assert figures.fees == summary["totals"]["fees"]
        assert (
            figures.bought_in == summary["totals"]["bought_in"] + summary["totals"]["house_staked"]
        )


def nothing_is_back_dated(whole: list[StoredEvent]) -> None:
    """Commands' days never go back; behind a day's closing comes nothing new of it."""
    latest = date.min
    closing_day = closed_day = date.min
    for event in whole:
        day = event.provenance.gaming_day
        if event.provenance.actor != "settlement":
            assert day >= latest
            assert day > closing_day or event.event_type == gaming_day.CLOSING
            latest = day
        assert day > closed_day
        if event.event_type == gaming_day.CLOSING:
            closing_day = date.fromisoformat(event.data["day"])
        if event.event_type == gaming_day.CLOSED:
            closed_day = date.fromisoformat(event.data["day"])


@pytest.mark.long("postgresql")
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a seed does not get simpler
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**32))
def test_a_closed_day_is_the_sum_of_its_events(seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - dice of a test
    nights = [Night(chance, *chance.choice(ZONES)) for _ in range(2)]

    for _ in range(STEPS):
        chance.choice(nights).goes_on()

    for night in nights:
        night.ends()
        subscriptions.rebuild(PROJECTIONS, establishment=night.house.id)
        whole = journal_of(night.house)
        nothing_is_back_dated(whole)
        summaries = [dict(event.data) for event in whole if event.event_type == gaming_day.CLOSED]
        assert summaries or not whole
        for summary in summaries:
            agrees(night.house, summary, whole)
            assert night.frozen[date.fromisoformat(summary["day"])] == summary
        books.hold_at_every_moment(night.house)
