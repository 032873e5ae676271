"""Whatever is played and whenever it is settled: the accounts equal the rules' own result."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from casino.play import settled, tasks
from casino.play.models import DayFigures, GameCard, Payout, PrizeIssued, PrizeRule, Tally
from casino.play.projections import PROJECTIONS
from ledger import money, subscriptions
from ledger.accounts import CASH, PLAYERS_MONEY, AccountRef, Kind
from tests.casino import builders
from tests.casino.croupier import Croupier
from tests.casino.playing import (
    balances,
    booked_events,
    game_of,
    nothing_parked,
    pot_of,
    state,
)
from tests.casino.playing import settled as drained

if TYPE_CHECKING:
    from tests.casino.builders import House

pytestmark = pytest.mark.django_db

STEPS = 45
EXAMPLES = 25


def new_house() -> House:
    house = builders.house(tables=2, dice_sets=3)
    for kind, at, amount in (("points", 2, 50), ("place", 1, 0)):
        PrizeRule.objects.create(
            establishment=house.establishment, kind=kind, at=at, prize="A bottle", amount=amount
        )
    return house


def settles_a_little(house: House, chance: Random) -> None:
    follower = chance.choice(tasks.FOLLOWERS)
    subscriptions.advance(follower, establishment=house.id, batch=chance.choice((1, 3, 50)))


def holds_at_every_moment(house: House) -> None:
    assert money.differences(establishment=house.id) == {}
    held = balances(house)
    of_players = sum(coins for account, coins in held.items() if account.kind in PLAYERS_MONEY)
    cash = sum(coins for account, coins in held.items() if account.kind in CASH)
    fees = held.get(AccountRef(Kind.FEES, "house"), 0)
    bank = held.get(AccountRef(Kind.BANK, "house"), 0)
    assert all(coins > 0 for account, coins in held.items() if account.kind in PLAYERS_MONEY)
    assert fees >= 0
    assert cash - bank == of_players + fees  # what the house put in, too, covers the players
    assert nothing_parked(house)


def is_booked_as_played(house: House, croupier: Croupier) -> None:
    held = balances(house)
    for game in croupier.games:
        loaded, shown = game_of(house, game), state(house, game)
        assert settled.settled_through(loaded) == loaded.version
        assert shown["booked"] == shown["stakes"]
        assert held.get(pot_of(game), 0) == shown["pot"]
        causes = [event.data["cause"] for event in booked_events(house, game)]
        issued = [
            event.data["cause"]
            for event in booked_events(house, game)
            if event.event_type == settled.PRIZE_ISSUED
        ]
        assert len(set(causes)) == len(causes) - len(issued)  # each cause is booked once


def points_are_the_rules(house: House, croupier: Croupier) -> None:
    scored: Counter[str] = Counter()
    for game in croupier.games:
        for _, fact in game_of(house, game).live:
            scored.update({player: int(points) for player, points in fact.points})
    tallies = Tally.objects.filter(establishment=house.establishment)
    kept = {each.player: each.points for each in tallies}
    assert {player: points for player, points in kept.items() if points} == +scored


def prizes_are_owed_once(house: House) -> None:
    rules = {rule.pk: rule for rule in PrizeRule.objects.filter(establishment=house.establishment)}
    owed: Counter[str] = Counter()
    for issued in PrizeIssued.objects.filter(establishment=house.establishment):
        owed[issued.player] += rules[issued.rule].amount
    held = money.balances(establishment=house.id, kinds=[Kind.PRIZES_OWED])
    assert {account.name: coins for account, coins in held.items()} == +owed


def read_models(house: House) -> list[list[tuple[object, ...]]]:
    return [
        sorted(model._default_manager.filter(establishment=house.establishment).values_list())
        for model in (GameCard, DayFigures, Payout)
    ]


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a seed does not get simpler
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**32))
def test_accounts_equal_what_the_rules_decided(seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - dice of a test
    house = new_house()
    croupier = Croupier(house, chance)
    played = []

    for _ in range(STEPS):
        if chance.random() < 1 / 3:
            settles_a_little(house, chance)
            holds_at_every_moment(house)
        else:
            played.append(croupier.does_something())

    drained(house)
    holds_at_every_moment(house)
    is_booked_as_played(house, croupier)
    points_are_the_rules(house, croupier)
    prizes_are_owed_once(house)
    shown = read_models(house)
    subscriptions.rebuild(PROJECTIONS, establishment=house.id)
    assert read_models(house) == shown
