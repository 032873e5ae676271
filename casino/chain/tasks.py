"""
Celery tasks of chains: summaries that are due, and settings that are being rolled out.

A message is only a wake: if it is lost or sent twice, nothing but time is lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from celery import shared_task
from django.utils import timezone

from casino.chain import summaries
from casino.chain.models import RollOutHouse
from casino.engine.databases import storage_failure
from casino.engine.processes.queues import waking

if TYPE_CHECKING:
    from uuid import UUID

SUMMARY = "summary"


def summarise(establishment: UUID) -> bool:
    """Make a house's summary anew. Called twice, it is made twice, and is the same."""
    summaries.refresh(establishment)
    return False


@shared_task(name="casino.chain.tasks.summarise_next", acks_late=True)
def summarise_next(**_newer: object) -> None:
    """Make the summary that has waited longest."""
    WAKES.serve()


WAKES = waking.Wakes("summaries", {SUMMARY: summarise}, lambda _list: summarise_next.delay())


@shared_task(name="casino.chain.tasks.begin_roll_outs", acks_late=True)
def begin_roll_outs(**_newer: object) -> None:
    """Begin the jobs of houses whose settings wait to be changed."""
    from casino.chain import roll_outs  # noqa: PLC0415 - not for a sweep that finds nothing

    if roll_outs.begin_waiting(timezone.now()):
        begin_roll_outs.delay()


def wake_roll_outs() -> None:
    """Wake a worker after commit; if the message is lost, `watch` sends it within seconds."""
    waking.after_commit(begin_roll_outs.delay)


@shared_task(name="casino.chain.tasks.watch", acks_late=True)
def watch(**_newer: object) -> None:
    """
    Find what is due in case a wake was lost: summaries, also those that have grown old, and houses
    that wait for their settings.
    """
    if storage_failure.resting():
        return
    due = [each.pk for each in summaries.to_be_made(timezone.now())[: summaries.SWEPT]]
    gone = summaries.without_a_row().values_list("establishment_id", flat=True)
    houses = [*due, *gone[: summaries.SWEPT]]
    WAKES.wake(((SUMMARY, house) for house in houses), top_up=True)
    if RollOutHouse.objects.filter(state=RollOutHouse.State.WAITING).exists():
        begin_roll_outs.delay()
