"""A web process that is asked to end says so first, and answers everything meanwhile."""

from __future__ import annotations

import signal
import sys
import time
from typing import TYPE_CHECKING

import pytest

from casino.engine.processes.stopping import DRAINING
from tests.processes import PATIENCE, environment, eventually, free_port, get, started

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from django.test import Client

ANY_APPLICATION = "wsgiref.simple_server:demo_app"
WORKER = ("--worker-class", "casino.config.web_worker.Worker")
DRAIN = 1  # second


@pytest.fixture
def draining() -> Iterator[None]:
    DRAINING.set()
    yield
    DRAINING.clear()


@pytest.mark.django_db
@pytest.mark.usefixtures("draining")
def test_a_load_balancer_is_told(client: Client) -> None:
    answer = client.get("/healthz/web")

    assert answer.status_code == 503
    assert "about to end" in answer.json()["says"]


@pytest.mark.django_db
@pytest.mark.usefixtures("draining")
def test_everybody_else_is_answered_as_ever(client: Client) -> None:
    assert client.get("/sign-in/").status_code == 200


@pytest.mark.once
@pytest.mark.processes
def test_it_answers_while_it_drains_and_ends_then(tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "log"
    env = environment(
        WEB_DRAIN=str(DRAIN), HOME_THROW_DATA=str(tmp_path),
        DJANGO_SETTINGS_MODULE="casino.config.settings",
    )  # fmt: skip
    command = (sys.executable, "-m", "gunicorn", *WORKER, f"--bind=127.0.0.1:{port}")
    with started(*command, ANY_APPLICATION, env=env, output=log) as web:
        eventually(lambda: get(port, "/")[0] == 200, web, log)
        asked = time.monotonic()
        web.send_signal(signal.SIGTERM)
        web.send_signal(signal.SIGTERM)  # systemd signals everybody, and so does the parent
        statuses = []
        while time.monotonic() < asked + DRAIN / 2:
            statuses.append(get(port, "/")[0])

        assert web.wait(PATIENCE) == 0
    assert len(statuses) > 1
    assert set(statuses) == {200}
    assert time.monotonic() >= asked + DRAIN
