"""Beat and workers on hosts whose clocks differ: what beat sends is done all the same (E3)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from celery.beat import ScheduleEntry
from kombu import Connection

from casino.beat import Clock
from casino.celery import app
from tests import services


@pytest.mark.parametrize("name", sorted(app.conf.beat_schedule))
def test_what_a_slow_beat_sends_has_not_expired_for_a_worker(name: str) -> None:
    told = app.conf.beat_schedule[name]
    entry = ScheduleEntry(name=name, app=app, **told)
    with services.redis() as broker, Connection(broker) as link:
        with time_machine.travel(datetime.now(UTC) - timedelta(minutes=9)):
            Clock(app, lazy=True).apply_entry(entry, producer=app.amqp.Producer(link))

        message: Any = link.SimpleQueue("celery").get(timeout=5)

    assert datetime.fromisoformat(message.headers["expires"]) > datetime.now(UTC)
    assert entry.options == told["options"]
