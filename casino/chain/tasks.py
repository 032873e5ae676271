"""
Celery tasks of chains: summaries that are due, and settings that are being rolled out.

A message is only a wake: if it is lost or sent twice, nothing but time is lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from celery import shared_task
from django.utils import timezone

from casino.chain import summaries
from casino.platform import storage_failure, waking

if TYPE_CHECKING:
    from uuid import UUID

SUMMARY = "summary"


def summarise(establishment: UUID) -> bool:
    """Make a house's summary anew. Called twice, it is made twice, and is the same."""
    summaries.refresh(establishment)
    return False


@shared_task(acks_late=True)
def summarise_next(**_newer: object) -> None:
    """Make the summary that has waited longest."""
    WAKES.serve()


WAKES = waking.Wakes("summaries", {SUMMARY: summarise}, summarise_next.delay)


@shared_task(acks_late=True)
def watch(**_newer: object) -> None:
    """Find the summaries that are due, in case a wake was lost, and those that have grown old."""
    if storage_failure.resting():
        return
    rows = summaries.to_be_made(timezone.now()).values_list("establishment_id", flat=True)
    gone = summaries.without_a_row().values_list("establishment_id", flat=True)
    houses = [*rows[: summaries.SWEPT], *gone[: summaries.SWEPT]]
    WAKES.wake(((SUMMARY, house) for house in houses), top_up=True)
