"""A database goes over many servers by house and comes back, whatever stops it on the way."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psycopg
import pytest

from tests import processes, services
from tests.scale.citus import cluster

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.processes
SUMS = """
    SELECT (SELECT count(*) FROM ledger_event), (SELECT count(*) FROM ledger_transfer),
        (SELECT sum(debits) FROM ledger_account), (SELECT sum(credits) FROM ledger_account),
        (SELECT count(*) FROM attendants_employment), (SELECT max(id) FROM auth_permission)"""
KEYS = """
    SELECT count(*) FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
    WHERE contype = 'f' AND relnamespace = 'public'::regnamespace AND relname !~ '_[0-9]{6,}$'"""
PLACED = "SELECT count(*) FROM pg_dist_partition"
DESCRIBED = """
import django; django.setup()
from django.db import connection
from tests.schema.described import postgresql
print("\\n".join(postgresql(connection)))
"""
MISSING = """
import django; django.setup()
from django.db import connection
from ledger import install
print(install.missing(connection))
"""


@pytest.fixture
def nodes() -> cluster.Cluster:
    return cluster.attached()


class House:
    """A database on the cluster, which somebody makes, and the programs of a house on it."""

    def __init__(self, nodes: cluster.Cluster, folder: str, **env: str) -> None:
        self.name, self.nodes = f"house_{uuid4().hex[:12]}", nodes
        self.env = processes.environment(
            DATABASE_URL=nodes.coordinator.url(self.name), LOG_LEVEL="ERROR",
            DJANGO_SETTINGS_MODULE="casino.config.settings", HOME_THROW_DATA=folder,
            LEDGER_KEYS_DIR=folder, SECRET_KEY="s" * 60,
            WEB_BIND="127.0.0.1:8000", REDIS_URL=os.environ["REDIS_URL"], **env,
        )  # fmt: skip

    def begin(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, *words], cwd=processes.ROOT, env=self.env, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def run(self, *words: str, fails: bool = False) -> str:
        """What a program says; of one that is to fail, what it says of that."""
        program = self.begin(*words)
        said, wrong = program.communicate(timeout=processes.PATIENCE)
        assert bool(program.returncode) == fails, wrong
        return wrong if fails else said

    def manage(self, *words: str, fails: bool = False) -> str:
        return self.run("manage.py", *words, fails=fails)

    def one(self, statement: str) -> Any:
        [row] = self.nodes.coordinator.run(statement, self.name)
        return row if len(row) > 1 else row[0]

    def killed(self, *words: str, once: Callable[[], bool]) -> None:
        program = self.begin("manage.py", *words)
        end = time.monotonic() + 60
        while not once():
            assert program.poll() is None, program.communicate()
            assert time.monotonic() < end
            time.sleep(0.02)
        program.kill()
        program.communicate()


@contextmanager
def made(nodes: cluster.Cluster, folder: str, **env: str) -> Iterator[House]:
    house = House(nodes, folder, **env)
    try:
        nodes.database(house.name)
        yield house
    finally:
        cluster.drop(nodes.ports, house.name)


def same(described: str) -> list[str]:
    """
    What must be the same after all: but for how a check is spelled that was read and written again,
    and how far a count may go.
    """
    lines = [line for line in described.splitlines() if "ANY (" not in line]
    return [line for line in lines if not line.startswith("sequence ")]


def test_there_and_back_with_all_that_was_there(nodes: cluster.Cluster, tmp_path: Any) -> None:
    with made(nodes, str(tmp_path)) as house:
        house.manage("migrate", "--verbosity=0")
        house.manage("demo")
        before, keys = house.one(SUMS), house.one(KEYS)
        described = same(house.run("-c", DESCRIBED))
        assert "to place" in house.manage("distribute", "--dry-run")

        house.killed("distribute", "--shards=4", once=lambda: house.one(PLACED) > 20)
        assert house.one(KEYS) < keys
        house.manage("distribute")

        assert house.one(SUMS) == before
        assert house.one(KEYS) == keys
        assert house.run("-c", MISSING).strip() == "[]"
        assert "0 tables moved, 0 foreign keys back" in house.manage("distribute")
        assert "sound" in house.manage("verify_ledger")

        house.killed("distribute", "--undo", once=lambda: house.one(PLACED) < 60)
        house.manage("distribute", "--undo")

        assert house.one(PLACED) == 0
        assert (house.one(SUMS), house.one(KEYS)) == (before, keys)
        assert same(house.run("-c", DESCRIBED)) == described
        assert house.run("-c", MISSING).strip() == "[]"
        house.manage("verify_ledger")


def test_a_backup_of_one_server_is_restored_and_distributed(
    nodes: cluster.Cluster, tmp_path: Any
) -> None:
    file = str(tmp_path / "backup.dump")
    program = {"PG_DUMP": str(services.program("pg_dump"))}
    with made(nodes, str(tmp_path), **program) as house:
        house.manage("migrate", "--verbosity=0")
        house.manage("demo")
        house.manage("backup", "--to", file)
        before = house.one(SUMS)
        house.manage("distribute", "--shards=4")
        assert "no dump has one moment" in house.manage("backup", "--to", file + "2", fails=True)

    with made(nodes, str(tmp_path), **program) as house:
        house.manage("restore", file)
        house.manage("distribute", "--shards=4")

        assert house.one(SUMS) == before
        assert "sound" in house.manage("verify_ledger")


def test_what_is_in_the_way_is_said_before_anything_is_changed(
    nodes: cluster.Cluster, tmp_path: Any
) -> None:
    with made(nodes, str(tmp_path)) as house:
        house.manage("migrate", "--verbosity=0")

        with psycopg.connect(nodes.coordinator.url(house.name)):
            assert "1 other session is" in house.manage("distribute", fails=True)
            assert "1 other session is" in house.manage("distribute", "--undo", fails=True)
        wrong = f'ALTER DATABASE "{house.name}" SET citus.enable_unsafe_triggers = off'
        nodes.coordinator.run(wrong)
        said = house.manage("distribute", fails=True)

        assert "this server has citus.enable_unsafe_triggers = off: it takes on" in said
        assert house.one(PLACED) == 0


def test_a_house_runs_as_a_role_that_owns_nothing(nodes: cluster.Cluster, tmp_path: Any) -> None:
    """Two roles, as in production: one migrates and distributes, the other one plays."""
    owner, runs = (f"{what}_{uuid4().hex[:8]}" for what in ("owner", "runs"))
    with made(nodes, str(tmp_path)) as house:
        for role in (owner, runs):
            nodes.coordinator.run(f"CREATE ROLE {role} LOGIN", house.name)
        for node in nodes.nodes:
            node.run(f'ALTER DATABASE "{house.name}" OWNER TO {owner}')
        at = house.env["DATABASE_URL"]
        house.env["DATABASE_URL"] = at.replace("postgres@", f"{runs}@")
        house.env["DATABASE_OWNER_URL"] = at.replace("postgres@", f"{owner}@")

        house.manage("migrate", "--database=owner", "--verbosity=0")
        house.manage("distribute", "--database=owner", "--shards=4")
        house.manage("demo")

        assert house.one("SELECT count(*) FROM ledger_event") > 10
        assert "sound" in house.manage("verify_ledger")
        with (
            psycopg.connect(house.env["DATABASE_URL"]) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute("DELETE FROM ledger_event")
