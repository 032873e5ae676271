"""
A season while whoever closes it is killed, before any statement and around each commit: it is
closed once or not at all, with its prizes (SB2, SB4). Without the closing of the day itself, which
tests/reports/gaming_days/test_day_killed.py has.
"""

from __future__ import annotations

import random
from collections import Counter
from datetime import time, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from casino.play.settlement import seasons
from casino.play.settlement.models import PRIZE_ISSUED, PrizeIssued, PrizeRule, Scoreboard, Season
from ledger import journal, money
from ledger.accounts import Kind
from tests.forms import LONG_FORM
from tests.processes import eventually
from tests.support import books, builders
from tests.support.dayend import closed
from tests.support.killed import KILLED, killable_processes
from tests.support.playing import PAIR_4, PAIR_7, opened, round_played, settled
from tests.support.processes import BEAT, Program, caught_up, killed_at_work

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tests.support.builders import House
    from tests.support.processes import Site

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]

PLAYERS = ("Eve", "Ada", "Bo", "Cy", "Di")
WORTH = {1: 30, 2: 20, 3: 10, 4: 0}  # of the places; the last: goods
POINT = 5  # what a threshold is worth that all but Eve reach
OWED = [sum(WORTH.values()) // 4 + POINT] * 4
LONG_AGO = timezone.now() - timedelta(days=3)  # by the real clock, as the processes have it


def played(now: datetime, **settings: Any) -> House:
    """A house with a season of one day: four are equal, and share all that its places are worth."""
    house = builders.house(tables=1, **settings)
    Scoreboard.objects.create(establishment=house.establishment, season="day")
    marks = [("place", at, amount) for at, amount in WORTH.items()]
    for kind, at, amount in (*marks, ("points", 1, POINT)):
        PrizeRule.objects.create(
            establishment=house.establishment, kind=kind, at=at, prize="A purse", amount=amount
        )
    game = opened(house, players=PLAYERS, options={"mode": "scoreboard"}, stake=0, now=now)
    throws = [(each, PAIR_7 if each == "Eve" else PAIR_4) for each in PLAYERS]
    round_played(house, game, *throws, now=now)
    return house


def to_be_closed() -> House:
    """Its day is closed; settlement has booked the points, and not read that yet."""
    house = played(LONG_AGO, day_cutoff=time(6))
    settled(house)
    closed(house, LONG_AGO.date(), now=LONG_AGO)
    return house


def check(house: House) -> bool:
    """Whether the season is closed: then with everything, else with nothing of it."""
    books.hold_at_every_moment(house)
    events = journal.stream(establishment=house.id, stream=seasons.stream("stone-hand"))
    happened = Counter(f"{event.event_type} {event.data['season']}" for event in events)
    state = Season.objects.get(establishment=house.id, number=1).state
    over = state == Season.State.CLOSED
    goods = 4  # of the fourth place: each of the equals
    assert happened == {
        "season.opened 1": 1,
        **({"season.closed 1": 1, "season.opened 2": 1} if over else {}),
        **({f"{PRIZE_ISSUED} 1": len(OWED) + goods} if over else {}),
    }
    kept = PrizeIssued.objects.filter(establishment=house.id)
    assert len(kept) == (2 * len(OWED) + goods if over else len(OWED))
    owed = money.balances(establishment=house.id, kinds=[Kind.PRIZES_OWED])
    assert list(owed.values()) == (OWED if over else [POINT] * len(OWED))
    return over


def moments(last: int) -> Sequence[int]:
    """All of them, or some: the last ones are around the commit."""
    if LONG_FORM:
        return range(1, last + 1)
    return [*sorted(random.sample(range(1, last - 1), 2)), last - 1, last]


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.long)])
def test_workers_are_killed_at_a_moment_of_it(place: Site, workers: int) -> None:
    with killable_processes(place) as attempt:
        house = to_be_closed()
        settle = {"do": "settle", "house": house.id}
        last = max(each["moments"] for each in attempt(0, *[settle] * workers))
        assert check(house)

        house, ended = to_be_closed(), []
        for moment in moments(last):
            settle = {"do": "settle", "house": house.id}
            ended += [each["ended"] for each in attempt(moment, *[settle] * workers)]
            if check(house):  # it was killed after the commit
                attempt(0, settle)
                check(house)
                house = to_be_closed()
        assert KILLED in ended
        attempt(0, {"do": "settle", "house": house.id})
        assert check(house)


@pytest.mark.long
def test_with_two_beats_and_two_workers_of_which_one_each_is_killed(place: Site) -> None:
    """The day is over: whoever is left closes it, and the season with it."""
    house = played(LONG_AGO, day_cutoff=time(6), closing_grace=0)
    one, other = (Program(place, BEAT, name) for name in ("beat-one", "beat-other"))

    with one, other, place.worker("other"):
        with place.worker("one") as worker:
            killed_at_work(worker, house)
        one.kill()
        states = Season.objects.filter(establishment=house.id, number=1)
        eventually(lambda: states.filter(state=Season.State.CLOSED).exists())
        eventually(lambda: caught_up(house))

    assert check(house)
