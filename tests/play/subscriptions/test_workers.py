"""Nothing is lost and nothing doubled, whatever becomes of workers, broker and wakes."""

from __future__ import annotations

import random
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
from django.db import connection

from casino.play.settlement.models import PrizeRule
from casino.play.settlement.subscriber import SETTLEMENT
from ledger import journal, subscriptions
from tests.forms import LONG_FORM
from tests.processes import eventually
from tests.support import books, builders
from tests.support.playing import (
    booked_events,
    done,
    game_of,
    new_id,
    opened,
    opening,
    round_played,
)
from tests.support.processes import (
    Broker,
    Player,
    Program,
    Site,
    caught_up,
    killed_at_work,
    settlement_position,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]

# Seconds that commands may take while the broker is away, on a busy machine.
QUICK = 0.5  # most of them
ONCE = 10.0  # the one that finds out, in every so many seconds
ERRORS = {
    "READONLY": lambda broker: broker.told_wrong("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"),
    "OOM": lambda broker: broker.told_wrong("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"),
    "MISCONF": Broker.unable_to_save,
    "LOADING": Broker.loading,
}
BACKLOG = 40 if LONG_FORM else 20  # rounds: some work, so that it is met in the middle of it


@pytest.fixture
def house(place: Site) -> House:
    del place
    made = builders.house(tables=2, dice_sets=0)
    builders.dice_for_every_game(made.establishment, sets=2)
    PrizeRule.objects.create(
        establishment=made.establishment, kind="points", at=2, prize="A bottle", amount=50
    )
    return made


@contextmanager
def playing(place: Site, house: House, *, table: int = 0, pause: float = 0.01) -> Iterator[Player]:
    with Player(place, house=house.id, table=table, seed=table + 1, pause=pause) as player:
        player.ready()
        player.go()
        yield player


def backlog(house: House, rounds: int) -> UUID:
    """A game of which nothing is settled yet."""
    game = opened(house, stake=1000)
    for _ in range(rounds):
        round_played(house, game)
    return game


def everything_is_booked(house: House, *played: dict[str, Any]) -> None:
    """Once, and as the rules have it."""
    eventually(lambda: caught_up(house))
    books.hold_at_every_moment(house)
    books.are_the_rules_result(house, [UUID(game) for each in played for game in each["games"]])
    positions = [each.position for each in journal.read(establishment=house.id, limit=100_000)]
    assert positions == list(range(len(positions)))


def died_at_work(house: House, program: Program) -> None:
    """In the middle of a transaction; what it had begun is undone."""
    with program:
        killed_at_work(program, house)
    books.hold_at_every_moment(house)
    assert not caught_up(house)


def rolled_over(house: House) -> UUID:
    """A pot left at one table, not booked yet, and the game at the other that awaits it."""
    options: dict[str, Any] = {"game": "threes-away", "options": {"progressive": "by_round"}}
    giver = opened(house, **options)
    for player, face in (("Ada", 1), ("Bo", 2)):
        dice = [face] * 5
        done(house, giver, "throw", player=player, dice=dice, keep=dice)
    done(house, giver, "close")
    return opened(house, table=house.tables[1], **options)


class TestAwaitedRollovers:
    """TA10: they arrive once, whoever died on the way."""

    @pytest.mark.long(but="citus")
    def test_a_sweep_delivers_what_a_worker_left_undone(self, place: Site, house: House) -> None:
        following = rolled_over(house)
        subscriptions.advance(SETTLEMENT, establishment=house.id)  # and there it was killed

        with place.beat(), place.worker():
            eventually(lambda: arrivals(house, following) == 1)
            everything_is_booked(house, {"games": [str(following)]})

    @pytest.mark.long
    def test_two_workers_and_many_wakes_deliver_it_once(self, place: Site, house: House) -> None:
        following = rolled_over(house)

        with place.beat(), place.worker("one"), place.worker("two"):
            eventually(lambda: arrivals(house, following) == 1)
            everything_is_booked(house, {"games": [str(following)]})

        assert arrivals(house, following) == 1


