"""
Celery beat's scheduler: it keeps its schedule in memory, and uses a clock that nobody can set.

A task that is due every so many seconds stays so even if the host's clock is changed: if that clock
were put back by an hour, nothing would be sent, signed or swept for that hour. Messages do not
expire, because a worker's clock may differ from beat's (E3). Messages do not pile up where no
worker is alive, because beat looks how many wait before it sends another.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import structlog
from celery.beat import ScheduleEntry, Scheduler
from celery.beat import SchedulingError as NotSent
from celery.schedules import BaseSchedule
from django.conf import settings
from kombu.exceptions import ChannelError

from casino.engine.logs.health.beat_lease import Lease
from casino.engine.processes import stopping

ENOUGH: Final = 100  # messages waiting in the queue of sweeps; beat adds no more to that many
ENOUGH_ELSEWHERE: Final = 10_000
"""The limit for signs of life, which wait among wakes: workers may have thousands of these."""
BEGAN: Final = datetime(2000, 1, 1, tzinfo=UTC)

log = structlog.get_logger(__name__)


def steady() -> datetime:
    """The current time by the monotonic clock. The date means nothing; only differences count."""
    return BEGAN + timedelta(seconds=time.monotonic())


class Entry(ScheduleEntry):
    """A schedule entry whose times (last sent, next due) come from the monotonic clock `steady`."""

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **fields)
        if isinstance(self.schedule, BaseSchedule):
            self.schedule.nowfun = steady  # type: ignore[attr-defined]  # its stubs misspell it

    def default_now(self) -> datetime:
        return steady()


class Clock(Scheduler):
    """
    The scheduler. A message that could not be sent is due again a second later; the log gets one
    line when the broker is lost, not one each second.
    """

    Entry = Entry
    sending = True

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        try:
            if not self._enough_waits(entry, producer):
                self.apply_async(entry, producer=producer, advance=False)
        except NotSent as error:
            if self.sending:
                reason = type(error.__cause__ or error).__name__
                log.error("broker_lost", task=entry.task, reason=reason)  # noqa: TRY400 - no news in it
            self.sending = False
        else:
            if not self.sending:
                log.warning("broker_found", task=entry.task)
            self.sending = True

    def _ensure_connected(self) -> Any:
        """
        The connection, which connects when the first message is sent. Celery would connect before,
        try until the broker answers, and hear no stop meanwhile.
        """
        return self.connection

    @staticmethod
    def _enough_waits(entry: ScheduleEntry, producer: Any) -> bool:
        queue = (entry.options or {}).get("queue", settings.CELERY_TASK_DEFAULT_QUEUE)
        try:
            waiting = producer.channel.queue_declare(queue, passive=True).message_count
        except ChannelError:  # nothing was ever sent to this queue
            return False
        except Exception as error:  # whatever the broker's client raises, as when sending
            raise NotSent(str(error)) from error
        enough = ENOUGH if queue == settings.WATCH else ENOUGH_ELSEWHERE
        return bool(waiting >= enough)


class Leased(Clock):
    """
    The scheduler of one beat of several: it sends while it has the lease, and else waits for it.

    A beat that gets the lease sends at once what has become due while it waited.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self.lease = Lease()
        super().__init__(*args, **options)

    def tick(self, *args: Any, **options: Any) -> float:
        stopping.touch_heartbeat()
        if not self.lease.held():
            return self.max_interval or 1.0
        return super().tick(*args, **options) or 0.0

    def close(self) -> None:
        super().close()
        self.lease.give_back()
