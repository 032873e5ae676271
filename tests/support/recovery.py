"""
A PostgreSQL that archives its log, and one that is brought back from that: as compose.yaml
configures it and docs/how-to/backup.md has it, step by step.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit
from uuid import UUID

import psycopg
import yaml

from ledger import verify
from tests.processes import ROOT, environment, eventually
from tests.support.drill import (
    is_well,
    kept,
    led_to_a_new_epoch,
    manage,
    resumed_by_two,
    seen,
    tried,
)
from tests.support.processes import Broker, Player, Site

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPOSE: Final[dict[str, Any]] = yaml.safe_load((ROOT / "compose.yaml").read_text())
OPTIONS: Final[list[str]] = COMPOSE["services"]["postgres"]["command"][1:]
PREFIX: Final = "archive_command="
DOCUMENT: Final = (ROOT / "docs" / "how-to" / "backup.md").read_text()
ROLES: Final = "home_throw_owner", "home_throw"
HEAD: Final = "SELECT max(position) FROM ledger_event WHERE establishment = %s"
FOUNDED: Final = """
import json, sys, django
from uuid import UUID
django.setup()
from tests.support import builders
managers = {}
for each in sys.argv[1:]:
    made = builders.house(id=UUID(each), tables=4, dice_sets=0)
    builders.dice_for_every_game(made.establishment, sets=4)
    builders.on_record(made.establishment)
    managers[each] = made.manager.username
print(json.dumps(managers))
"""


def archived_by(place: str) -> str:
    """The command that compose.yaml has, with another place for what it keeps."""
    [command] = [each for each in OPTIONS if each.startswith(PREFIX)]
    return command.removeprefix(PREFIX).replace("/archive", place)


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


def roles_made(at: Site, url: str) -> None:
    """And the database of the one that owns (docs/how-to/production.md)."""
    password = (at.folder / "password").read_text()
    with psycopg.connect(url, autocommit=True) as server:
        for role in ROLES:
            server.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{password}'".encode())
        server.execute(b"CREATE DATABASE home_throw OWNER home_throw_owner")


def installed(at: Site) -> None:
    manage(at, "migrate", "--database", "owner", "--verbosity", "0")
    manage(at, "collectstatic", "--noinput", "--verbosity", "0")


def founded(at: Site, *houses: UUID) -> dict[UUID, str]:
    """Houses of these ids, and their keys; as whom a manager of each signs in."""
    done = tried(at, "-c", FOUNDED, *map(str, houses))
    assert done.returncode == 0, done.stderr
    manage(at, "ledger_keys", "--make")
    return {UUID(house): manager for house, manager in json.loads(done.stdout).items()}


def head(at: Site, house: UUID) -> int:
    """The last position in a house's ledger, as its owner sees it."""
    with psycopg.connect(at.env["DATABASE_OWNER_URL"]) as owner:
        found = owner.execute(HEAD, [house]).fetchone()
    assert found is not None
    return int(found[0])


def played(at: Site, house: UUID, table: int, more: int = 30) -> None:
    """Somebody plays at a table until there are so many more events; nothing fails."""
    until = head(at, house) + more
    with Player(at, house=house, table=table, seed=3 + table, pause=0.01) as somebody:
        somebody.ready()
        somebody.go()
        eventually(lambda: head(at, house) > until)
        assert somebody.ended()["failures"] == []


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


def to_be_recovered(data: Path, log: str, target: str) -> None:
    """What docs/how-to/backup.md does with a copy of a base backup: three settings, a signal."""
    with (data / "postgresql.auto.conf").open("a") as conf:
        conf.write(f"restore_command = 'cp {log}/%f %p'\n")
        conf.write(f"{target}\n")
        conf.write("recovery_target_action = 'promote'\n")
    (data / "recovery.signal").touch()


def played_on(at: Site, managers: dict[UUID, str]) -> None:
    """
    From what was brought back to a house that is well, and to others beside it.

    :param managers: by house; as whom one signs in.
    """
    outside, ahead = at.folder / "outside", {}
    assert seen(at)["missing"] == []
    for house, manager in managers.items():
        file = kept(outside, house)
        ahead[house] = newest(file)
        led_to_a_new_epoch(at, house, by=manager, file=file, head=head(at, house))
    with at.beat(), at.worker():
        for house in managers:
            resumed_by_two(at, house)
            played(at, house, table=3)
        eventually(lambda: not seen(at)["lagging"])
        eventually(lambda: is_well(at))
    for house in managers:
        file = kept(outside, house)
        about = ("--establishment", str(house), "--checkpoint", file)
        assert "sound." in manage(at, "verify_ledger", *about)
        assert newest(file).origin == f"{ahead[house].origin}/2"


def newest(file: str) -> verify.Checkpoint:
    return verify.Checkpoint.parse(Path(file).read_bytes())