def arrivals(house: House, game: UUID) -> int:
    events = game_of(house, game).events
    return sum(event.event_type == "threes_away.rollover_arrived" for event in events)


class TestAWorker:
    @pytest.mark.long("sqlite")
    def test_killed_in_mid_settlement_leaves_all_to_the_next(
        self, place: Site, house: House
    ) -> None:
        game = backlog(house, rounds=BACKLOG)

        with place.beat():
            died_at_work(house, place.worker())
            with place.worker():
                everything_is_booked(house, {"games": [str(game)]})

        assert len(booked_events(house, game)) == BACKLOG

    @pytest.mark.long
    def test_killed_again_and_again_while_rounds_are_played(
        self, place: Site, house: House
    ) -> None:
        with place.beat(), playing(place, house) as player:
            for _ in range(2):
                with place.worker() as worker:
                    before = settlement_position(house.id)
                    eventually(
                        lambda: settlement_position(house.id) > before,  # noqa: B023 - asked at once
                        worker.process,
                    )
                    time.sleep(random.uniform(0, 0.3))  # noqa: S311 - any moment
                    worker.kill()
            played = player.ended()
            with place.worker():
                everything_is_booked(house, played)

        assert played["failures"] == []
        assert len(played["games"]) > 1

    @pytest.mark.long
    def test_two_at_once_do_the_work_once(self, place: Site, house: House) -> None:
        with (
            place.beat(),
            place.worker("first"),
            place.worker("second"),
            playing(place, house) as player,
            playing(place, house, table=1) as other,
        ):
            eventually(lambda: settlement_position(house.id) > 200)
            everything_is_booked(house, player.ended(), other.ended())

    @pytest.mark.long
    def test_woken_three_times_does_the_work_once(self, place: Site, house: House) -> None:
        """Without beat: every message is a wake, and each comes three times to two workers."""
        game = backlog(house, rounds=10)
        wake = (
            "import django; django.setup()\n"
            "from uuid import UUID\n"
            "from casino.play.core.subscriptions import tasks\n"
            f"for _ in range(3): tasks.wake(establishment=UUID('{house.id}'))"
        )

        with place.worker("first"), place.worker("second"):
            place.run(wake)
            everything_is_booked(house, {"games": [str(game)]})
            place.run(wake)

        assert len(booked_events(house, game)) == 10


class TestTheBroker:
    @pytest.mark.long
    def test_emptied_while_rounds_are_played_loses_nothing(self, place: Site, house: House) -> None:
        with place.beat(), place.worker(), playing(place, house) as player:
            for target in (30, 60, 90, 120):
                place.broker.empty()
                eventually(lambda: settlement_position(house.id) > target)  # noqa: B023
            place.broker.empty()
            everything_is_booked(house, player.ended())

    @pytest.mark.long  # in short a sweep delivers what no wake told of: TestAwaitedRollovers
    def test_a_wake_that_is_lost_is_made_up_by_the_sweep(self, place: Site, house: House) -> None:
        with playing(place, house) as player:
            eventually(lambda: journal.head(establishment=house.id) > 60)
            played = player.ended()
        place.broker.empty()

        with place.worker():
            assert not caught_up(house)
            with place.beat():
                everything_is_booked(house, played)

    @pytest.mark.long  # in short: test_a_broker_that_is_away_is_left_alone (test_waking.py)
    def test_absent_it_holds_up_nobody(self, place: Site, house: House) -> None:
        with place.beat(), place.worker(), playing(place, house) as player:
            eventually(lambda: settlement_position(house.id) > 10)
            place.broker.stop()
            away = journal.head(establishment=house.id)
            eventually(lambda: journal.head(establishment=house.id) > away + 60)
            place.broker.start()
            played = player.ended()
            everything_is_booked(house, played)

        assert played["failures"] == []
        assert played["usual"] < QUICK
        assert played["slowest"] < ONCE

    @pytest.mark.long(but="citus")
    @pytest.mark.parametrize("wrong", ERRORS)
    def test_that_answers_with_errors_is_waited_for(
        self, place: Site, house: House, wrong: str
    ) -> None:
        """It is a replica since a failover, or full, cannot write its file, or reads it."""
        assert isinstance(place.broker, Broker)
        with place.beat() as beat, place.worker() as worker:
            game = backlog(house, rounds=3)
            eventually(lambda: caught_up(house), worker.process)
            written = worker.log.stat().st_size
            with ERRORS[wrong](place.broker):
                round_played(house, game)
                eventually(lambda: worker.log.stat().st_size > written, worker.process)  # met it

            round_played(house, game)
            everything_is_booked(house, {"games": [str(game)]})
            assert worker.process.poll() is None
            assert beat.process.poll() is None

    @pytest.mark.long
    def test_never_there_it_is_found_when_it_comes(self, place: Site, house: House) -> None:
        place.broker.stop()
        with playing(place, house) as player:
            eventually(lambda: journal.head(establishment=house.id) > 40)
            played = player.ended()
        assert played["failures"] == []
        assert played["usual"] < QUICK
        assert played["slowest"] < ONCE

        with place.worker(), place.beat():
            place.broker.start()
            everything_is_booked(house, played)


