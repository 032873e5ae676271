"""Workers are woken by what is committed and nothing else; what waits, waits once."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError as BrokerDown
from redis import Redis
from structlog.testing import capture_logs

from casino.config.celery import app
from casino.engine.processes.queues import waking
from casino.play.core.subscriptions import tasks
from casino.play.settlement.subscriber import SETTLEMENT
from tests import services
from tests.support import builders
from tests.support.dayend import begun
from tests.support.followed import A, B, C, Followed
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
        tasks.advance(SETTLEMENT, house.id)
    assert woken == [str(house.id)]

    with django_capture_on_commit_callbacks(execute=True):
        tasks.advance(SETTLEMENT, house.id)  # and nothing more
    assert len(woken) == 1


# --- A level, not an event --------------------------------------------------------------------


@pytest.fixture(params=["in process", pytest.param("in redis", marks=pytest.mark.long("sqlite"))])
def lists(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with ExitStack() as stack:
        found: waking.Waiting = waking.InProcess()
        if request.param == "in redis":
            client = stack.enter_context(Redis.from_url(stack.enter_context(services.redis())))
            found = waking.InRedis(client)
        monkeypatch.setattr(waking, "waiting", lambda: found)
        yield


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
