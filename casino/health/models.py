"""Heartbeats of workers."""

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
