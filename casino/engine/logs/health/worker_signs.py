"""Heartbeats of workers: when each queue was last served."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db.models import Max

from casino.engine.logs.health.models import WorkerSign

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
