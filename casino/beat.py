"""Celery beat's scheduler, in memory, that says once when the broker goes and when it is back."""

from typing import Any

import structlog
from celery.beat import ScheduleEntry, Scheduler
from celery.beat import SchedulingError as NotSent

log = structlog.get_logger(__name__)


class Clock(Scheduler):
    """What could not be sent is due again in a second: one line tells it, not one each second."""

    sending = True

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        try:
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
