"""The Celery task of workers' heartbeats."""

from __future__ import annotations

from celery import Task, shared_task
from django.utils import timezone

from casino.engine.logs.health import models


@shared_task(name="casino.health.tasks.sign_of_life", bind=True, acks_late=True)
def sign_of_life(self: Task[..., None], *, queue: str, **_newer: object) -> None:
    """Record a heartbeat: a worker does tasks of this queue. Beat sends it every few seconds."""
    models.sign(queue=queue, worker=self.request.hostname or "eager", at=timezone.now())
