"""Celery: short stints, so that settlement never waits long for a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from casino.platform import storage_failure, waking
from casino.what_if import runs

if TYPE_CHECKING:
    from casino.what_if.models import WhatIf

STINT: Final = 2.0  # seconds


@shared_task(acks_late=True)
def replay(*, establishment: str, run: str, **_newer: object) -> None:
    """Bring a what-if on a little, and send for the rest."""
    if runs.advance(UUID(establishment), UUID(run), seconds=STINT):
        replay.delay(establishment=establishment, run=run)


@shared_task(acks_late=True)
def watch(**_newer: object) -> None:
    """Wake what a killed worker left."""
    if storage_failure.resting():
        return
    for run in runs.resting(timezone.now()):
        send(run)


def wake(run: WhatIf) -> None:
    """Wake a worker; one that is not reached costs minutes: the watch comes by."""
    waking.after_commit(lambda: send(run))


def send(run: WhatIf) -> None:
    replay.delay(establishment=str(run.establishment_id), run=str(run.id))
