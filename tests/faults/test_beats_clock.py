"""Beat sends what is due and workers do it, whatever becomes of the clocks of their hosts (E3)."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from kombu import Connection
from structlog.testing import capture_logs

from casino.config import beat
from casino.config.celery import app
from tests import services

if TYPE_CHECKING:
    from collections.abc import Iterator

    from celery.beat import ScheduleEntry

HOUR = timedelta(hours=1)


class Sent(beat.Clock):
    """What it would send, instead of a broker."""

    def __init__(self) -> None:
        super().__init__(app)
        self.sent: Counter[str] = Counter()

    producer: Any = None

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        del producer
        self.sent[str(entry.name)] += 1


def seconds_pass(at: Sent, steady: Steady, seconds: int) -> Counter[str]:
    """What beat sends meanwhile."""
    at.sent.clear()
    for _ in range(seconds):
        steady.seconds += 1.0
        while at.tick() == 0:
            pass
    return at.sent


class Steady:
    """`time.monotonic`, as it is told."""

    seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> Steady:
    clock = Steady()
    monkeypatch.setattr("casino.config.beat.time.monotonic", clock)
    return clock


@pytest.mark.parametrize("leap", [-HOUR, HOUR, -40 * HOUR, timedelta(0)], ids=str)
def test_a_clock_that_is_set_changes_nothing_of_what_is_sent(
    steady: Steady, leap: timedelta
) -> None:
    with time_machine.travel(datetime(2026, 11, 21, 21, tzinfo=UTC)) as clock:
        at = Sent()
        seconds_pass(at, steady, 60)
        clock.shift(leap)

        sent = seconds_pass(at, steady, 60)

    assert set(sent) == set(app.conf.beat_schedule)
    assert (sent["sweep"], sent["trees"], sent["sign of signing"]) == (60, 20, 12)


@pytest.fixture(scope="module")
def broker() -> Iterator[Connection]:
    with services.redis() as address, Connection(address) as link:
        yield link


@pytest.fixture
def clock(broker: Connection) -> beat.Clock:
    emptied(broker, "watch")
    emptied(broker, "play")
    return beat.Clock(app, lazy=True)


def emptied(broker: Connection, queue: str) -> None:
    channel: Any = broker.default_channel
    channel.queue_purge(queue)


def sent(clock: beat.Clock, broker: Connection, name: str, times: int = 1) -> int:
    """Send an entry so often; how many messages wait then in its queue."""
    entry = beat.Entry(name=name, app=app, **app.conf.beat_schedule[name])
    producer = app.amqp.Producer(broker)
    for _ in range(times):
        clock.apply_entry(entry, producer=producer)
    queue = (entry.options or {}).get("queue", app.conf.task_default_queue)
    channel: Any = producer.channel
    waiting: int = channel.queue_declare(queue, passive=True).message_count
    return waiting


@pytest.mark.rows(2)
@pytest.mark.parametrize("name", sorted(app.conf.beat_schedule))
def test_what_is_sent_expires_by_no_clock(clock: beat.Clock, broker: Connection, name: str) -> None:
    options = app.conf.beat_schedule[name].get("options", {})
    queue = options.get("queue", "watch")

    with time_machine.travel(datetime.now(UTC) - 3 * HOUR):
        sent(clock, broker, name)

    message: Any = broker.SimpleQueue(queue).get(timeout=5)
    message.ack()
    assert message.headers["expires"] is None


def test_nothing_piles_up_where_nobody_works(
    clock: beat.Clock, broker: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beat, "ENOUGH", 10)
    monkeypatch.setattr(beat, "ENOUGH_ELSEWHERE", 20)

    assert sent(clock, broker, "sweep", times=30) == 10
    assert sent(clock, broker, "sign of play", times=30) == 20
    emptied(broker, "watch")
    assert sent(clock, broker, "sweep") == 1


def test_a_broker_that_goes_and_comes_back_is_told_once_each_way(clock: beat.Clock) -> None:
    port, password = services.free_port(), "secret"
    away = Connection(f"redis://:{password}@127.0.0.1:{port}/0", **PATIENT)

    with capture_logs() as said, away:
        for _ in range(3):
            assert sent_or_not(clock, away) is False
        with services.redis(port=port, password=password):
            assert sent_or_not(clock, away) is True
        assert sent_or_not(clock, away) is False

    assert [each["event"] for each in said] == ["broker_lost", "broker_found", "broker_lost"]


PATIENT: Any = {"transport_options": {"socket_connect_timeout": 1, "max_retries": 0}}


def sent_or_not(clock: beat.Clock, broker: Connection) -> bool:
    told = beat.Entry(name="sweep", app=app, **app.conf.beat_schedule["sweep"])
    clock.apply_entry(told, producer=app.amqp.Producer(broker, auto_declare=False))
    return clock.sending
