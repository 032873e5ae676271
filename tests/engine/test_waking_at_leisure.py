"""Whoever has time serves those who come meanwhile: then no message is sent for them."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

import pytest
from redis import Redis

from casino.engine.processes.queues import waking
from tests import services
from tests.processes import eventually
from tests.support.followed import A, B, C, Followed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

pytestmark = pytest.mark.django_db


class TestAtLeisure:
    """What is done once for all that came within a while, by who stays at hand for who comes."""

    @pytest.fixture
    def redis(self) -> Iterator[Redis]:
        with services.redis() as address, Redis.from_url(address) as client:
            yield client

    @pytest.fixture
    def at(self, redis: Redis, monkeypatch: pytest.MonkeyPatch) -> Followed:
        found = waking.InRedis(redis)
        monkeypatch.setattr(waking, "waiting", lambda: found)
        monkeypatch.setattr(waking, "TURN", 60)
        monkeypatch.setattr(waking, "PACE", 0.1)
        at = Followed()
        at.wakes.leisurely = at.at_leisure
        return at

    @pytest.fixture
    def stays(self, at: Followed, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Thread]:
        """Somebody who has looked after A, and is at hand until the next who comes."""
        monkeypatch.setattr(waking, "STAYS", 60)
        at.wake(A)
        worker = threading.Thread(target=at.work)
        worker.start()
        eventually(lambda: at.leisure == [A] and at.stay() == 1)
        monkeypatch.setattr(waking, "STAYS", 0)
        yield worker
        worker.join()

    def test_whoever_stays_needs_no_message(self, at: Followed, stays: threading.Thread) -> None:
        at.wake(A)
        stays.join()

        assert at.served == at.leisure == [A, A]
        assert at.sent == 1

    def test_of_two_that_come_the_other_gets_a_message(
        self, at: Followed, stays: threading.Thread
    ) -> None:
        at.wake(B, C)
        stays.join()

        assert at.sent == 2
        assert at.served == [A, B, C]

    def test_a_message_for_whom_somebody_at_hand_has_served_is_not_sent_anew(
        self, at: Followed, redis: Redis
    ) -> None:
        """Else the queue grew by one for each that came while all were at work."""
        at.wakes.message = lambda queue: redis.lpush(queue, "serve")
        for _ in range(5):
            at.wake(A)
            assert waking.waiting().take("play") == f"settle {A}"

        assert redis.llen("play") == 1
        at.wake(A, B)
        assert redis.llen("play") == 2

    def test_who_died_while_at_hand_costs_one_message_that_the_sweep_sends(
        self, at: Followed, redis: Redis
    ) -> None:
        redis.set("at-hand:play", 1, ex=waking.AT_HAND_LAST)

        at.wake(A)
        assert at.sent == 0

        at.wakes.wake([], top_up=True)
        assert at.sent == 1

    def test_who_comes_at_the_moment_at_which_somebody_leaves_is_served(
        self, at: Followed, redis: Redis
    ) -> None:
        """Counted off by who came, the one who leaves looks once more."""
        lists, keys = waking.InRedis(redis), ["waiting:play", "at-hand:play"]
        lists._first_or_stay(keys=keys, args=[1])
        at.wake(A)

        assert at.sent == 0
        assert lists._leave_or_first(keys=keys) == f"settle {A}".encode()
        assert lists._leave_or_first(keys=keys) is None

    def test_who_leaves_is_counted_no_more(
        self, at: Followed, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(waking, "STAYS", 0.01)
        at.wake(A)
        at.work()

        assert at.stay() == 0
        at.wake(A)
        assert at.sent == 2

    def test_a_turn_ends_however_many_come(
        self, at: Followed, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A worker has other queues; what is owed is done before it goes."""
        monkeypatch.setattr(waking, "TURN", 0.0)
        at.wake(A, B)

        at.work(at_most=1)

        assert (at.served, at.leisure) == ([A], [A])

    def test_what_fails_holds_up_nothing_that_is_done_at_leisure(self, at: Followed) -> None:
        def fails(_house: UUID) -> bool:
            raise ValueError("of settlement alone")

        at.wakes.work = {"settle": fails}
        at.wake(A)

        with pytest.raises(ValueError, match="of settlement alone"):
            at.work()

        assert at.leisure == [A]

    def test_in_a_process_of_its_own_nobody_stays(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(waking, "waiting", cache(waking.InProcess))
        monkeypatch.setattr(waking, "STAYS", 3600)
        monkeypatch.setattr(waking, "PACE", 3600)
        at = Followed()
        at.wakes.leisurely = at.at_leisure
        at.wake(A)

        at.work()

        assert (at.served, at.leisure) == ([A], [A])
