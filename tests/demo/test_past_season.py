"""
The five weeks of the demo's past are a season (SB2): it closes by itself with its last day, and its
final table and prizes are what these tests make of the recorded dice, by rules of their own.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, groupby
from typing import TYPE_CHECKING, Any

import pytest
import time_machine

from casino.demo import past
from casino.kit.documents.report import Query
from casino.play.settlement import seasons
from casino.play.settlement.models import Season
from casino.play.settlement.subscriber import SETTLEMENT
from casino.proof.verification import rebuild
from casino.reports.registers import scoreboard as register
from ledger import journal
from tests.demo.test_past import NOW, events
from tests.support.builders import House
from tests.support.regrading import differences

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

GAME = "dice-breaker"
WORTH = {(2,): 1, (2, 2): 2, (3,): 3, (3, 2): 5, (4,): 6}
"""What a hand scores by how often its faces lie there, where they do more than once (DB4)."""
STRAIGHTS = ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6])


def points_of(dice: Sequence[int]) -> int:
    """What the best five score: whoever has caught dice has more (DB8)."""
    return max(map(worth_of, combinations(dice, min(5, len(dice)))))


def worth_of(dice: Sequence[int]) -> int:
    alike = sorted((many for many in Counter(dice).values() if many > 1), reverse=True)
    return 4 if sorted(dice) in STRAIGHTS else WORTH.get(tuple(alike), 0)


@cache
def rounds() -> list[dict[str, int]]:
    """What each player's hand scores, of each round that was played and stands."""
    games: dict[str, list[dict[str, Any]]] = {}
    for event in events():
        standing = games.setdefault(event["stream"], [])
        if event["event_type"] == "game.voided":
            back = event["data"]["back_to"]
            standing[:] = [each for each in standing if each["stream_version"] < back]
        elif event["event_type"] == "dice_breaker.round_scored":
            standing.append(event)
    scored = [each["data"]["hands"] for standing in games.values() for each in standing]
    return [{each["player"]: points_of(each["dice"]) for each in hands} for hands in scored]


@cache
def board() -> tuple[dict[str, Fraction], Counter[str]]:
    """Points of each player, the best hand's shared by equals, and how many rounds they played."""
    points: dict[str, Fraction] = {}
    played: Counter[str] = Counter()
    for hands in rounds():
        best = max(hands.values())
        winners = [player for player, worth in hands.items() if worth == best > 0]
        for player in winners:
            points[player] = points.get(player, Fraction()) + Fraction(best, len(winners))
        played.update(list(hands) if winners else ())
    return points, played


def of_season(kind: str) -> list[dict[str, Any]]:
    found = [each for each in events() if each["event_type"] == kind]
    return [each for each in found if each["data"]["season"] == 1]


def owed(issued: Iterable[dict[str, Any]]) -> Counter[str]:
    """The coins that transfers of these events owe to each player."""
    coins: Counter[str] = Counter()
    for event in issued:
        for each in event["transfers"]:
            assert (each["debit"], each["reason"]) == ("bank:house", "prize")
            coins[each["credit"].removeprefix("prizes_owed:")] += each["amount"]
    return coins


def test_it_closes_once_by_itself_when_its_last_day_is_closed() -> None:
    [opened], [closed] = of_season("season.opened"), of_season("season.closed")
    [*_, last] = [each for each in events() if each["event_type"] == "day.closed"]

    assert opened["data"]["last_day"] == closed["data"]["last_day"] == last["data"]["day"]
    assert closed["causation_id"] == last["event_id"]
    assert not of_season("season.ended")


def test_its_final_table_is_what_the_recorded_dice_come_to() -> None:
    points, played = board()
    [closed] = of_season("season.closed")
    table = closed["data"]["table"]

    assert len(table) > 5
    found = {each["player"]: (Fraction(each["points"]), each["rounds"]) for each in table}
    assert found == {player: (won, played[player]) for player, won in points.items()}
    assert [each["place"] for each in table] == [
        1 + sum(won > points[each["player"]] for won in points.values()) for each in table
    ]


def test_its_places_are_paid_to_the_coin() -> None:
    points, _played = board()
    money, goods = {1: 60, 2: 30}, {3: "A lamp from the bridge"}
    coins: Counter[str] = Counter()
    things: list[tuple[str, str]] = []
    place = 1
    best_first = sorted(points, key=lambda player: -points[player])
    for _won, equals in groupby(best_first, key=points.__getitem__):
        players = list(equals)
        taken = range(place, place + len(players))
        pool = sum(money.get(each, 0) for each in taken)
        assert pool % len(players) == 0  # no odd coin in these weeks
        coins.update(dict.fromkeys(players, pool // len(players)))
        things += [(each, goods[at]) for at in taken if at in goods for each in players]
        place += len(players)

    places = [each for each in of_season("settlement.prize_issued") if "place" in each["data"]]
    assert sum(coins.values()) == sum(money.values())
    assert owed(places) == +coins
    handed = [(each["data"]["player"], each["data"]["prize"]) for each in places]
    assert sorted(each for each in handed if each[1] in goods.values()) == sorted(things)


def test_its_thresholds_are_won_once_by_everybody_who_reached_them() -> None:
    points, _played = board()
    won = [each for each in of_season("settlement.prize_issued") if "place" not in each["data"]]

    reached = Counter((each["data"]["player"], each["data"]["prize"]) for each in won)
    marks = {"A glass of reed wine": 5, "A coin for each heron": 12}
    assert reached == Counter(
        (player, prize) for prize, at in marks.items() for player in points if points[player] >= at
    )
    assert sum(owed(won).values()) == 2 * sum(sum_ >= 12 for sum_ in points.values())


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_imported_its_board_is_the_recorded_one_and_the_register_agrees() -> None:
    with time_machine.travel(NOW):
        house = past.import_(NOW)
    past.catch_up(house.pk)
    points, played = board()

    first, second = Season.objects.filter(establishment=house).order_by("number")
    assert (first.state, second.state, second.first_day) == ("closed", "open", NOW.date())
    kept = seasons.of_season(house.pk, GAME, 1)
    assert {each.player: (each.exact, each.rounds) for each in kept} == {
        player: (points.get(player, 0), many) for player, many in played.items()
    }
    assert first.first_day is not None
    head = journal.head(establishment=house.pk)
    asked = Query(house=house, since=first.first_day, until=NOW.date(), through=head)
    assert all(figure.agrees is not False for figure in register.figures(asked))
    assert len(list(register.final_lines(asked))) == len(points)
    assert differences(House(house, [], [], {})) == []
    assert list(rebuild.compare(house.pk, SETTLEMENT)) == []
