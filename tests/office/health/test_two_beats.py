"""Two beats as real processes, and the one that sends is killed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from redis import Redis

from casino.engine.logs.health.models import BeatLease
from tests.support import processes as programs

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.processes, pytest.mark.long, pytest.mark.django_db(transaction=True)]

GOES_ON = 9.0  # seconds: the term of a lease, the wait of the other beat, and a busy machine
SWEEPS = 8  # seconds in which two beats that both send would send nearly twice as many sweeps


def waiting(broker: Redis) -> int:
    length: Any = broker.llen("watch")
    return int(length)


def sweeps_sent(broker: Redis) -> int:
    messages: Any = broker.lrange("watch", 0, -1)
    return sum(b'casino.subscriptions.tasks.sweep"' in each for each in messages)


def becomes(wanted: Any, seconds: float) -> float:
    """Seconds until something is so."""
    began = time.monotonic()
    while not wanted():
        assert time.monotonic() - began < seconds
        time.sleep(0.05)
    return time.monotonic() - began


def test_the_other_goes_on_within_seconds_and_never_do_both_send(tmp_path: Path) -> None:
    with (
        programs.site(tmp_path) as site,
        Redis.from_url(site.broker.url) as broker,
        programs.Program(site, programs.BEAT, "one") as one,
    ):
        becomes(BeatLease.objects.exists, 30.0)
        first = BeatLease.objects.get()
        with programs.Program(site, programs.BEAT, "other"):
            time.sleep(3.0)  # it has started and asked
            broker.flushall()
            time.sleep(SWEEPS)
            assert SWEEPS - 2 <= sweeps_sent(broker) <= SWEEPS + 1
            assert BeatLease.objects.get().holder == first.holder

            one.kill()
            broker.flushall()
            becomes(lambda: BeatLease.objects.get().fence == first.fence + 1, GOES_ON)
            becomes(lambda: waiting(broker) > 0, 2.0)
            assert BeatLease.objects.get().holder != first.holder
