"""What the back office keeps for itself: the signs that workers give."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class WorkerSign(models.Model):
    """When a worker last did something. Any web process can ask, whatever the broker is."""

    worker = models.CharField(max_length=255, primary_key=True)
    seen_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering: ClassVar = ["-seen_at"]

    def __str__(self) -> str:
        return f"{self.worker}, {self.seen_at:%Y-%m-%d %H:%M:%S}"
