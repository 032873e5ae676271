"""
Whatever is played for points, voided, corrected and settled, over some days (SB1 to SB4): the board
is what stands of the rounds, places come to their worth, nobody wins a threshold twice, and a board
that is made again is the kept one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from casino.house.establishments import gaming_day
from casino.play.settlement import seasons
from casino.play.settlement.models import PRIZE_ISSUED, PrizeRule, Scoreboard, Season, Tally
from casino.play.settlement.subscriber import SETTLEMENT
from casino.proof.verification import rebuild
from ledger import journal
from ledger.models import Event
from tests.forms import how_often
from tests.support import books, builders
from tests.support.dayend import closed
from tests.support.playing import game_of
from tests.support.playing import settled as drained
from tests.support.random_player import NAMES, RandomPlayer
from tests.support.regrading import differences

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterator
    from datetime import date

    from tests.support.builders import House

pytestmark = pytest.mark.django_db(transaction=True)

GAMES = {"stone-hand": {"mode": "scoreboard"}, "cinnabar-gate": {"variant": "arcade"}}
WORTH = {1: 31, 2: 20, 3: 0}
STEPS = 60


class AtTheBoard(RandomPlayer):
    """Somebody whose games all give points."""

    corrects = True

    def opening(self, kind: str) -> dict[str, Any]:
        players = self.chance.sample(NAMES, self.chance.randint(2, 4))
        return {"do": "open", "game": kind, "players": players, "options": GAMES[kind]}


def new_house(tie: str) -> House:
    house = builders.house(tables=2, dice_sets=2)
    marks = [("place", at, amount) for at, amount in WORTH.items()]
    for game in GAMES:
        of_board: dict[str, Any] = {"establishment": house.establishment, "ruleset": game}
        Scoreboard.objects.create(**of_board, season="day", place_tie=tie)
        for kind, at, amount in (*marks, ("points", 2, 5), ("points", 6, 0)):
            PrizeRule.objects.create(**of_board, kind=kind, at=at, prize="Wine", amount=amount)
    return house


def scored(house: House, game: uuid.UUID) -> Iterator[tuple[date, set[str], dict[str, Fraction]]]:
    """The rounds of a game that stand: their day, who threw in them, and what they scored."""
    loaded, threw = game_of(house, game), set[str]()
    for number, fact in loaded.live:
        if fact.is_throw and (player := getattr(fact, "player", None)):
            threw.add(player)
        if fact.points:
            day = loaded.events[number - 1].provenance.gaming_day
            yield day, threw, dict(fact.points)
        if fact.ends_round:
            threw = set()


def expected(house: House, games: list[uuid.UUID]) -> dict[tuple[str, date, str], list[Any]]:
    """Points and rounds of each player, by board and day."""
    board: dict[tuple[str, date, str], list[Any]] = defaultdict(lambda: [Fraction(), 0])
    for game in games:
        for day, threw, points in scored(house, game):
            for player in threw | points.keys():
                line = board[game_of(house, game).ruleset.id, day, player]
                line[0], line[1] = line[0] + points.get(player, 0), line[1] + 1
    return board


def kept(house: House) -> dict[tuple[str, date, str], list[Any]]:
    days = {
        (each.ruleset, each.number): each.last_day
        for each in Season.objects.filter(establishment=house.id)
        if each.last_day
    }
    return {
        (each.ruleset, days[each.ruleset, each.season], each.player): [each.exact, each.rounds]
        for each in Tally.objects.filter(establishment=house.id)
        if each.rounds or each.exact
    }


def check_prizes(house: House) -> None:
    issued = Event.objects.filter(establishment=house.id, event_type=PRIZE_ISSUED)
    positions = list(issued.values_list("position", flat=True))
    events = [each for each in journal.read(establishment=house.id, limit=100_000)
              if each.position in positions]  # fmt: skip
    thresholds = [each.data for each in events if "place" not in each.data]
    once = Counter((each["rule"], each["season"], each["player"]) for each in thresholds)
    assert set(once.values()) <= {1}
    for season in Season.objects.filter(establishment=house.id, state="closed"):
        stream = journal.stream(establishment=house.id, stream=seasons.stream(season.ruleset))
        mine = [each for each in stream if each.data["season"] == season.number]
        [final] = [each for each in mine if each.event_type == seasons.CLOSED]
        won = [each.data for each in mine if "place" in each.data]
        if final.data["tie"] == "split":
            there = len(final.data["table"])
            assert sum(each["amount"] for each in won) == sum(list(WORTH.values())[:there])
        else:
            assert all(each["amount"] <= WORTH[each["place"]] for each in won)


@settings(
    max_examples=how_often(16, short=2),
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a seed does not get simpler
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**32), tie=st.sampled_from(["split", "all"]))
def test_a_board_is_what_stands_of_its_rounds(seed: int, tie: str) -> None:
    chance = Random(seed)  # noqa: S311 - dice of a test
    house = new_house(tie)
    croupier = AtTheBoard(house, chance, tuple(GAMES))

    for _ in range(STEPS):
        if chance.random() < 1 / 20 and (days := gaming_day.day_state(house.id).open):
            closed(house, days[0], now=croupier.now)
            croupier.now += gaming_day.A_DAY
        elif chance.random() < 1 / 5:
            drained(house)
        else:
            croupier.does_something()

    drained(house)
    books.hold_at_every_moment(house)
    assert kept(house) == expected(house, croupier.games)
    check_prizes(house)
    assert differences(house) == []
    assert list(rebuild.compare(house.id, SETTLEMENT)) == []
