"""
A house behind a real PgBouncer in transaction mode, which lends another session each time.

In the short form the same is shown without it: `tests/engine/test_sessions.py` reads what is
sent, `tests/config/test_database_addresses.py` the settings.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

import psycopg
import pytest

from tests import services
from tests.processes import ROOT, environment
from tests.scale import pooler

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.long,
    pytest.mark.once,  # it starts servers of its own
    pytest.mark.skipif(pooler.program() is None, reason=pooler.MISSING),
]
AT_MOST = 900  # seconds for one program, on a busy machine
PARTS = [
    "tests/ledger tests/play tests/play/rollovers",
    "tests/play/settlement tests/play/subscriptions tests/kit/jobs tests/proof/regrade",
    (
        "tests/money/cash tests/kit/approvals tests/proof/integrity/test_integrity_rebuild.py "
        "tests/proof/integrity/test_backup.py tests/proof/integrity/test_backup_verified.py"
    ),
]
AS_DOCUMENTED = (
    "ALTER ROLE {role} SET idle_in_transaction_session_timeout = '30s'",
    "ALTER ROLE {role} SET tcp_user_timeout = '6s'",
)


@pytest.mark.processes
@pytest.mark.parametrize("part", PARTS)
def test_what_touches_the_database_works_through_it(part: str, tmp_path: Path) -> None:
    command = [
        "-m",
        "tests.scale.pooler",
        sys.executable,
        "-m",
        "tests",
        *part.split(),
        "-q",
        "-n2",
    ]
    alone = {name: of for name, of in os.environ.items() if not name.startswith("PYTEST_")}
    for name in ("DATABASE_URL", "REDIS_URL", "HOME_THROW_TEMPLATE", "HOME_THROW_TESTS"):
        alone.pop(name, None)

    # Into a file: who reads a pipe to its end waits for everybody who was given it, too.
    with (tmp_path / "said").open("w+") as said:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT, env=alone, stdout=said, stderr=said, timeout=AT_MOST, check=False,
        )  # fmt: skip
    told = (tmp_path / "said").read_text()

    assert done.returncode == 0, told[-4000:]
    assert " passed" in told


@pytest.fixture
def house(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a house that reaches its database by a pooler of two sessions."""
    with ExitStack() as stack:
        server = stack.enter_context(services.postgresql())
        secret = secrets.token_hex(16)
        with psycopg.connect(server, autocommit=True) as superuser:
            superuser.execute(f"CREATE ROLE house LOGIN PASSWORD '{secret}'".encode())
            for statement in AS_DOCUMENTED:
                superuser.execute(statement.format(role="house").encode())
            superuser.execute(b"CREATE DATABASE book")
        pooled = stack.enter_context(pooler.transaction_mode(server, sessions=2))
        as_house = [_book(each, f"house:{secret}") for each in (server, pooled)]
        yield environment(
            **pooler.environment(*as_house),
            DATABASE_OWNER_URL=_book(server),
            SECRET_KEY=secrets.token_hex(32), ALLOWED_HOSTS="127.0.0.1", SSL_REDIRECT="0",
            REDIS_URL="redis://127.0.0.1:1/0", PG_DUMP=str(services.program("pg_dump")),
            LEDGER_KEYS_DIR=str(tmp_path / "keys"),
            DJANGO_SETTINGS_MODULE="casino.config.settings",
        )  # fmt: skip


def _book(server: str, login: str = "") -> str:
    before, _, at = server.rpartition("@")
    scheme = before.partition("//")[0]
    named = f"{scheme}//{login}@{at}" if login else server
    return f"{named.rpartition('/')[0]}/book"


@pytest.mark.processes
def test_a_house_is_founded_checked_and_backed_up(house: dict[str, str], tmp_path: Path) -> None:
    done(house, "manage.py", "migrate", "--database", "owner", "--verbosity=0")
    [first] = json.loads(done(house, "-m", "tests.faults.founding", "1"))["houses"]

    assert first["tables"]
    done(house, "manage.py", "rebuild", "--check")  # temporary tables: a session past the pooler
    runtime = {name: of for name, of in house.items() if name != "DATABASE_OWNER_URL"}
    done(house, "manage.py", "backup", "--to", str(tmp_path / "book.dump"))
    done(runtime, "manage.py", "regrade")


@pytest.mark.processes
def test_a_house_that_was_not_told_of_it_does_not_start(house: dict[str, str]) -> None:
    """If the database is away at the start a program starts all the same: first it is there."""
    untold = {name: of for name, of in house.items() if name != "DATABASE_POOLER"}
    gunicorn = ["-m", "gunicorn", "-c", "python:casino.config.gunicorn", "casino.config.wsgi"]
    with psycopg.connect(house["DATABASE_URL"]) as there:
        there.execute("SELECT 1")

    refused = subprocess.run(
        [sys.executable, *gunicorn], cwd=ROOT, env={**untold, "WEB_BIND": "127.0.0.1:0"},
        capture_output=True, text=True, timeout=AT_MOST, check=False,
    )  # fmt: skip

    assert refused.returncode != 0
    assert "DATABASE_POOLER=transaction" in refused.stderr


def done(env: dict[str, str], *command: str) -> str:
    said = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT, env=env, capture_output=True, text=True, timeout=AT_MOST, check=False,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr[-3000:]
    return said.stdout
