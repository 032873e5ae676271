"""
A gaming day while whoever closes it is killed at any moment, before any statement and around each
commit: it is closed once or not at all, and what is asked again goes on from there (B4). So is the
season of a scoreboard whose last day it is, and its prizes are issued once (SB2, SB4).
"""

from __future__ import annotations

import random
import uuid
from datetime import time, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.attendants.models import Role
from casino.house.establishments import gaming_day
from casino.play.core.models import GameCard
from casino.play.core.subscriptions.tasks import advance
from casino.play.settlement.models import PrizeRule, Scoreboard, Season
from casino.proof.verification import verifying
from casino.reports.gaming_days import closing
from ledger import money
from ledger.accounts import Kind
from tests.forms import LONG_FORM
from tests.support import books, builders
from tests.support.dayend import day_stream
from tests.support.killed import KILLED, killable_processes
from tests.support.playing import booked_events, opened, round_played
from tests.support.processes import caught_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.builders import House
    from tests.support.processes import Site

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]

ROUNDS = 3
PLACE, POINT = 30, 5  # what the first place and the first point are worth
MOMENTS = 12 if LONG_FORM else 1  # of each way, spread over all that there are
LONG_AGO = timezone.now() - timedelta(days=3)  # by the real clock, as the processes have it


@pytest.fixture
def attempt(place: Site) -> Iterator[Callable[..., list[dict[str, int]]]]:
    """Acts in processes that are killed at a moment; how they ended (tests/support/killable.py)."""
    with killable_processes(place) as attempt:
        yield attempt


def a_day(**settings: Any) -> tuple[House, uuid.UUID]:
    """A house, and a game of a day long ago of which nothing is settled."""
    house = builders.house(day_cutoff=time(6), **settings)
    game = opened(house, stake=1000, now=LONG_AGO)
    for _ in range(ROUNDS):
        round_played(house, game, now=LONG_AGO)
    Scoreboard.objects.create(establishment=house.establishment, season="day")
    for kind, amount in (("place", PLACE), ("points", POINT)):
        PrizeRule.objects.create(
            establishment=house.establishment, kind=kind, at=1, prize="Coins", amount=amount
        )
    board = opened(
        house, table=house.tables[1], options={"mode": "scoreboard"}, stake=0, now=LONG_AGO
    )
    round_played(house, board, now=LONG_AGO)
    advance(HOUSE, house.id)  # the day is on the list of days
    return house, game


def request_of(house: House) -> dict[str, Any]:
    """A manager closes the day; sent again, it is the same request."""
    day = gaming_day.gaming_day(house.establishment, LONG_AGO)
    return {
        "do": "ask",
        "url": house.url(f"days/{day}/close/"),
        "token": builders.token(house.people[Role.MANAGER]),
        "body": {"command_id": str(uuid.uuid4())},
    }


def work_of(house: House) -> dict[str, Any]:
    return {"do": "work", "house": house.id}


def board_of(house: House) -> uuid.UUID:
    """The game that gives points."""
    [card] = GameCard.objects.filter(establishment=house.id, table=house.tables[1])
    return card.game


def steps_of(house: House) -> list[str]:
    day = gaming_day.gaming_day(house.establishment, LONG_AGO)
    return [each for each in day_stream(house) if each.endswith(f" {day:%d}")]


def check_closed_once(house: House) -> None:
    books.hold_at_every_moment(house)
    day = gaming_day.gaming_day(house.establishment, LONG_AGO)
    whole = [f"day.{what} {day:%d}" for what in ("opened", "closing", "closed")]
    assert steps_of(house) == whole[: len(steps_of(house))]


def check_closed_whole(house: House, game: uuid.UUID) -> None:
    day = gaming_day.gaming_day(house.establishment, LONG_AGO)
    check_closed_once(house)
    closed = closing.event_of_close(house.id, day)
    assert closed is not None
    assert closed.data["totals"]["rounds"] == ROUNDS + 1
    assert closed.data["totals"]["staked"] == 7 * ROUNDS
    assert {event.provenance.gaming_day for event in booked_events(house, game)} == {day}
    assert caught_up(house)
    books.are_the_rules_result(house, [game, board_of(house)])
    season = Season.objects.get(establishment=house.id, number=1)
    assert (season.state, season.last_day) == (Season.State.CLOSED, day)
    owed = money.balances(establishment=house.id, kinds=[Kind.PRIZES_OWED])
    assert list(owed.values()) == [PLACE + POINT]
    book = verifying.open_book(house.id, now=timezone.now())
    found = [
        finding
        for stage in verifying.stages(projections=True)
        if stage != "records"  # what the test made of the house, no event says
        for step in verifying.steps(book, stage, {})
        for finding in step.findings
    ]
    assert found == []


def moments(last: int) -> list[int]:
    """Some of so many, each time others: one of each of some equal parts."""
    part = last / MOMENTS
    return [max(1, int(part * (each + random.random()))) for each in range(MOMENTS)]  # noqa: S311


@pytest.mark.long
def test_a_person_and_a_worker_are_killed(attempt: Callable[..., list[dict[str, int]]]) -> None:
    house, game = a_day(closing_grace=None)
    [asked] = attempt(0, request_of(house))
    [worked] = attempt(0, work_of(house))
    check_closed_whole(house, game)

    for sooner, later in zip(moments(asked["moments"]), moments(worked["moments"]), strict=True):
        house, game = a_day(closing_grace=None)
        request, work = request_of(house), work_of(house)
        attempt(sooner, request)
        check_closed_once(house)
        attempt(later, work)
        check_closed_once(house)
        attempt(0, request)
        attempt(0, work)
        check_closed_whole(house, game)


@pytest.mark.long
def test_two_workers_at_once_are_killed(attempt: Callable[..., list[dict[str, int]]]) -> None:
    house, game = a_day(closing_grace=0)
    last = max(each["moments"] for each in attempt(0, work_of(house), work_of(house)))
    attempt(0, work_of(house))
    check_closed_whole(house, game)

    for moment in moments(last):
        house, game = a_day(closing_grace=0)
        attempt(moment, work_of(house), work_of(house))
        check_closed_once(house)
        attempt(0, work_of(house))
        check_closed_whole(house, game)


def test_a_worker_that_closes_it_is_killed(attempt: Callable[..., list[dict[str, int]]]) -> None:
    house, game = a_day(closing_grace=0)
    [worked] = attempt(0, work_of(house))
    check_closed_whole(house, game)

    ended = []
    for moment in moments(worked["moments"]):
        house, game = a_day(closing_grace=0)
        ended += attempt(moment, work_of(house))
        check_closed_once(house)
        attempt(0, work_of(house))
        check_closed_whole(house, game)
    assert KILLED in [each["ended"] for each in ended]
