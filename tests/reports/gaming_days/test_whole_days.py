"""
Whole days of whole houses: games, counts, slips, voids, disputes and closes, at once and by chance.

At any moment every balance is the fold of its transfers, players' money is there and covered, and
nothing is below nought (A3, B1, B2, B4, C1, C3).
"""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from casino.house.establishments import gaming_day
from casino.play.core.subscriptions import tasks
from ledger import journal, money, subscriptions
from ledger.accounts import CASH, PLAYERS_MONEY
from tests.forms import how_often
from tests.support import builders
from tests.support.playing import nothing_parked, settled
from tests.support.random_player import RandomPlayer
from tests.support.staff import Staff

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

HOUSES = ("Europe/Rome", "America/St_Johns")
STEPS, EXAMPLES = 120, how_often(6, short=1)
PATIENCE = 2000  # steps until everything was done once


def new_house(zone: str) -> House:
    house = builders.house(tables=3, dice_sets=0, time_zone=zone, counts_floats=True)
    builders.dice_for_every_game(house.establishment, sets=3)
    return house


class Town:
    """Houses that share nothing but the clock on the square."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.staff: list[Staff] = []
        for zone in HOUSES:
            house = new_house(zone)
            self.staff.append(Staff(house, chance, RandomPlayer(house, chance)))

    def opens(self) -> None:
        for each in self.staff:
            each.opens_the_house()

    def goes_on(self) -> None:
        """Something happens somewhere; time passes."""
        there = self.chance.choice(self.staff)
        what = self.chance.random()
        if what < 1 / 2:
            there.croupier.does_something()
        elif what < 3 / 4:
            there.does_something()
        else:
            subscriber = self.chance.choice(tasks.SUBSCRIBERS)
            batch = self.chance.choice((1, 3, 50))
            subscriptions.advance(subscriber, establishment=there.house.id, batch=batch)
        there.croupier.now += timedelta(seconds=self.chance.choice((1, 20, 400)))


def all_is_well(house: House) -> None:
    """What must hold at any moment."""
    assert money.differences(establishment=house.id) == {}
    held = money.balances(establishment=house.id)
    assert all(coins >= 0 for account, coins in held.items() if account.kind in PLAYERS_MONEY)
    cash = sum(coins for account, coins in held.items() if account.kind in CASH)
    of_players = sum(coins for account, coins in held.items() if account.kind in PLAYERS_MONEY)
    assert cash >= of_players, "players' money is covered"
    assert all(coins >= 0 for account, coins in held.items() if account.kind in CASH)
    assert cash == sum(coins for account, coins in held.items() if account.kind not in CASH)


def slips_have_no_gap(house: House) -> None:
    numbers = [
        event.data["number"] for event in journal.stream(establishment=house.id, stream="slips")
    ]
    assert numbers == list(range(1, len(numbers) + 1))


def days_never_go_back(house: House) -> None:
    """What people do belongs to the day it is; effects to their cause's, until that is closed."""
    latest = closed = date.min
    for event in journal.read(establishment=house.id, limit=100_000):
        day = event.provenance.gaming_day
        assert day > closed, "a closed day is frozen"
        if event.provenance.causation_id is None:
            assert day >= latest
            latest = day
        if event.event_type == gaming_day.CLOSED:
            closed = date.fromisoformat(event.data["day"])


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a seed does not get simpler
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**32))
def test_days_of_a_town(seed: int) -> None:
    town = Town(Random(seed))  # noqa: S311 - dice of a test
    town.opens()
    for step in range(STEPS):
        town.goes_on()
        if step % 5 == 0:
            for each in town.staff:
                all_is_well(each.house)
    for each in town.staff:
        settled(each.house)
        assert nothing_parked(each.house)
        all_is_well(each.house)
        slips_have_no_gap(each.house)
        days_never_go_back(each.house)


@pytest.mark.long
def test_a_random_day_is_a_day() -> None:
    """That chance passes by nothing that matters: in the end all of it was done, and refused."""
    town = Town(Random(7))  # noqa: S311 - dice of a test
    town.opens()
    wanted = {act.__name__ for act in town.staff[0].acts}
    done: set[str] = set()
    for _ in range(PATIENCE):
        town.goes_on()
        done = {name for each in town.staff for name in each.done}
        if done == wanted:
            break
    assert done == wanted
    assert len({code for each in town.staff for _, code in each.refused}) > 5
