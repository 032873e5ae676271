"""Whether the house is well, and who is told."""

import json
import threading
from datetime import UTC, datetime, timedelta
from unittest.mock import ANY
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from casino.engine.logs.health import models
from casino.engine.logs.health.models import WorkerSign
from casino.engine.logs.health.tasks import sign_of_life
from casino.engine.scale.distribution import servers
from casino.office.monitoring import checks as health
from ledger.models import ParkedEvent
from tests.support.on_citus import of_one_server

NOW = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
pytestmark = pytest.mark.django_db


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


# fmt: off
ALL = dict.fromkeys(settings.QUEUES, 2)
ALL_BUT_ONE = {"play": 1, "signing": 1, "watch": 1}
SERVED = [
    # seconds since each was served       well   what is said
    ({},                                  False, "No worker has been seen yet."),
    (ALL,                                 True,  "Every queue was served within the last 2 s."),
    (ALL | {"play": 30},                  True,  "Every queue was served within the last 30 s."),
    (ALL | {"play": 31},                  False, "No worker has served the queue play for 31 seconds."),  # noqa: E501
    (ALL | {"long": 290},                 True,  "Every queue was served within the last 290 s."),
    (ALL | {"long": 301},                 False, "No worker has served the queue long for 5 minutes."),  # noqa: E501
    (ALL_BUT_ONE,                         False, "No worker was seen that serves the queue long."),
    (dict.fromkeys(settings.QUEUES, -2),  True,  "Every queue was served within the last 0 s."),
]
# fmt: on


@pytest.mark.parametrize(("since", "well", "sentence"), SERVED)
def test_every_queue_has_a_worker_that_serves_it(
    since: dict[str, int], *, well: bool, sentence: str
) -> None:
    for queue, ago in since.items():
        models.sign(queue=queue, worker="long gone", at=NOW - seconds(500))
        models.sign(queue=queue, worker="one", at=NOW - seconds(ago))

    found = health.worker(NOW)

    assert (found.ok, found.says) == (well, sentence)


def test_workers_long_gone_are_forgotten() -> None:
    models.sign(queue="play", worker="gone", at=NOW - timedelta(days=2))
    models.sign(queue="play", worker="here", at=NOW)

    assert list(WorkerSign.objects.values_list("worker", flat=True)) == ["here"]


def test_the_task_that_beat_sends_leaves_a_sign() -> None:
    assert models.last_seen(timezone.now())["play"] is None

    sign_of_life.apply(kwargs={"queue": "play"})

    assert models.last_seen(timezone.now())["play"] is not None


def test_an_event_that_waits_for_a_person_makes_the_house_ill() -> None:
    assert health.lag().ok
    ParkedEvent.objects.create(
        establishment=uuid4(),
        subscription="settlement",
        position=7,
        stream="game/1",
        error="",
        parked_at=NOW,
    )

    found = health.lag()

    assert not found.ok
    assert found.figures == {"events": 0, "lagging": 0, "parked": 1}


def test_healthz_tells_monitors_what_is_wrong(client: Client) -> None:
    response = client.get("/healthz")

    assert response.status_code == 503
    assert response.headers["Cache-Control"] == ANY
    found = response.json()
    assert not found["ok"]
    assert {name for name, part in found["parts"].items() if not part["ok"]} == {"worker"}


def test_healthz_is_200_when_nothing_needs_a_person(client: Client) -> None:
    for queue in settings.QUEUES:
        sign_of_life.apply(kwargs={"queue": queue})

    response = client.get("/healthz")

    assert (response.status_code, response.json()["ok"]) == (200, True)


def test_a_load_balancer_asks_for_the_web_process_alone(client: Client) -> None:
    assert client.get("/healthz/web").status_code == 200
    assert client.post("/healthz/web").status_code == 405


def test_a_load_balancer_is_told_of_a_database_without_our_tables(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_migrated", threading.Event())
    rows = "django_migrations WHERE app = 'health' AND name = '0002_beat_lease'"
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {rows}")  # noqa: S608 - a constant
    answer = client.get("/healthz/web")
    assert (answer.status_code, "run manage.py migrate" in answer.json()["says"]) == (503, True)

    with connection.cursor() as cursor:  # it comes, and with it one of a version that is newer
        for name in ("0002_beat_lease", "9999_of_tomorrow"):
            cursor.execute(
                "INSERT INTO django_migrations (app, name, applied) VALUES ('health', %s, %s)",
                [name, NOW],
            )
    assert client.get("/healthz/web").status_code == 200


def test_healthz_names_no_house_and_nobody(client: Client) -> None:
    models.sign(queue="play", worker="celery@host-17", at=NOW)

    assert "host-17" not in json.dumps(client.get("/healthz").json())


def test_the_command_answers_a_terminal_in_its_exit_status() -> None:
    call_command("health", "database", "broker")

    with pytest.raises(CommandError, match="not well"):
        call_command("health", "worker")
    with pytest.raises(CommandError, match="No part is called pot"):
        call_command("health", "pot")


@of_one_server
def test_what_is_not_there_has_no_part() -> None:
    assert "servers" not in health.report()["parts"]

    with pytest.raises(CommandError, match="nothing to say of servers"):
        call_command("health", "servers")


@pytest.mark.skipif(connection.vendor != "postgresql", reason="of several servers")
def test_only_where_the_time_to_answer_is_over_a_server_is_said_to_hang(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of servers that are there: tests/scale/citus/test_moves.py."""
    at_once = "SELECT set_config('statement_timeout', '50ms', true)"
    monkeypatch.setattr(servers, "PATIENCE", at_once)
    monkeypatch.setattr(servers, "ASKED", "SELECT 1, true, %s FROM pg_sleep(5)")
    hangs = health.run_check(health.servers)
    monkeypatch.setattr(health, "is_distributed", lambda: True)
    parts = health.report()["parts"]
    monkeypatch.setattr(servers, "ASKED", "SELECT 1, true, %s FROM nowhere")
    away = health.run_check(health.servers)

    assert (hangs.ok, hangs.says) == (False, "A server takes connections and does not answer.")
    assert away.says == "The database does not answer."
    # What asks them all is left out where one hangs, and fails by itself without the coordinator.
    assert (health.answering(hangs), health.answering(away)) == (False, True)
    unknown = {name for name, part in parts.items() if part["says"].startswith("Not known")}
    assert unknown == {"subscriptions", "regrade", "integrity", "payouts"}
