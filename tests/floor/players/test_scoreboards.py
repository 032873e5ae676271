"""A scoreboard as people read it (SB6): places, next prize, trend; as the register has it."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from casino.play.core import scoreboards
from casino.play.settlement.models import PrizeRule, Scoreboard, Tally
from casino.reports.registers import scoreboard as register
from games.reporting import exactly
from tests.support import builders
from tests.support.dayend import CUT_OFF, closed
from tests.support.playing import (
    NOW,
    PAIR_4,
    PAIR_7,
    done,
    nobody_undoes_alone,
    opened,
    round_played,
    settled,
    token,
)
from tests.support.reported import query, rows

if TYPE_CHECKING:
    import uuid

    from casino.play.core.scoreboards import Board, Rank
    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

STONE = "stone-hand"
PAIR_5 = (2, 2, 5)
THREE = ("Ada", "Bo", "Cy")
NEXT_NIGHT = CUT_OFF + timedelta(hours=12)


@pytest.fixture
def house() -> House:
    return builders.house()


def game_at(house: House, **more: Any) -> uuid.UUID:
    return opened(house, players=["Eve", *THREE], options={"mode": "scoreboard"}, stake=0, **more)


def scores(house: House, game: uuid.UUID, *best: str, **more: Any) -> StoredEvent:
    """A round in which these are best, and Eve loses."""
    hands = ((each, PAIR_4 if each in best else PAIR_5) for each in THREE)
    return round_played(house, game, ("Eve", PAIR_7), *hands, **more)


def prize(house: House, at: int, amount: int = 0, *, kind: str = "points") -> PrizeRule:
    return PrizeRule.objects.create(
        establishment=house.establishment, kind=kind, at=at, prize=f"{kind} {at}", amount=amount
    )


def read(house: House, **more: Any) -> Board:
    board = scoreboards.read(house.establishment, STONE, more.pop("now", NOW), **more)
    assert board is not None
    return board


def ranks(house: House, game: uuid.UUID, **more: Any) -> dict[str, Rank]:
    names = {token(house, game, name): name for name in THREE}
    return {names[each.player]: each for each in read(house, **more).ranks}


def test_equal_points_share_a_place_and_without_points_there_is_none(house: House) -> None:
    assert scoreboards.read(house.establishment, STONE, NOW) is None
    assert scoreboards.games(house.establishment) == []
    game = game_at(house)
    scores(house, game, "Ada", "Bo")
    scores(house, game, "Ada", "Bo")
    settled(house)

    found = ranks(house, game)

    assert found.keys() == {"Ada", "Bo"}
    assert {(each.place, int(each.points), each.rounds) for each in found.values()} == {(1, 2, 2)}
    assert scoreboards.games(house.establishment) == [STONE]
    board = read(house)
    assert (board.runs, board.players, board.season.number) == (True, 2, 1)
    assert len(read(house, most=1).ranks) == 1
    [only] = read(house, players={token(house, game, "Bo")}).ranks
    assert only.place == 1


def test_the_next_prize_is_the_first_threshold_not_won_yet(house: House) -> None:
    prize(house, 1)
    prize(house, 5, 30)
    game = game_at(house)
    scores(house, game, "Ada", "Bo")
    scores(house, game, "Ada")
    settled(house)
    found = ranks(house, game)

    upcoming = [found[name].next for name in ("Ada", "Bo")]
    assert [(each.prize, int(each.missing)) for each in upcoming if each] == [
        ("points 5", 3), ("points 5", 4),
    ]  # fmt: skip

    prize(house, 2)  # set after Ada came so far: she wins it with her next point
    late = ranks(house, game)["Ada"].next
    assert late is not None
    assert (late.prize, int(late.missing)) == ("points 2", 0)
    PrizeRule.objects.update(active=False)
    assert ranks(house, game)["Ada"].next is None


@pytest.mark.parametrize(("tie", "amounts"), [("split", (15, 15, 10)), ("all", (20, 20, 10))])
def test_while_the_season_runs_it_says_what_a_place_would_win(
    house: House, tie: str, amounts: tuple[int, ...]
) -> None:
    Scoreboard.objects.create(establishment=house.establishment, season="day", place_tie=tie)
    for at, amount in ((1, 20), (2, 11), (3, 10)):  # of 31 the odd one goes by lot
        prize(house, at, amount, kind="place")
    game = game_at(house)
    scores(house, game, *THREE)
    scores(house, game, "Ada", "Bo")
    settled(house)

    found = ranks(house, game)
    assert [sum(won.amount for won in found[name].wins) for name in THREE] == list(amounts)

    closed(house)
    settled(house)

    final = read(house, number=1)
    assert final.closed
    assert sum(won.amount for each in final.ranks for won in each.wins) == (
        41 if tie == "split" else 50
    )
    assert [each.at for each in final.places] == [1, 2, 3]
    assert read(house, now=NEXT_NIGHT).ranks == ()  # the next begins at nothing


def test_the_trend_compares_with_the_beginning_of_the_gaming_day(house: House) -> None:
    game = game_at(house)
    scores(house, game, "Ada", "Bo")
    scores(house, game, "Ada")
    settled(house)
    assert {each.trend for each in read(house).ranks} == {"same"}  # all is of this day

    for _ in range(2):
        last = scores(house, game, "Bo", "Cy", now=NEXT_NIGHT)
    settled(house)

    tonight = ranks(house, game, now=NEXT_NIGHT)
    lines = [tonight[name] for name in ("Bo", "Ada", "Cy")]
    found = [(each.place, str(each.trend), each.rise, int(each.today)) for each in lines]
    assert found == [
        (1, "up", 1, 2), (2, "down", -1, 0), (2, "new", None, 2),
    ]  # fmt: skip

    nobody_undoes_alone(house)
    [request] = done(house, game, "void", back_to=last.stream_version, reason="?", now=NEXT_NIGHT)
    done(house, game, "approve", by=house.supervisor, request=request.data["request"],
         now=NEXT_NIGHT)  # fmt: skip
    settled(house)
    assert ranks(house, game, now=NEXT_NIGHT)["Bo"].today == 1


def test_shares_of_points_are_in_order(house: House) -> None:
    game = game_at(house)
    scores(house, game, *THREE)
    settled(house)
    for name, share in (("Ada", "1/3"), ("Cy", "1/2")):
        Tally.objects.filter(player=token(house, game, name)).update(share=share)

    found = ranks(house, game)

    assert list(found) == ["Cy", "Ada", "Bo"]
    assert [each.points for each in found.values()] == [Fraction(3, 2), Fraction(4, 3), 1]


def test_the_register_has_the_same_figures(house: House) -> None:
    Scoreboard.objects.create(establishment=house.establishment, season="day")
    prize(house, 1, 30, kind="place")
    game = game_at(house)
    scores(house, game, "Ada", "Bo")
    scores(house, game, "Ada")
    settled(house)

    board = read(house)
    points = rows(register.REPORT, query(house), "points")
    assert [(each["place"], each["points"]) for each in points] == [
        (each.place, exactly(each.points)) for each in board.ranks
    ]  # its rounds are those with points

    closed(house)
    settled(house)

    final = read(house, number=1)
    lines = rows(register.REPORT, query(house), "seasons")
    assert [
        (each["season"], each["place"], each["points"], each["rounds"], each["prize"])
        for each in lines
    ] == [
        (1, each.place, exactly(each.points), each.rounds, sum(won.amount for won in each.wins))
        for each in final.ranks
    ]


def test_a_board_of_many_is_read_with_as_many_queries(
    house: House, django_assert_max_num_queries: Any
) -> None:
    prize(house, 1)
    prize(house, 1, 30, kind="place")
    game = game_at(house)
    scores(house, game, *THREE)
    settled(house)
    Tally.objects.bulk_create(
        Tally(establishment=house.establishment, ruleset=STONE, season=1,
              player=f"p-{number:012}", points=number, rounds=number)
        for number in range(1, 500)
    )  # fmt: skip

    with django_assert_max_num_queries(9):
        board = read(house, most=10)

    assert board.players == 502
    assert [each.place for each in board.ranks] == list(range(1, 11))
