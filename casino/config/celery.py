"""The Celery application: messages are wakes, the ledger is the outbox."""

import os

from celery import Celery, signals
from kombu.transport import TRANSPORT_ALIASES

# Celery chooses the transport by the scheme of the broker's address, at the first connection.
TRANSPORT_ALIASES |= dict.fromkeys(("redis", "rediss"), "casino.config.broker:Transport")
TRANSPORT_ALIASES["sentinel"] = "casino.config.broker:SentinelTransport"

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.config.settings")
# Before Celery imports tasks it would run all of Django's system checks and import every view for
# them. The tests run these checks; here they would slow down every start.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

IDLE_WITHIN, BUSY_WITHIN = 15.0, 235.0
"""
Seconds in which a worker ends that was asked to: without a task, and with one. A step of a long job
may take 230 s; one that is cut off is done again.
"""

READ_WITHIN = 5.0
"""
Seconds in which a process of a worker's pool ends whose results nobody reads any more; by default
30. On a stop Celery forgets a task that was just handed to a process, and waits for that process.
"""

app = Celery("casino")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.worker_init.connect
def before_all_forks(**_signal: object) -> None:
    from django.conf import settings  # noqa: PLC0415 - they import this module

    app.events.dispatcher_cls = "casino.config.worker_events:Unsent"
    if settings.METRICS_BIND:
        from casino.office.monitoring import exporter  # noqa: PLC0415 - only who is asked for metrics

        exporter.begin(settings.METRICS_BIND, forks=True)
        signals.worker_process_init.connect(exporter.serve_from_here)


@signals.worker_process_init.connect
def end_with_its_worker(**_signal: object) -> None:
    from casino.engine.processes import stopping  # noqa: PLC0415 - only workers have such processes

    stopping.end_with(os.getppid())


@signals.heartbeat_sent.connect
def goes_on(**_signal: object) -> None:
    from casino.engine.processes import stopping  # noqa: PLC0415 - only workers have one

    stopping.touch_heartbeat()


@signals.worker_shutting_down.connect
def ends(**_signal: object) -> None:
    """See that a worker that was asked to stop does so, once it has finished what it began."""
    from celery.worker import state  # noqa: PLC0415 - only workers have one

    from casino.engine.processes import stopping  # noqa: PLC0415 - only workers are stopped so

    if state.should_stop is None:  # asked again, it has no less time for a task that it forgot
        idle = not state.reserved_requests
        stopping.exit_within(IDLE_WITHIN if idle else BUSY_WITHIN)


@signals.worker_before_create_process.connect
def before_a_fork(**_signal: object) -> None:
    from billiard import pool  # noqa: PLC0415 - only workers have such processes

    from casino.config import preload  # noqa: PLC0415 - with it most of the house: a worker alone needs it

    preload.worker()
    interval = pool.GUARANTEE_MESSAGE_CONSUMPTION_RETRY_INTERVAL
    pool.GUARANTEE_MESSAGE_CONSUMPTION_RETRY_LIMIT = round(READ_WITHIN / interval)
