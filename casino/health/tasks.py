"""Celery: one call each."""

from __future__ import annotations

from celery import Task, shared_task
from django.utils import timezone

from casino.health import checks as health


@shared_task(bind=True, acks_late=True)
def sign_of_life(self: Task[..., None], *, queue: str, **_newer: object) -> None:
    """Record that a worker takes and does tasks of a queue; beat sends this every few seconds."""
    health.sign(queue=queue, worker=self.request.hostname or "eager", at=timezone.now())
