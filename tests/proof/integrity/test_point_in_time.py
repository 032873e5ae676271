"""
A PostgreSQL that keeps its log elsewhere is brought back to a moment: as compose.yaml configures it
and docs/how-to/backup.md has it, step by step, on a server of its own.
"""

from __future__ import annotations

import secrets
import subprocess
from typing import TYPE_CHECKING
from uuid import uuid4

import psycopg
import pytest

from tests import services
from tests.processes import eventually
from tests.support.drill import kept_size, seen, tried
from tests.support.recovery import (
    DOCUMENT,
    OPTIONS,
    a_house,
    archived_by,
    founded,
    head,
    in_recovery,
    installed,
    now_at,
    played,
    played_on,
    roles_made,
    to_be_recovered,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.services import Cluster
    from tests.support.processes import Site

pytestmark = pytest.mark.once  # on servers of its own, whatever else the tests run on


# --- What keeps the log -----------------------------------------------------------------------


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    (tmp_path / "wal").mkdir()
    return tmp_path


def keeps(archive: Path, segment: Path) -> int:
    """The exit status that the server sees; 0: it may forget the segment."""
    line = archived_by(str(archive)).replace("%p", str(segment)).replace("%f", segment.name)
    return subprocess.run(["sh", "-c", line], check=False, capture_output=True).returncode


def test_a_segment_is_kept_once_and_never_overwritten(archive: Path) -> None:
    """As PostgreSQL asks of such a command: what is there already and is the same is kept."""
    segment = archive / "000000010000000000000001"
    segment.write_bytes(b"the log")

    assert keeps(archive, segment) == 0
    assert (archive / "wal" / segment.name).read_bytes() == b"the log"
    assert keeps(archive, segment) == 0

    segment.write_bytes(b"another")
    assert keeps(archive, segment) != 0
    assert (archive / "wal" / segment.name).read_bytes() == b"the log"
    assert [each.name for each in (archive / "wal").iterdir()] == [segment.name]


def test_where_it_cannot_be_kept_the_server_is_told(archive: Path) -> None:
    segment = archive / "000000010000000000000001"
    segment.write_bytes(b"the log")
    (archive / "wal").rmdir()

    assert keeps(archive, segment) != 0


def test_what_is_tried_here_is_what_the_page_says() -> None:
    assert archived_by("/archive") in " ".join(DOCUMENT.split())


# --- The drill --------------------------------------------------------------------------------


def says_when_nothing_is_kept(at: Site, url: str, archive: Path) -> None:
    """The archive's disk is away for a moment: health says so, and what to look at."""
    (archive / "wal").rename(archive / "away")
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(b"SELECT pg_switch_wal()")
    eventually(lambda: "was not archived" in tried(at, "manage.py", "health", "storage").stdout)
    (archive / "away").rename(archive / "wal")


@pytest.mark.long
def test_a_house_is_brought_back_to_the_moment_before_its_tables_were_dropped(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / "outside").mkdir()
    (folder / "password").write_text(secrets.token_hex(8))
    with services.cluster() as cluster:
        archive = cluster.folder / "archive"
        cluster.run("mkdir", archive, archive / "wal", archive / "base")
        kept_there = [each.replace("/archive", str(archive)) for each in OPTIONS]
        options = [*services.QUICK, *kept_there]
        with cluster.running("data", *options) as url, a_house(folder, url) as at:
            roles_made(at, url)
            installed(at)
            [house] = managers = founded(at, uuid4())
            says_when_nothing_is_kept(at, url, archive)
            base = ("--pgdata", archive / "base" / "first", "--checkpoint", "fast")
            where = ("--host", "127.0.0.1", "--port", str(cluster.port), "--username", "postgres")
            with at.beat(), at.worker():
                played(at, house, table=0)
                cluster.run("pg_basebackup", *base, *where, "--no-password")
                cluster.run("pg_verifybackup", archive / "base" / "first")
                played(at, house, table=1)
                eventually(lambda: not seen(at)["lagging"])
                moment = now_at(url)
                before = head(at, house)
                played(at, house, table=2)
                eventually(lambda: kept_size(folder / "outside") > before + 1)
            owner = at.env["DATABASE_OWNER_URL"]
            with psycopg.connect(owner, autocommit=True) as dropped:
                dropped.execute(b"DROP TABLE ledger_event CASCADE")
            with psycopg.connect(url, autocommit=True) as server:
                server.execute(b"SELECT pg_switch_wal()")
                waits = "SELECT last_archived_wal >= %s FROM pg_stat_archiver"
                row = server.execute("SELECT pg_walfile_name(pg_current_wal_lsn())").fetchone()
                assert row is not None
                server.execute(b"CREATE TABLE after_it (n integer)")
                server.execute(b"SELECT pg_switch_wal()")
                eventually(lambda: server.execute(waits, row).fetchone() == (True,))

        brought_back(cluster, archive, moment)
        with cluster.running("brought-back", *options) as url, a_house(folder, url) as at:
            eventually(lambda: not in_recovery(url))
            assert head(at, house) == before
            played_on(at, managers)


def brought_back(cluster: Cluster, archive: Path, moment: str) -> None:
    """What docs/how-to/backup.md does with the base backup: a copy, two settings, a signal."""
    cluster.run("cp", "-a", archive / "base" / "first", cluster.folder / "brought-back")
    data = cluster.folder / "brought-back"
    to_be_recovered(data, f"{archive}/wal", f"recovery_target_time = '{moment}'")
