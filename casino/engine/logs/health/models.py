"""Heartbeats of workers, and the lease of beat."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import Max


class WorkerSign(models.Model):
    """When a worker last served a queue; in the database, so that every web process can read it."""

    pk = models.CompositePrimaryKey("queue", "worker")
    queue = models.CharField(max_length=32)
    worker = models.CharField(max_length=255)
    seen_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering: ClassVar = ["-seen_at"]

    def __str__(self) -> str:
        return f"{self.queue} by {self.worker}, {self.seen_at:%Y-%m-%d %H:%M:%S}"


class BeatLease(models.Model):
    """
    Which beat sends: one row, written by `casino.engine.logs.health.beat_lease` alone.

    `fence` counts the holdings; `ends_at` is by the database's clock.
    """

    name = models.CharField(max_length=16, primary_key=True)
    holder = models.UUIDField()
    fence = models.BigIntegerField()
    renewed_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(name="health_beatlease_fence", condition=models.Q(fence__gte=1)),
            models.CheckConstraint(
                name="health_beatlease_ends",
                condition=models.Q(ends_at__gte=models.F("renewed_at")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} by {self.holder} ({self.fence}) until {self.ends_at:%H:%M:%S}"


# Heartbeats of workers: when each queue was last served.


WORKER_SILENT: Final = timedelta(seconds=30)  # six heartbeats missed
SIGNS_KEPT: Final = timedelta(days=1)  # older heartbeats, of workers that are gone, are deleted


def sign(*, queue: str, worker: str, at: datetime) -> None:
    WorkerSign.objects.update_or_create(queue=queue, worker=worker, defaults={"seen_at": at})
    WorkerSign.objects.filter(seen_at__lt=at - SIGNS_KEPT).delete()


def last_seen(now: datetime) -> dict[str, datetime | None]:
    """
    When a worker last took something from each queue.

    A heartbeat in the future does not count: it is from before a clock was put back, and its worker
    may be gone. A running worker sends another one within seconds.
    """
    rows = WorkerSign.objects.filter(seen_at__lte=now + WORKER_SILENT)
    by_queue = rows.values("queue").annotate(seen=Max("seen_at"))
    seen = dict(by_queue.values_list("queue", "seen"))
    return {queue: seen.get(queue) for queue in settings.QUEUES}


def play_worker(now: datetime) -> dict[str, Any]:
    """Whether workers serve every queue of settlement, and since when each was served."""
    found = last_seen(now)
    seen = [found[queue] for queue in settings.PLAY_SHARDS]
    oldest = None if None in seen else min(filter(None, seen))
    return {"alive": oldest is not None and now - oldest < WORKER_SILENT, "seen_at": oldest}
