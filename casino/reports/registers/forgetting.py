"""
The erasure of a player's name: prepared files that may contain it are deleted and prepared again.

The SHA-256 of each deleted file stays. An erasure that is read again finds nothing left to do.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from casino.engine.processes.queues.house_subscriber import Area
from casino.floor.players.erasure import ERASED
from casino.kit.web.jobs import running
from casino.kit.web.jobs.models import Job, Occasion, State
from casino.reports.registers.catalogue import REPORTS
from casino.reports.registers.models import Preparation, PreparedFile

if TYPE_CHECKING:
    from ledger.wire import StoredEvent

LAG: Final = timedelta(hours=1)
"""How long after an erasure was recorded a file may still contain the name: the name is erased when
the subscriber reads the event. A rebuild reads the event again, and makes files of that hour again.
"""


def handle(event: StoredEvent) -> None:
    if event.event_type == ERASED:
        _forget(event)


def _forget(event: StoredEvent) -> None:
    at = event.provenance.recorded_at
    until = at + LAG
    named = [report.name for report in REPORTS if report.names_players]
    before = Preparation.objects.filter(
        establishment=event.establishment, parameters__report__in=named, asked_at__lte=until
    )
    held = PreparedFile.objects.filter(
        establishment=event.establishment, job__in=before.values("id"),
        made_at__lte=until, dropped_at=None,
    )  # fmt: skip
    touched = set(held.values_list("job", flat=True))
    for row in held.exclude(sha256=""):
        dropped = {"sha256": row.sha256, "made_at": row.made_at.isoformat()}
        PreparedFile.objects.filter(pk=row.pk).update(
            content=b"", dropped_at=at, earlier=[*row.earlier, dropped]
        )
    anew = before.filter(state=State.RUNNING) | before.filter(
        id__in=touched, state=State.DONE, occasion=Occasion.DAY
    )
    running.restart(anew)


AREA = Area("reports", handle, (), effects=(Job, PreparedFile))
