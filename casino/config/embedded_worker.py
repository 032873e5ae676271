"""The embedded house's worker and beat. Not in `embedded`, because what Celery imports is large."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from celery.beat import Service
from celery.worker import WorkController, state
from django.conf import settings
from kombu.exceptions import OperationalError

from casino.config.beat import Clock
from casino.config.celery import app
from casino.config.embedded import STOPS_WITHIN
from casino.engine.logs.health.tasks import sign_of_life

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.config.embedded import Background


@contextmanager
def worker_and_beat(background: Background) -> Iterator[None]:
    """Run worker and beat until the block ends; then the worker gets time to finish its tasks."""
    worker = WorkController(
        app=app,
        pool_cls="solo",
        concurrency=1,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    beat = Service(app, max_interval=1, scheduler_cls=Clock)
    working = background.start("worker", worker.start)
    try:
        background.start("beat", beat.start)
        wake_up()  # beat's first wake comes some seconds later; /healthz needs it now
        yield
    finally:
        beat.stop()
        state.should_stop = 0  # type: ignore[assignment]  # Celery's own way, typed as never set
        wake_up()
        working.join(STOPS_WITHIN)


def wake_up() -> None:
    """
    Wake the worker: it notices its stop after one message, and acts on it after another, or after 2
    s.
    """
    with suppress(OperationalError):
        for queue in settings.QUEUES:
            sign_of_life.apply_async(kwargs={"queue": queue}, queue=queue)
