"""Whatever is played and whenever it is settled: the accounts equal the rules' own result."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from casino.house.establishments import gaming_day
from casino.play.core.projections import PROJECTIONS
from casino.play.core.subscriptions import tasks
from casino.play.settlement import seasons
from casino.play.settlement.models import PrizeRule, Scoreboard, Season
from ledger import journal, subscriptions
from tests.forms import how_often
from tests.support import books, builders
from tests.support.dayend import closed
from tests.support.playing import settled as drained
from tests.support.random_player import GAMES, RandomPlayer
from tests.support.regrading import differences

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

STEPS = 45
EXAMPLES = how_often(10)  # of each game


def new_house() -> House:
    house = builders.house(tables=2, dice_sets=0)
    builders.dice_for_every_game(house.establishment, sets=2)
    for game in ("stone-hand", "cinnabar-gate"):
        Scoreboard.objects.create(
            establishment=house.establishment, ruleset=game, season="day", place_tie="split"
        )
        for kind, at, amount in (("points", 2, 50), ("place", 1, 31), ("place", 2, 20)):
            PrizeRule.objects.create(
                establishment=house.establishment,
                ruleset=game, kind=kind, at=at, prize="A bottle", amount=amount,
            )  # fmt: skip
    return house


def settles_a_little(house: House, chance: Random) -> None:
    subscriber = chance.choice(tasks.SUBSCRIBERS)
    subscriptions.advance(subscriber, establishment=house.id, batch=chance.choice((1, 3, 50)))


@pytest.mark.rows(3)
@pytest.mark.parametrize("game", [*GAMES, "all of them"])
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a seed does not get simpler
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**32))
def test_accounts_equal_what_the_rules_decided(game: str, seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - dice of a test
    house = new_house()
    croupier = RandomPlayer(house, chance, GAMES if game not in GAMES else (game,))
    croupier.corrects = True

    for _ in range(STEPS):
        if chance.random() < 1 / 3:
            settles_a_little(house, chance)
            books.hold_at_every_moment(house)
        else:
            croupier.does_something()

    drained(house)
    books.hold_at_every_moment(house)
    books.are_the_rules_result(house, croupier.games)
    models = books.read_models(house)
    subscriptions.rebuild(PROJECTIONS, establishment=house.id)
    assert books.read_models(house) == models
    for day in gaming_day.day_state(house.id).open:
        closed(house, day, now=max(croupier.now, timezone.now()))  # rollovers come by the clock
    drained(house)
    books.hold_at_every_moment(house)
    books.are_the_rules_result(house, croupier.games)
    places_come_to_their_worth(house)
    assert differences(house) == []


def places_come_to_their_worth(house: House) -> None:
    """SB4: prizes of the places of a closed season sum to what its places are worth."""
    for season in Season.objects.filter(establishment=house.id, state="closed"):
        events = journal.stream(establishment=house.id, stream=seasons.stream(season.ruleset))
        mine = [event for event in events if event.data["season"] == season.number]
        [final] = [event for event in mine if event.event_type == seasons.CLOSED]
        issued = [event.data["amount"] for event in mine if "place" in event.data]
        worth = [each["amount"] for each in final.data["places"]]
        assert sum(issued) == sum(worth[: len(final.data["table"])])
