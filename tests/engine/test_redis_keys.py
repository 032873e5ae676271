"""Redis keeps nothing that grows: every key is bounded by houses and subscribers, or expires."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import pytest
from django.conf import settings
from redis import Redis

from casino.config import beat
from casino.config.celery import app
from casino.engine.processes.queues import waking
from casino.play.core.subscriptions import tasks
from tests import services
from tests.processes import eventually
from tests.support import builders
from tests.support.processes import Player, caught_up

if TYPE_CHECKING:
    from tests.support.builders import House
    from tests.support.processes import Site

HOUSES: Final = 2
KINDS: Final = tuple(tasks.WAKES.work)
OF_A_HOUSE: Final = len(KINDS) + 1  # with signing
WORKERS: Final = 1
BYTES: Final = 2_000  # of each thing in a key, as Redis counts them: a message is the largest


def most(key: str, *, houses: int) -> int | None:
    """How many things may be in a key; None: that depends, so it has to expire."""
    if key.startswith("waiting:"):
        return houses * OF_A_HOUSE
    if key in settings.QUEUES:
        return houses * OF_A_HOUSE + beat.ENOUGH
    if key.startswith("_kombu.binding"):  # who listens where: written when a program starts
        return WORKERS
    if key.startswith("at-hand:"):  # a count
        return 1
    if key in {"unacked", "unacked_index"}:  # what a worker is at, and what it has fetched
        return 2 * WORKERS
    return None


def size(redis: Any, key: str) -> int:
    kind = redis.type(key).decode()
    many = {"list": redis.llen, "set": redis.scard, "zset": redis.zcard, "hash": redis.hlen}
    return int(many[kind](key)) if kind in many else 1


def too_much(redis: Any, *, houses: int = HOUSES) -> dict[str, int]:
    """What has more or larger things in it than it may, or neither a bound nor an end."""
    found = {}
    for name in redis.scan_iter():
        key = name.decode()
        bound, many, left = most(key, houses=houses), size(redis, key), redis.ttl(key)
        if many > bound if bound is not None else left == FOR_EVER:
            found[key] = many
        memory = redis.memory_usage(name) or 0
        many = max(many, size(redis, key), 1)  # something may have come meanwhile
        if memory > BYTES * many:
            found[f"bytes of {key}"] = memory
    return found


FOR_EVER: Final = -1  # what TTL says of a key without an expiry; -2: it is gone


# --- In short ---------------------------------------------------------------------------------


@pytest.mark.parametrize("commands", [20, 200])
def test_however_often_something_happens_a_wake_waits_once(
    commands: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody works meanwhile: this is the most that can wait."""
    houses = [uuid4() for _ in range(5)]
    with ExitStack() as stack:
        address = stack.enter_context(services.redis())
        redis = stack.enter_context(Redis.from_url(address))
        sent = stack.enter_context(app.connection_for_write(address))
        monkeypatch.setattr(waking, "waiting", lambda: waking.InRedis(redis))
        wakes = waking.Wakes(
            "play",
            {name: lambda _house: False for name in KINDS},
            lambda _queue: app.send_task(tasks.serve.name, connection=sent, queue="play"),
        )
        for _ in range(commands):
            wakes.wake((name, house) for house in houses for name in KINDS)

        assert redis.llen("play") == redis.zcard("waiting:play") == len(houses) * len(KINDS)
        assert too_much(redis, houses=len(houses)) == {}


@pytest.mark.parametrize(
    ("queue", "most"), [("watch", beat.ENOUGH), ("play", beat.ENOUGH_ELSEWHERE)]
)
def test_what_beat_sends_does_not_pile_up_where_no_worker_lives(queue: str, most: int) -> None:
    name = "sweep" if queue == "watch" else "sign of play"
    entry = beat.Entry(name=name, app=app, **app.conf.beat_schedule[name])
    with services.redis() as address, Redis.from_url(address) as redis:
        redis.rpush(queue, *["of an hour ago"] * (most - 1))
        with app.connection_for_write(address) as link:
            clock = beat.Clock(app, lazy=True)
            for _ in range(3):
                clock.apply_entry(entry, producer=app.amqp.Producer(link))
            assert redis.llen(queue) == most

            redis.ltrim(queue, 0, 0)  # a worker is back
            clock.apply_entry(entry, producer=app.amqp.Producer(link))
            assert redis.llen(queue) == 2


# --- A whole evening --------------------------------------------------------------------------


@pytest.fixture
def houses(place: Site) -> list[House]:
    del place
    made = [builders.house(tables=2, dice_sets=0) for _ in range(HOUSES)]
    for house in made:
        builders.dice_for_every_game(house.establishment, sets=2)
    return made


@pytest.mark.long
@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
def test_an_evening_leaves_as_little_in_it_as_its_first_hour(
    place: Site, houses: list[House]
) -> None:
    """All tables of two houses at once, a worker and beat; looked at all the time."""
    with ExitStack() as stack:
        redis = stack.enter_context(Redis.from_url(place.broker.url))
        stack.enter_context(place.worker())
        stack.enter_context(place.beat())
        seen: list[set[bytes]] = []
        for hour in range(HOURS):
            with ExitStack() as playing:
                players = [
                    playing.enter_context(
                        Player(place, house=house.id, table=table, seed=hour, pause=0.01)
                    )
                    for house in houses
                    for table in range(2)
                ]
                for player in players:
                    player.ready()
                    player.go()
                until = time.monotonic() + HOUR
                seen.append(set())
                while time.monotonic() < until:
                    assert too_much(redis) == {}
                    seen[-1] |= set(redis.scan_iter())
                    time.sleep(0.1)
                assert not [failure for each in players for failure in each.ended()["failures"]]
        assert set().union(*seen[1:]) <= seen[0] | OF_A_MOMENT
        eventually(lambda: all(caught_up(house) for house in houses))
        eventually(lambda: not redis.exists("waiting:play", "waiting:signing"))
        assert too_much(redis) == {}


HOURS, HOUR = 4, 10.0  # seconds
OF_A_MOMENT: Final = {b"unacked", b"unacked_index", b"unacked_mutex", *(
    name.encode()
    for queue in settings.QUEUES for name in (queue, f"waiting:{queue}", f"at-hand:{queue}")
)}  # fmt: skip
"""Keys that are there while something waits, or somebody serves."""
