"""
Celery beat's scheduler, in memory, that says once when the broker goes and when it is back.

What it sends expires, so that nothing piles up where no worker lives. When it has expired the
worker's clock says, which may be minutes off from beat's (E3): a sweep that comes late does no
harm, one that is never done leaves payouts unbooked.
"""

from copy import copy
from typing import Any

import structlog
from celery.beat import ScheduleEntry, Scheduler
from celery.beat import SchedulingError as NotSent

CLOCKS_DIFFER = 15 * 60  # seconds that a worker's clock may be ahead of beat's

log = structlog.get_logger(__name__)


class Clock(Scheduler):
    """What could not be sent is due again in a second: one line tells it, not one each second."""

    sending = True

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        try:
            self.apply_async(_by_any_clock(entry), producer=producer, advance=False)
        except NotSent as error:
            if self.sending:
                reason = type(error.__cause__ or error).__name__
                log.error("broker_lost", task=entry.task, reason=reason)  # noqa: TRY400 - no news in it
            self.sending = False
        else:
            if not self.sending:
                log.warning("broker_found", task=entry.task)
            self.sending = True


def _by_any_clock(entry: ScheduleEntry) -> ScheduleEntry:
    """The same, expiring so much later than it says; the schedule keeps its own."""
    options = entry.options or {}
    if "expires" not in options:
        return entry
    lasting = copy(entry)
    lasting.options = {**options, "expires": options["expires"] + CLOCKS_DIFFER}
    return lasting
