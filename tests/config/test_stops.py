"""A stop always ends: each program of the house, asked to stop at any moment of its start."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests import forms, template
from tests.processes import ROOT, environment

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.processes
ON_SQLITE = forms.ENGINE == "sqlite"
PROGRAMS = ("up",) if ON_SQLITE else ("one_parent", "web", "worker", "beat")
IN_PEACE = {0, -signal.SIGTERM}
"""Who was not listening yet is ended by the signal."""


def stops(program: str, count: int, folder: Path) -> None:
    """
    :raises AssertionError: if a stop ended by force, not at all, or left a process behind.
    """
    made_of = os.environ.get(template.VARIABLE, "")
    if ON_SQLITE:
        template.put(folder / "data")
        run(program, count, folder, HOME_THROW_DATA=str(folder / "data"))
        return
    with template.database(os.environ["DATABASE_URL"], made_of) as database:
        run(
            program,
            count,
            folder,
            DATABASE_URL=database,
            REDIS_URL=os.environ["REDIS_URL"],
            SECRET_KEY=secrets.token_hex(32),
            ALLOWED_HOSTS="127.0.0.1",
            STATIC_ROOT=os.environ.get("STATIC_ROOT") or str(folder / "static"),
            SSL_REDIRECT="0",
            WEB_PROCESSES="2",
        )


def run(program: str, count: int, folder: Path, **of_the_house: str) -> None:
    log = folder / "log"
    command = (sys.executable, "-m", "tests.config.stop_trials", program, str(count))
    env = environment(DJANGO_SETTINGS_MODULE="casino.config.settings", **of_the_house)
    with log.open("w") as errors:
        done = subprocess.run(
            command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=errors, check=False
        )
    trials = [json.loads(line) for line in done.stdout.splitlines()]
    odd = [each for each in trials if each["status"] not in IN_PEACE or each["left"]]

    assert len(trials) == count, log.read_text()
    assert not odd, f"{odd}\n{log.read_text()}"


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_ends_that_is_stopped_while_it_starts(program: str, tmp_path: Path) -> None:
    stops(program, 5, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("program", PROGRAMS)
def test_it_ends_at_every_moment_of_its_start(program: str, tmp_path: Path) -> None:
    stops(program, 150, tmp_path)
