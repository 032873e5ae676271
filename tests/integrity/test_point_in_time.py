"""
A PostgreSQL that keeps its log elsewhere is brought back to a moment: as compose.yaml configures it
and docs/how-to/backup.md has it, step by step, on a server of its own.
"""

from __future__ import annotations

import json
import secrets
import subprocess
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import UUID

import psycopg
import pytest
import yaml

from ledger import verify
from tests import services
from tests.processes import ROOT, environment, eventually
from tests.support.drill import (
    is_well,
    kept,
    kept_size,
    led_to_a_new_epoch,
    manage,
    resumed_by_two,
    seen,
    tried,
)
from tests.support.processes import Broker, Player, Site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.services import Cluster

pytestmark = pytest.mark.once  # on servers of its own, whatever else the tests run on
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
OPTIONS: list[str] = COMPOSE["services"]["postgres"]["command"][1:]
PREFIX = "archive_command="
DOCUMENT = (ROOT / "docs" / "how-to" / "backup.md").read_text()
FOUNDED = """
import json, django
django.setup()
from tests.support import builders
made = builders.house(tables=4, dice_sets=0)
builders.dice_for_every_game(made.establishment, sets=4)
builders.on_record(made.establishment)
print(json.dumps([str(made.id), made.manager.username]))
"""
ROLES = "home_throw_owner", "home_throw"


def archived_by(place: str) -> str:
    """The command that compose.yaml has, with another place for what it keeps."""
    [command] = [each for each in OPTIONS if each.startswith(PREFIX)]
    return command.removeprefix(PREFIX).replace("/archive", place)


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


@contextmanager
def a_house(folder: Path, url: str) -> Iterator[Site]:
    """A house in production, on that server; its keys and the copies of checkpoints beside it."""
    at = f"{urlsplit(url).hostname}:{urlsplit(url).port}/home_throw"
    broker = Broker()
    broker.start()
    password = (folder / "password").read_text()
    try:
        yield Site(folder, broker, environment(
            DATABASE_URL=f"postgresql://home_throw:{password}@{at}",
            DATABASE_OWNER_URL=f"postgresql://home_throw_owner:{password}@{at}",
            REDIS_URL=broker.url, SECRET_KEY="s" * 60, ALLOWED_HOSTS="127.0.0.1",
            DJANGO_SETTINGS_MODULE="casino.config.settings", LOG_LEVEL="WARNING",
            SECOND_FACTOR="offered", LEDGER_KEYS_DIR=str(folder / "keys"),
            CHECKPOINT_COPIES=f"folder:{folder / 'outside'}",
            HOME_THROW_DATA=str(folder / "data"), STATIC_ROOT=str(folder / "static"),
        ))  # fmt: skip
    finally:
        broker.stop()


def founded(at: Site, url: str) -> tuple[UUID, str]:
    """Roles, tables, a house and its key (docs/how-to/production.md); the house and its manager."""
    password = (at.folder / "password").read_text()
    with psycopg.connect(url, autocommit=True) as server:
        for role in ROLES:
            server.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{password}'".encode())
        server.execute(b"CREATE DATABASE home_throw OWNER home_throw_owner")
    manage(at, "migrate", "--database", "owner", "--verbosity", "0")
    done = tried(at, "-c", FOUNDED)
    assert done.returncode == 0, done.stderr
    house, manager = json.loads(done.stdout)
    manage(at, "ledger_keys", "--make")
    manage(at, "collectstatic", "--noinput", "--verbosity", "0")
    return UUID(house), manager


def head(at: Site, house: UUID) -> int:
    found: int = seen(at)["houses"][str(house)]["head"]
    return found


def played(at: Site, house: UUID, table: int, more: int = 30) -> None:
    """Somebody plays at a table until there are so many more events; nothing fails."""
    until = head(at, house) + more
    with Player(at, house=house, table=table, seed=3 + table, pause=0.01) as somebody:
        somebody.ready()
        somebody.go()
        eventually(lambda: head(at, house) > until)
        assert somebody.ended()["failures"] == []


def says_when_nothing_is_kept(at: Site, url: str, archive: Path) -> None:
    """The archive's disk is away for a moment: health says so, and what to look at."""
    (archive / "wal").rename(archive / "away")
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(b"SELECT pg_switch_wal()")
    eventually(lambda: "was not archived" in tried(at, "manage.py", "health", "storage").stdout)
    (archive / "away").rename(archive / "wal")


def now_at(url: str) -> str:
    with psycopg.connect(url) as server:
        row = server.execute("SELECT clock_timestamp()::text").fetchone()
    assert row is not None
    return str(row[0])


def in_recovery(url: str) -> bool:
    try:
        with psycopg.connect(url) as server:
            return server.execute("SELECT pg_is_in_recovery()").fetchone() != (False,)
    except psycopg.OperationalError:
        return True


def brought_back(cluster: Cluster, archive: Path, moment: str) -> None:
    """What docs/how-to/backup.md does with the base backup: a copy, two settings, a signal."""
    cluster.run("cp", "-a", archive / "base" / "first", cluster.folder / "brought-back")
    data = cluster.folder / "brought-back"
    with (data / "postgresql.auto.conf").open("a") as conf:
        conf.write(f"restore_command = 'cp {archive}/wal/%f %p'\n")
        conf.write(f"recovery_target_time = '{moment}'\n")
        conf.write("recovery_target_action = 'promote'\n")
    (data / "recovery.signal").touch()


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
            house, manager = founded(at, url)
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
            played_on(at, house, manager, folder, before)


def played_on(at: Site, house: UUID, manager: str, folder: Path, before: int) -> None:
    """From the moment that was wanted to a house that is well."""
    file = kept(folder / "outside")
    ahead = newest(file)
    found = seen(at)
    restored = found["houses"][str(house)]["head"]
    assert restored == before
    assert found["missing"] == []
    led_to_a_new_epoch(at, house, by=manager, file=file, head=restored)
    with ExitStack() as stack:
        for program in (at.beat(), at.worker()):
            stack.enter_context(program)
        resumed_by_two(at, house)
        played(at, house, table=3)
        eventually(lambda: not seen(at)["lagging"])
        eventually(lambda: is_well(at))
    about = ("--establishment", str(house), "--checkpoint", file)
    assert "sound." in manage(at, "verify_ledger", *about)
    assert newest(file).origin == f"{ahead.origin}/2"


def newest(file: str) -> verify.Checkpoint:
    return verify.Checkpoint.parse(Path(file).read_bytes())
