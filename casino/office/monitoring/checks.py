"""
Health checks: database, storage, broker, workers, the lag of subscriptions, integrity, payouts.

``/healthz`` is for monitors: 200, or 503 if something needs a person. ``/healthz/web`` is for load
balancers: a web process that reaches its database, and finds its tables there, can serve, whatever
the state of the rest.
"""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import structlog
from celery import current_app as app
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu.exceptions import OperationalError as BrokerDown

from casino.engine.databases import migrated as migrations
from casino.engine.databases import storage_failure
from casino.engine.databases.postgresql import citus
from casino.engine.logs.health.models import WORKER_SILENT, last_seen
from casino.engine.processes.stopping import DRAINING
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from casino.play.settlement import payout_holds
from casino.proof.disputes.regrade import runs
from casino.proof.signing import epochs
from casino.proof.signing import findings as integrity_findings
from casino.proof.verification import runs as verification_runs
from casino.words.languages import locales
from ledger import subscriptions
from ledger.conflicts import count_of
from ledger.models import ParkedEvent

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest

    from casino.house.establishments.models import Establishment

# A worker that prepares one long file sends no heartbeat meanwhile.
SILENT = dict.fromkeys(settings.QUEUES, WORKER_SILENT) | {settings.LONG: timedelta(minutes=5)}
LAG_MAX = 500  # events; a running worker catches up on these within seconds
BROKER_TIMEOUT = 1  # second

NO_BROKER = "REDIS_URL is not set: no worker hears of what is to be settled."

log = structlog.get_logger(__name__)
_migrated = threading.Event()
"""Whether this process has found all its migrations in the database."""


@dataclass(frozen=True)
class Finding:
    """The state of one part: ``says`` is a sentence for people, ``figures`` are for machines."""

    ok: bool
    says: str
    figures: dict[str, Any] = field(default_factory=dict)


DRAINED = Finding(ok=False, says="This process is about to end, and answers what comes meanwhile.")


def report(now: datetime | None = None) -> dict[str, Any]:
    """
    The state of the house: ``{"ok": bool, "at": datetime, "parts": {name: {ok, says, figures}}}``.

    Parts are database, storage, broker, worker, subscriptions, regrade, integrity and payouts,
    replicas where there are any, and servers where the database is distributed. If it does not
    answer, all but the broker are unknown, and not ok; so are those that ask every server while one
    of them does not answer: each would wait for it, and a monitor would not wait for all of them.
    """
    now = now or timezone.now()
    of_servers = run_check(servers) if is_distributed() else None
    of_houses = run_check if of_servers is None or answering(of_servers) else unknown
    findings = {
        "database": run_check(database),
        "storage": run_check(check_storage),
        "broker": run_check(broker),
        "worker": run_check(lambda: worker(now)),
        "subscriptions": of_houses(lag),
        "regrade": of_houses(regrade),
        "integrity": of_houses(lambda: integrity(now)),
        "payouts": of_houses(payouts),
    }
    if settings.REPLICAS:
        findings["replicas"] = run_check(replicas)
    if of_servers is not None:
        findings["servers"] = of_servers
    return {
        "ok": all(finding.ok for finding in findings.values()),
        "at": now,
        "parts": {name: asdict(finding) for name, finding in findings.items()},
    }


def run_check(check: Callable[[], Finding]) -> Finding:
    try:
        return check()
    except DatabaseError as error:
        log.warning("health_unknown", reason=type(error).__name__)
        return Finding(ok=False, says="The database does not answer.")


def unknown(_check: Callable[[], Finding]) -> Finding:
    return Finding(ok=False, says="Not known while a server does not answer.")


def database() -> Finding:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return Finding(ok=True, says=f"{connection.display_name} answers.")


def check_migrations() -> Finding:
    """
    Whether the database has had all migrations of this version. It may have had more: then a newer
    version is coming. Nothing takes a migration away, so what was found once is not asked again.
    """
    if not _migrated.is_set():
        if not migrations.whole():
            return Finding(ok=False, says="The database lacks migrations: run manage.py migrate.")
        _migrated.set()
    return database()


def check_storage() -> Finding:
    """Whether the database can be written, and has room."""
    says = storage_failure.complaint()
    return Finding(ok=says is None, says=says or "The book can be written.")


def broker() -> Finding:
    """Try to reach the broker. Without it commands are taken, and settled when it is back."""
    with app.connection_for_write(connect_timeout=BROKER_TIMEOUT) as link:
        if link.transport_cls == "memory":
            # In production, with several processes, each would get only its own wakes.
            alone = settings.PRODUCTION
            return Finding(
                ok=not alone, says=NO_BROKER if alone else "One process needs no broker."
            )
        try:
            link.ensure_connection(max_retries=1, interval_start=0, timeout=BROKER_TIMEOUT)
        except (OSError, BrokerDown) as error:
            log.warning("broker_away", reason=type(error).__name__)
            return Finding(ok=False, says="The broker does not answer.")
    return Finding(ok=True, says="The broker answers.")


