"""Celery: short stints, so that settlement never waits long for a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from uuid import UUID

import structlog
from celery import shared_task
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerDown

from casino import storage
from casino.whatif import runs

if TYPE_CHECKING:
    from casino.whatif.models import WhatIf

STINT: Final = 2.0  # seconds

log = structlog.get_logger(__name__)


@shared_task(acks_late=True)
def replay(*, establishment: str, run: str, **_newer: object) -> None:
    """Bring a what-if on a little, and send for the rest."""
    if runs.advance(UUID(establishment), UUID(run), seconds=STINT):
        replay.delay(establishment=establishment, run=run)


@shared_task(acks_late=True)
def watch(**_newer: object) -> None:
    """Wake what a killed worker left."""
    if storage.resting():
        return
    for run in runs.resting(timezone.now()):
        wake(run)


def nudge(run: WhatIf) -> None:
    """Wake a worker after commit. A broker that is down costs minutes: the watch comes by."""

    def send() -> None:
        try:
            wake(run)
        except (BrokerDown, OSError) as down:
            log.warning("nudge_lost", reason=str(down))

    transaction.on_commit(send)


def wake(run: WhatIf) -> None:
    replay.delay(establishment=str(run.establishment_id), run=str(run.id))
