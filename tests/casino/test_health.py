"""Whether the house is well, and who is told."""

import json
from datetime import UTC, datetime, timedelta
from unittest.mock import ANY
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from casino import health
from casino.backoffice.models import WorkerSign
from casino.backoffice.tasks import sign_of_life
from ledger.models import ParkedEvent

NOW = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
pytestmark = pytest.mark.django_db


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


# fmt: off
WORKERS = [
    # signs, seconds ago by worker   well    what is said
    ({},                             False, "No worker has been seen yet."),
    ({"one": 3},                     True,  "A worker was seen 3 s ago."),
    ({"one": 30},                    True,  "A worker was seen 30 s ago."),
    ({"one": 31},                    False, "No worker has been seen for 31 s."),
    ({"one": 500, "two": 4},         True,  "A worker was seen 4 s ago."),
    ({"one": -2},                    True,  "A worker was seen 0 s ago."),  # clocks differ
]
# fmt: on


@pytest.mark.parametrize(("signs", "well", "says"), WORKERS)
def test_the_life_of_workers_is_the_age_of_the_last_sign(
    signs: dict[str, int], *, well: bool, says: str
) -> None:
    for worker, ago in signs.items():
        health.sign(worker=worker, at=NOW - seconds(ago))

    found = health.worker(NOW)

    assert (found.ok, found.says) == (well, says)


def test_workers_long_gone_are_forgotten() -> None:
    health.sign(worker="gone", at=NOW - timedelta(days=2))
    health.sign(worker="here", at=NOW)

    assert list(WorkerSign.objects.values_list("worker", flat=True)) == ["here"]


def test_the_task_that_beat_sends_leaves_a_sign() -> None:
    assert health.worker_seen() is None

    sign_of_life.apply()

    assert health.worker_seen() is not None


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
    sign_of_life.apply()

    response = client.get("/healthz")

    assert (response.status_code, response.json()["ok"]) == (200, True)


def test_a_load_balancer_asks_for_the_web_process_alone(client: Client) -> None:
    assert client.get("/healthz/web").status_code == 200
    assert client.post("/healthz/web").status_code == 405


def test_healthz_names_no_house_and_nobody(client: Client) -> None:
    health.sign(worker="celery@host-17", at=NOW)

    assert "host-17" not in json.dumps(client.get("/healthz").json())


def test_the_command_answers_a_terminal_in_its_exit_status() -> None:
    call_command("health", "database", "broker")

    with pytest.raises(CommandError, match="not well"):
        call_command("health", "worker")
    with pytest.raises(CommandError, match="No part is called pot"):
        call_command("health", "pot")
