"""
How the installation stands: figures of the database and the broker, read when somebody asks.

They say the same whichever program is asked, so one address of one of them is read. A scrape costs
what `/healthz` costs, and one index look-up more for each house and subscriber.
"""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any, Final

import structlog
from celery import current_app as app
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone
from kombu.exceptions import ChannelError
from kombu.exceptions import OperationalError as BrokerDown
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily
from prometheus_client.registry import Collector

from casino.engine.logs.health import models
from casino.engine.logs.health.models import BeatLease
from casino.engine.processes.queues import waking
from casino.engine.processes.version import VERSION
from casino.office.monitoring import checks
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from ledger import subscriptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from prometheus_client.core import Metric


NAME: Final = "home_throw"
log = structlog.get_logger(__name__)


class Build(Collector):
    """Which version runs here."""

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily(
            f"{NAME}_build",
            "The version of the house, and of Python.",
            {"version": VERSION, "python": platform.python_version()},
        )


class Installation(Collector):
    """Everything that is not counted in a process. What does not answer is left out."""

    def collect(self) -> Iterator[Metric]:
        now = timezone.now()
        answers = GaugeMetricFamily(
            f"{NAME}_figures_read", "Whether these figures could be read: 1, or 0.", labels=["of"]
        )
        parts: dict[str, Callable[[], list[Metric]]] = {
            "subscriptions": lambda: progress_of_subscribers(now),
            "queues": queues,
            "workers": lambda: workers(now),
            "beat": beat,
            "health": lambda: health(now),
        }
        for name, read in parts.items():
            try:
                yield from read()
            except (DatabaseError, BrokerDown, OSError) as error:
                log.warning("figures_unread", of=name, reason=type(error).__name__)
                answers.add_metric([name], 0)
            else:
                answers.add_metric([name], 1)
        yield answers

    def describe(self) -> list[Metric]:
        """None: to describe itself it would have to ask everybody."""
        return []


def progress_of_subscribers(now: datetime) -> list[Metric]:
    """How far the ledger is, and how far subscribers are behind it, over all houses."""
    of_subscriber = ["subscriber"]
    houses = GaugeMetricFamily(
        f"{NAME}_subscription_lagging_houses", "Houses with unread events.", labels=of_subscriber
    )
    behind = GaugeMetricFamily(
        f"{NAME}_subscription_lag_events", "Unread events, of all houses.", labels=of_subscriber
    )
    worst = GaugeMetricFamily(
        f"{NAME}_subscription_worst_lag_events",
        "Unread events of the house with most.",
        labels=of_subscriber,
    )
    oldest = GaugeMetricFamily(
        f"{NAME}_subscription_worst_lag_seconds",
        "Age of the oldest unread event, in seconds.",
        labels=of_subscriber,
    )
    begun, events = 0, 0
    for total in subscriptions.totals(SUBSCRIBERS):
        begun, events = total.houses, total.recorded
        since = 0.0 if total.oldest is None else max(0.0, (now - total.oldest).total_seconds())
        for family, value in (
            (houses, total.lagging),
            (behind, total.behind),
            (worst, total.worst),
            (oldest, since),
        ):
            family.add_metric([total.subscription], value)
    return [
        GaugeMetricFamily(f"{NAME}_ledgers", "Ledgers with at least one event.", begun),
        CounterMetricFamily(f"{NAME}_ledger_events", "Events recorded, in all ledgers.", events),
        houses, behind, worst, oldest,
    ]  # fmt: skip


def queues() -> list[Metric]:
    """What waits in the broker's queues, and in the lists of houses to look after."""
    messages = GaugeMetricFamily(
        f"{NAME}_queue_messages", "Messages that wait in a queue.", labels=["queue"]
    )
    entries = GaugeMetricFamily(
        f"{NAME}_waiting_entries", "Houses that wait for their turn in a queue.", labels=["queue"]
    )
    with app.connection_for_write(connect_timeout=checks.BROKER_TIMEOUT) as link:
        link.ensure_connection(max_retries=1, interval_start=0, timeout=checks.BROKER_TIMEOUT)
        channel: Any = link.default_channel  # its stubs know no method of it
        for queue in settings.CELERY_TASK_QUEUES:
            try:
                found = channel.queue_declare(queue, passive=True).message_count
            except ChannelError:  # nothing was ever sent to it
                found = 0
            messages.add_metric([queue], found)
    for queue in settings.CELERY_TASK_QUEUES:
        entries.add_metric([queue], waiting_entries(queue))
    return [messages, entries]


def waiting_entries(queue: str) -> int:
    """:raises BrokerDown: if the broker cannot be reached."""
    try:
        return waking.waiting().length(queue)
    except Exception as error:
        if waking.of_redis(error):
            raise BrokerDown(str(error)) from error
        raise


def workers(now: datetime) -> list[Metric]:
    """When a worker last took something from each queue."""
    seen = GaugeMetricFamily(
        f"{NAME}_queue_served_timestamp_seconds",
        "When a worker last answered a heartbeat from a queue, in seconds since 1970.",
        labels=["queue"],
    )
    for queue, at in models.last_seen(now).items():
        if at is not None:
            seen.add_metric([queue], at.timestamp())
    return [seen]


def beat() -> list[Metric]:
    """The lease of beat: when it was renewed, when it ends, how often the holder changed."""
    renewed = GaugeMetricFamily(
        f"{NAME}_beat_lease_renewed_timestamp_seconds", "When beat renewed its lease, since 1970."
    )
    ends = GaugeMetricFamily(
        f"{NAME}_beat_lease_ends_timestamp_seconds", "When beat's lease ends, since 1970."
    )
    holders = CounterMetricFamily(f"{NAME}_beat_holders", "Holders that the lease has had.")
    for row in BeatLease.objects.all():
        renewed.add_metric([], row.renewed_at.timestamp())
        ends.add_metric([], row.ends_at.timestamp())
        holders.add_metric([], row.fence)
    return [renewed, ends, holders]


def health(now: datetime) -> list[Metric]:
    """What `/healthz` says of each part."""
    well = GaugeMetricFamily(
        f"{NAME}_healthy", "Whether a part of /healthz is well: 1, or 0.", labels=["part"]
    )
    for part, finding in checks.report(now)["parts"].items():
        well.add_metric([part], int(finding["ok"]))
    return [well]