class TestTheHouseInOneProcess:
    """``manage.py up``: the broker is its memory, and dies with it."""

    @pytest.fixture(autouse=True)
    def _embedded(self) -> None:
        if connection.vendor != "sqlite":
            pytest.skip("manage.py up runs on SQLite alone")

    def test_killed_in_mid_settlement_it_goes_on_where_it_was(
        self, place: Site, house: House
    ) -> None:
        game = backlog(house, rounds=BACKLOG)

        died_at_work(house, place.up())
        with place.up():
            everything_is_booked(house, {"games": [str(game)]})

        assert len(booked_events(house, game)) == BACKLOG

    @pytest.mark.long
    def test_killed_again_and_again_while_rounds_are_played(
        self, place: Site, house: House
    ) -> None:
        """The player's wakes reach nobody: another process has another memory."""
        with playing(place, house) as player:
            for _ in range(2):
                with place.up() as program:
                    before = settlement_position(house.id)
                    eventually(
                        lambda: settlement_position(house.id) > before,  # noqa: B023 - asked at once
                        program.process,
                    )
                    time.sleep(random.uniform(0, 0.3))  # noqa: S311 - any moment
                    program.kill()
            played = player.ended()
            with place.up():
                everything_is_booked(house, played)

        assert played["failures"] == []


class TestAtTheSameInstant:
    @pytest.mark.long("postgresql", but="citus")
    def test_two_devices_with_one_list_get_one_answer(self, place: Site, house: House) -> None:
        """As an offline queue does that is sent twice: opening, throws, refusals, the end."""
        throws = [
            {"do": "throw", "player": player, "dice": dice}
            for _ in range(4)
            for player, dice in (("Ada", [2, 2, 7]), ("Ada", [1, 1, 2]), ("Bo", [2, 2, 4]))
        ]
        raws = [opening(), *({"command_id": new_id(), **each} for each in throws)]
        raws.append({"command_id": new_id(), "do": "close", "reason": "Late."})

        with (
            Player(place, house=house.id, commands=raws) as one,
            Player(place, house=house.id, commands=raws) as other,
        ):
            for each in (one, other):
                each.ready()
            for each in (one, other):
                each.go()
            first, second = one.ended(), other.ended()

        assert [row[:4] for row in first] == [row[:4] for row in second]
        assert all(mine[4] + theirs[4] == 1 for mine, theirs in zip(first, second, strict=True))
        game = UUID(first[0][0])
        commands = {each.provenance.command_id for each in game_of(house, game).events}
        assert len(commands) == len([row for row in first if row[1] is None])
