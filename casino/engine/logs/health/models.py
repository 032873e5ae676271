"""Heartbeats of workers, and the lease of beat."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


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
