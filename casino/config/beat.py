"""
Celery beat's scheduler, in memory: by a clock that nobody sets.

What is due each so many seconds is due after so many seconds, whatever becomes of the host's clock:
one that is put back by an hour would have nothing sent, signed or swept for that hour. And what is
sent has no moment at which it expires, for a worker's clock may be off from beat's (E3). Nothing
piles up where no worker lives, because beat looks how much waits there before it sends more.
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

ENOUGH: Final = 100  # messages that wait in the queue of sweeps; more would sweep no more
ENOUGH_ELSEWHERE: Final = 10_000
"""Where a sign of life waits among wakes, of which workers that live may have thousands."""
BEGAN: Final = datetime(2000, 1, 1, tzinfo=UTC)

log = structlog.get_logger(__name__)


def steady() -> datetime:
    """A time that goes on by a second each second; which one it is says nothing."""
    return BEGAN + timedelta(seconds=time.monotonic())


class Entry(ScheduleEntry):
    """When it was last sent, and is due again, by that time."""

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **fields)
        if isinstance(self.schedule, BaseSchedule):
            self.schedule.nowfun = steady  # type: ignore[attr-defined]  # its stubs misspell it

    def default_now(self) -> datetime:
        return steady()


class Clock(Scheduler):
    """What could not be sent is due again in a second: one line in the log, not one each second."""

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

    @staticmethod
    def _enough_waits(entry: ScheduleEntry, producer: Any) -> bool:
        queue = (entry.options or {}).get("queue", settings.CELERY_TASK_DEFAULT_QUEUE)
        try:
            waiting = producer.channel.queue_declare(queue, passive=True).message_count
        except ChannelError:  # nothing was ever sent to it
            return False
        except Exception as error:  # whatever the broker's client raises, as where it sends
            raise NotSent(str(error)) from error
        enough = ENOUGH if queue == settings.WATCH else ENOUGH_ELSEWHERE
        return bool(waiting >= enough)