def worker(now: datetime) -> Finding:
    """Whether every queue is served, no matter how much waits in it."""
    signs = last_seen(now)
    if not any(signs.values()):
        return Finding(ok=False, says="No worker has been seen yet.")
    since = {
        queue: None if seen is None else max(0, round((now - seen).total_seconds()))
        for queue, seen in signs.items()
    }
    figures = {"seen_at": max(filter(None, signs.values())), "seconds_ago": since}
    for queue, seconds in since.items():
        if seconds is None:
            says = f"No worker was seen that serves the queue {queue}."
            return Finding(ok=False, says=says, figures=figures)
        if seconds > SILENT[queue].total_seconds():
            silence = locales.duration_in_english(timedelta(seconds=seconds))
            says = f"No worker has served the queue {queue} for {silence}."
            return Finding(ok=False, says=says, figures=figures)
    longest = max(filter(None, since.values()), default=0)
    says = f"Every queue was served within the last {longest} s."
    return Finding(ok=True, says=says, figures=figures)


def lag() -> Finding:
    behind = subscriptions.lagging(SUBSCRIBERS)
    events = max((each.lag for each in behind), default=0)
    parked = ParkedEvent.objects.count()
    figures = {"events": events, "lagging": len(behind), "parked": parked}
    if parked:
        says = (
            f"{count_of(parked, 'event is', 'events are')} parked: a game's settlement or"
            " screens wait for a person."
        )
        return Finding(ok=False, says=says, figures=figures)
    says = f"Up to {count_of(events, 'event')} behind." if events else "All caught up."
    return Finding(ok=events <= LAG_MAX, says=says, figures=figures)


def regrade() -> Finding:
    """Whether a regrade found payouts that the rules do not give, and no later regrade agrees."""
    found = runs.alarming()
    figures = {"regrades": found.count()}
    if not figures["regrades"]:
        return Finding(ok=True, says="No regrade has found a difference.", figures=figures)
    says = "A regrade found payouts that differ, or could not be done: see its differences."
    return Finding(ok=False, says=says, figures=figures)


def integrity(now: datetime) -> Finding:
    """Whether every ledger is signed, agrees with its checkpoints, and has a copy outside."""
    found = verification_runs.condition_of_all(now)
    says = found.complaints[0] if found.complaints else "Every ledger is signed as it goes on."
    if len(found.complaints) > 1:
        says += f" And {len(found.complaints) - 1} more."
    return Finding(ok=not found.complaints, says=says, figures=found.figures)


def payouts() -> Finding:
    """Whether any house has stopped its payouts, because a check of its records failed (E2)."""
    stopped = list(payout_holds.houses().order_by("name"))
    figures = {"stopped": len(stopped)}
    if not stopped:
        return Finding(ok=True, says="Every house pays.", figures=figures)
    first, *more = stopped
    says = f"{first.name}: payouts are stopped: {_why_stopped(first)}"
    if more:
        says += f" And of {count_of(len(more), 'more house')}."
    return Finding(ok=False, says=says, figures=figures)


def replicas() -> Finding:
    """
    Whether every replica answers as a standby of the house's server; how far each is, and how often
    this process has read there, and why not. However far one is behind, no page waits for it.
    """
    from casino.engine.scale.replicas import servers  # noqa: PLC0415 - only where there are replicas

    states = servers.states()
    figures = {"replicas": states}
    for each in states:
        if each["says"]:
            says = f"{each['replica']}: {each['says']} Pages are read from the primary."
            return Finding(ok=False, says=says, figures=figures)
    far = [
        f"{it['replica']} is at {it['position']}, {count_of(it['behind'], 'byte')} behind."
        for it in states
    ]
    return Finding(ok=True, says=" ".join(far), figures=figures)


def is_distributed() -> bool:
    try:
        return citus.is_distributed(connection)
    except DatabaseError:
        return False


def servers() -> Finding:
    """
    Whether each server of a distributed database answers, can be written, archives its log.

    Anybody may read this, so a server has a number; `manage.py health` says its address.
    """
    from casino.engine.scale.distribution import servers  # noqa: PLC0415 - only where there are several

    try:
        states = servers.states(connection)
    except servers.Unanswered:
        log.warning("server_unanswered")
        says = "A server takes connections and does not answer."
        return Finding(ok=False, says=says, figures={"answering": False})
    figures = {"servers": states, "answering": all(each["answers"] for each in states)}
    wrong = [f"Server {each['server']}: {each['says']}" for each in states if each["says"]]
    says = " ".join(wrong) or f"{count_of(len(states), 'server has', 'servers have')} the houses."
    return Finding(ok=not wrong, says=says, figures=figures)


def answering(found: Finding) -> bool:
    """Whether no server is known not to answer, by what `servers` found."""
    return bool(found.figures.get("answering", True))


def _why_stopped(house: Establishment) -> str:
    """Why the payouts of a house are stopped, and what to do about it."""
    if (known := epochs.loss_not_on_record(house.pk)) is not None:
        size = known.published.size
        return (
            f"its book is behind a checkpoint of {count_of(size, 'event')}."
            f" {integrity_findings.after_restore(house.pk)} Then"
            f" two people resume payouts. E2"
        )
    return f"a check of its records has failed. {integrity_findings.RESUME}"


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> JsonResponse:
    found = report()
    return JsonResponse(found, status=200 if found["ok"] else 503)


@never_cache
@require_safe
def healthz_web(_request: HttpRequest) -> JsonResponse:
    found = DRAINED if DRAINING.is_set() else run_check(check_migrations)
    return JsonResponse(asdict(found), status=200 if found.ok else 503)
