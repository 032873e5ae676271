"""Workers are woken by what is committed and nothing else; what waits, waits once."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError as BrokerDown
from redis import Redis
from structlog.testing import capture_logs

from casino.config.celery import app
from casino.platform import waking
from casino.settlement.subscriber import SETTLEMENT
from casino.subscriptions import tasks
from tests import services
from tests.processes import eventually
from tests.support import builders
from tests.support.dayend import begun
from tests.support.playing import PAIR_7, opened, round_played, thrown

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable, Iterable, Iterator
    from uuid import UUID

    from pytest_django import DjangoCaptureOnCommitCallbacks

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


def test_a_worker_is_woken_once_it_is_committed(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    woken: list[str] = []

    with django_capture_on_commit_callbacks(execute=True):
        waking.after_commit(lambda: woken.append("now"))
        assert woken == []

    assert woken == ["now"]


def test_what_is_rolled_back_wakes_nobody(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    woken: list[str] = []

    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        waking.after_commit(lambda: woken.append("never"))
        transaction.set_rollback(True)

    assert woken == []


@pytest.mark.parametrize("down", [BrokerDown("away"), ConnectionRefusedError("away")])
def test_a_broker_that_is_away_is_noted_and_stops_nobody(
    down: Exception, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    def wake() -> None:
        raise down

    with capture_logs() as said, django_capture_on_commit_callbacks(execute=True):
        waking.after_commit(wake)

    assert [each["event"] for each in said] == ["wake_lost"]


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The houses whose subscribers are woken, in order."""
    houses: list[str] = []

    def wake(who: Iterable[tuple[str, UUID]], **_more: object) -> None:
        houses.extend(str(house) for _, house in who)

    monkeypatch.setattr(tasks.WAKES, "wake", wake)
    return houses


WAKES: dict[str, Callable[[House, uuid.UUID], object]] = {
    "a game that opens": lambda house, _: opened(house, table=house.tables[1]),
    "a throw": lambda house, game: thrown(house, game, "Ada", PAIR_7),
    "an act of the house": lambda house, _: begun(house),
}


@pytest.mark.parametrize("happens", WAKES.values(), ids=WAKES)
def test_what_is_recorded_wakes_those_who_follow_the_house(
    woken: list[str],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    happens: Callable[[House, uuid.UUID], object],
) -> None:
    house = builders.house()
    game = opened(house)

    with django_capture_on_commit_callbacks(execute=True):
        happens(house, game)

    assert set(woken) == {str(house.id)}


def test_whoever_brings_something_about_wakes_the_others(
    woken: list[str], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    """They may have been there before its events were, and gone home."""
    house = builders.house()
    round_played(house, opened(house))

    with django_capture_on_commit_callbacks(execute=True):
        tasks.follow(SETTLEMENT, house.id)
    assert woken == [str(house.id)]

    with django_capture_on_commit_callbacks(execute=True):
        tasks.follow(SETTLEMENT, house.id)  # and nothing more
    assert len(woken) == 1


# --- A level, not an event --------------------------------------------------------------------

A, B, C = (uuid4() for _ in range(3))


@pytest.fixture(params=["in process", pytest.param("in redis", marks=pytest.mark.long("sqlite"))])
def lists(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with ExitStack() as stack:
        found: waking.Waiting = waking.InProcess()
        if request.param == "in redis":
            client = stack.enter_context(Redis.from_url(stack.enter_context(services.redis())))
            found = waking.InRedis(client)
        monkeypatch.setattr(waking, "waiting", lambda: found)
        yield


@dataclass
class Followed:
    """Wakes of one kind of work: who was served, and how much each house has still to do."""

    served: list[UUID] = field(default_factory=list)
    stints: dict[UUID, int] = field(default_factory=dict)
    messages: int = 0
    sent: int = 0
    leisure: list[UUID] = field(default_factory=list)

    @cached_property
    def wakes(self) -> waking.Wakes:
        return waking.Wakes("play", {"settle": self._serve}, self._sent)

    def _sent(self) -> None:
        self.messages += 1
        self.sent += 1

    def at_leisure(self, house: UUID) -> bool:
        self.leisure.append(house)
        return False

    def stay(self) -> int:
        """How many are at hand."""
        lists = waking.waiting()
        assert isinstance(lists, waking.InRedis)
        return int(lists._client.get("at-hand:play") or 0)

    def _serve(self, house: UUID) -> bool:
        self.served.append(house)
        self.stints[house] = self.stints.get(house, 1) - 1
        return self.stints[house] > 0

    def wake(self, *houses: UUID) -> None:
        self.wakes.wake([("settle", house) for house in houses])

    def work(self, *, at_most: int = 10_000) -> None:
        """Take messages until there is none."""
        for _ in range(at_most):
            if not self.messages:
                return
            self.messages -= 1
            self.wakes.serve()


@pytest.mark.usefixtures("lists")
class TestALevel:
    def test_who_is_woken_a_hundred_times_waits_once(self) -> None:
        at = Followed()

        for _ in range(100):
            at.wake(A, B)

        assert at.messages == 2
        at.work()
        assert at.served == [A, B]

    def test_who_is_woken_while_served_is_served_again(self) -> None:
        """What comes after the taking is not seen by who has taken."""
        at = Followed()
        at.wake(A)
        assert waking.waiting().take("play") == f"settle {A}"

        at.wake(A)

        assert at.messages == 2
        assert waking.waiting().take("play") == f"settle {A}"
        assert waking.waiting().take("play") is None

    def test_a_house_with_much_to_do_lets_the_others_go_first(self) -> None:
        others = [uuid4() for _ in range(199)]
        at = Followed(stints={A: 1000})
        at.wake(A)
        at.wake(*others)

        at.work(at_most=400)

        assert set(others) < set(at.served[:200])
        assert at.messages == 1

    def test_a_message_too_many_does_nothing(self) -> None:
        at = Followed()
        at.wakes.serve()

        assert at.served == []

    def test_a_kind_that_nobody_knows_any_more_is_left_out(self) -> None:
        at = Followed()
        waking.waiting().add("play", [f"of yesterday {A}"])

        at.wakes.serve()

        assert at.served == []


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
        at.wakes.message = lambda: redis.lpush("play", "serve")
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


@pytest.mark.long("sqlite")
def test_messages_that_were_lost_are_sent_again_by_the_sweep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with services.redis() as address, Redis.from_url(address) as client:
        monkeypatch.setattr(waking, "waiting", lambda: waking.InRedis(client))
        at = Followed()
        at.wake(A, B, C)
        client.lpush("play", "the one message that arrived")
        at.messages = 0

        at.wakes.wake([], top_up=True)

        assert at.messages == 2


@pytest.mark.long("sqlite")
def test_a_broker_that_is_away_is_left_alone_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    address = f"redis://127.0.0.1:{services.free_port()}/0"
    monkeypatch.setattr(waking, "waiting", lambda: waking.InRedis(Redis.from_url(address)))
    at = Followed()

    with capture_logs() as said:
        for _ in range(5):
            with django_capture_on_commit_callbacks(execute=True):
                at.wakes.after_commit(A)

    assert [each["event"] for each in said] == ["wake_lost"]
    assert at.messages == 0


def test_each_task_has_the_queue_that_is_its_own() -> None:
    """A name in the routes that no task has would send to the queue of the sweeps."""
    app.loader.import_default_modules()

    assert set(settings.CELERY_TASK_ROUTES) <= set(app.tasks)
