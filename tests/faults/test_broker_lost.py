"""A worker whose broker went away while it was at work goes on when the broker is back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from kombu import Connection

import casino.config.celery  # noqa: F401 - what it does to kombu is tested
from tests import services

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def broker() -> Iterator[str]:
    with services.redis() as url:
        yield url


@pytest.mark.parametrize("told", ["ack", "reject", "requeue"])
def test_what_became_of_a_task_is_not_said_to_a_broker_that_is_gone(broker: str, told: str) -> None:
    with Connection(broker) as first:
        tasks = first.SimpleQueue(told)
        tasks.put({"do": "settle"})
        task: Any = tasks.get(timeout=5)
        task.channel.close()  # as the consumer does when it finds the connection lost

        getattr(task, told)()

    with Connection(broker, transport_options={"visibility_timeout": 0}) as again:
        channel: Any = again.channel()
        channel.qos.restore_visible(interval=1)
        assert again.SimpleQueue(told).get(timeout=5).payload == {"do": "settle"}
