"""Web, worker and beat from one parent, as a house on one machine starts them, on PostgreSQL."""

from __future__ import annotations

import os
import secrets
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from tests import forms, template
from tests.processes import environment, eventually, free_port, get, started, stop

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(forms.ENGINE == "sqlite", reason="on SQLite manage.py up is all in one"),
]


def test_a_house_comes_up_from_one_program_and_ends_with_it(tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "house.log"
    made_of = os.environ.get(template.VARIABLE, "")
    with template.database(os.environ["DATABASE_URL"], made_of) as database:
        env = environment(
            DATABASE_URL=database,
            REDIS_URL=os.environ["REDIS_URL"],
            SECRET_KEY=secrets.token_hex(32),
            ALLOWED_HOSTS="127.0.0.1",
            STATIC_ROOT=os.environ.get("STATIC_ROOT") or str(tmp_path / "static"),
            SSL_REDIRECT="0",
            WEB_BIND=f"127.0.0.1:{port}",
            WEB_PROCESSES="1",
        )
        program = (sys.executable, "-m", "casino.config.one_parent", "--worker-processes=1")
        with started(*program, env=env, output=log) as process:
            eventually(lambda: get(port, "/healthz/web")[0] == 200, process, log)
            status, _seconds = stop(process, signal.SIGTERM)

    assert status == 0, log.read_text()
