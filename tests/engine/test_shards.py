"""Houses over queues: evenly, and with one queue more as few of them move as can be."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis import Redis

from casino.config.celery import app
from casino.engine.processes.queues import broker, waking
from tests import services
from tests.processes import ROOT, environment
from tests.support.followed import A, B, C

if TYPE_CHECKING:
    from collections.abc import Iterator

HOUSES = [UUID(int=(number * 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835) % 2**128, version=4)
          for number in range(1, 10_001)]  # fmt: skip


@given(st.uuids(), st.integers(1, broker.QUEUES_MOST - 1))
def test_a_house_stays_where_it_is_or_moves_to_the_new_queue(house: UUID, number: int) -> None:
    before, after = (broker.place_among_queues(house, each) for each in (number, number + 1))

    assert 0 <= before < number
    assert after in (before, number)


@pytest.mark.parametrize("number", [2, 3, 8])
def test_as_many_move_as_the_new_queue_has_to_have(number: int) -> None:
    moved = sum(
        broker.place_among_queues(each, number - 1) != broker.place_among_queues(each, number)
        for each in HOUSES
    )

    assert moved == pytest.approx(len(HOUSES) / number, rel=0.1)


def test_each_queue_has_as_many_houses() -> None:
    found = Counter(broker.place_among_queues(each, 8) for each in HOUSES)

    assert len(found) == 8
    assert max(found.values()) < 1.15 * min(found.values())


def test_with_one_queue_nothing_is_called_otherwise() -> None:
    assert broker.queue_names("play", 1) == ("play",)
    assert broker.queue_names("play", 3) == ("play", "play-2", "play-3")
    assert {broker.place_among_queues(each, 1) for each in HOUSES[:100]} == {0}


# --- Wakes ----------------------------------------------------------------------------------------


@pytest.fixture(params=["memory", "redis"])
def lists(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with ExitStack() as stack:
        made: waking.Waiting = waking.InProcess()
        if request.param == "redis":
            address = stack.enter_context(services.redis())
            made = waking.InRedis(stack.enter_context(Redis.from_url(address)))
        monkeypatch.setattr(waking, "waiting", lambda: made)
        yield request.param


def wakes(number: int, sent: list[str], served: list[UUID]) -> waking.Wakes:
    def settle(house: UUID) -> bool:
        served.append(house)
        return False

    return waking.Wakes("play", {"settle": settle}, sent.append, queues=number)


@pytest.mark.usefixtures("lists")
def test_a_wake_goes_to_the_queue_of_its_house_and_is_served_from_there() -> None:
    sent: list[str] = []
    served: list[UUID] = []
    three = wakes(3, sent, served)
    names = broker.queue_names("play", 3)
    houses = [uuid4() for _ in range(30)]

    three.wake(("settle", house) for house in houses)

    assert Counter(sent) == Counter(names[broker.place_among_queues(house, 3)] for house in houses)
    for queue in sent:
        three.serve(queue)
        assert names[broker.place_among_queues(served[-1], 3)] == queue
    assert sorted(served) == sorted(houses)


def test_what_waits_on_a_queue_that_is_gone_is_served_from_another(lists: str) -> None:
    sent: list[str] = []
    served: list[UUID] = []
    houses = [uuid4() for _ in range(40)]
    wakes(4, [], []).wake(("settle", house) for house in houses)
    lying = waking.waiting()
    if isinstance(lying, waking.InRedis):
        lying._client.lpush("play-4", "a message", "another")
    fewer = wakes(2, sent, served)

    moved = fewer.drain()

    assert moved == sum(broker.place_among_queues(house, 4) >= 2 for house in houses)
    assert fewer.drain() == 0
    assert set(sent) <= set(broker.queue_names("play", 2))
    for _ in houses:
        for queue in broker.queue_names("play", 2):
            fewer.serve(queue)
    assert sorted(served) == sorted(houses)
    if lists == "redis":
        assert lying.used(["play-4"]) == []


@pytest.mark.usefixtures("lists")
def test_a_worker_of_one_queue_keeps_to_it() -> None:
    served: list[UUID] = []
    two = wakes(2, [], served)
    mine = [house for house in (A, B, C, *HOUSES[:20]) if broker.place_among_queues(house, 2) == 1]
    two.wake(("settle", house) for house in (A, B, C, *HOUSES[:20]))

    for _ in range(30):
        two.serve("play-2")

    assert sorted(served) == sorted(mine)


def test_the_settings_name_every_queue_to_workers_and_monitors() -> None:
    import subprocess  # noqa: PLC0415
    import sys  # noqa: PLC0415

    program = (
        "import django; django.setup(); from django.conf import settings;"
        "from casino.play.core.subscriptions.tasks import WAKES;"
        "print(settings.QUEUES, WAKES.queues)"
    )
    env = environment(PLAY_QUEUES="3", DJANGO_SETTINGS_MODULE="casino.config.settings")
    run = [sys.executable, "-c", program]
    said = subprocess.run(run, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    refused = subprocess.run(
        run, cwd=ROOT, env={**env, "PLAY_QUEUES": "0"}, capture_output=True, text=True, check=False
    )

    assert said.stdout.strip() == ("('play', 'play-2', 'play-3', 'signing', 'watch', 'long') 3")
    assert "PLAY_QUEUES=0: say 1 to 64." in refused.stderr


def test_celery_has_the_queues_of_the_settings() -> None:
    assert "play" in app.amqp.queues
