"""`manage.py backup` and `restore`: what they make, what they refuse, what they never delete."""

from __future__ import annotations

import fcntl
import json
import os
import stat
import subprocess
import sys
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from casino.proof.backup import backups, manifests
from casino.proof.backup import databases as backup_on_postgresql
from casino.proof.backup import databases as backup_on_sqlite
from casino.proof.backup.management.commands import restore
from casino.proof.backup.manifests import BackupRefused
from ledger import journal
from tests import processes, services
from tests.support import builders
from tests.support.on_citus import of_one_server
from tests.support.playing import opened, round_played
from tests.support.processes import Site, site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django import Settings

    from tests.support.builders import House

# Through a pooler a backup is made past it.
pytestmark = [
    of_one_server,
    pytest.mark.django_db(
        transaction=True, databases=sorted({"default", settings.SESSION_DATABASE})
    ),
]
ON_POSTGRESQL = connection.vendor == "postgresql"
NOW = timezone.now()
on_sqlite = pytest.mark.skipif(ON_POSTGRESQL, reason="of a database that is a file")
on_postgresql = pytest.mark.skipif(not ON_POSTGRESQL, reason="of a server")


@pytest.fixture
def place(tmp_path: Path, transactional_db: None, settings: Settings) -> Iterator[Site]:
    del transactional_db
    settings.PG_DUMP = str(services.program("pg_dump"))
    folder = tmp_path / "data"
    folder.mkdir()
    with site(folder) as here:
        yield here


@pytest.fixture
def house(place: Site) -> House:
    del place
    made = builders.house()
    round_played(made, opened(made))
    return made


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """Where backups are put."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    return folder


def made(shelf: Path, name: str = "backup", **more: Any) -> Path:
    return backups.make(to=shelf / name, **{"now": NOW, **more}).file


def elsewhere(tmp_path: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of a house that has nothing yet, on SQLite."""
    env = processes.environment(HOME_THROW_DATA=str(tmp_path / "there"), **settings)
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(
        command, cwd=processes.ROOT, env=env, capture_output=True, text=True, check=False
    )


# --- Backing up -------------------------------------------------------------------------------


def test_the_manifest_tells_what_the_backup_holds(house: House, shelf: Path) -> None:
    file = made(shelf)

    manifest = json.loads((shelf / "backup.manifest.json").read_text())

    [known] = manifest["houses"]
    assert known["id"] == str(house.id)
    assert known["head"] == journal.head(establishment=house.id) > 0
    assert manifest["database"]["kind"] == connection.vendor
    assert manifest["sha256"] == manifests.digest(file)
    assert manifest["bytes"] == file.stat().st_size
    assert "0001_initial" in manifest["migrations"]["ledger"]
    assert manifest["software"] == "0.1.0"


@pytest.mark.usefixtures("house")
def test_a_backup_is_for_the_eyes_of_its_owner_alone(shelf: Path) -> None:
    assert stat.S_IMODE(made(shelf).stat().st_mode) == 0o600


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("house")
def test_nothing_else_is_left_beside_it(shelf: Path) -> None:
    made(shelf)

    assert {path.name for path in shelf.iterdir()} == {"backup", "backup.manifest.json"}


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("house")
def test_a_backup_overwrites_nothing(shelf: Path) -> None:
    before = made(shelf).read_bytes()

    with pytest.raises(BackupRefused, match="is there already"):
        made(shelf)

    assert (shelf / "backup").read_bytes() == before


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("house")
def test_a_backup_that_is_being_made_is_left_alone(shelf: Path) -> None:
    (shelf / ".backup.part").write_text("another's")

    with pytest.raises(BackupRefused, match="is being made, or was killed"):
        made(shelf)

    assert (shelf / ".backup.part").read_text() == "another's"


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("house")
def test_into_a_folder_that_is_not_there_it_says_so(shelf: Path) -> None:
    with pytest.raises(CommandError, match="No such file or directory"):
        call_command("backup", "--to", str(shelf / "missing" / "backup"))


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("house")
def test_only_as_many_are_kept_as_asked_for_and_only_its_own_are_deleted(shelf: Path) -> None:
    others = ["notes.sqlite3", "home-throw-20200101T000000Z.dump", "some.manifest.json"]
    for name in others:
        (shelf / name).write_text("{}")
    of_another = made(shelf, "of-another", now=NOW - timedelta(days=9))
    manifest_file = manifests.path_of(of_another)
    manifest = json.loads(manifest_file.read_text())
    manifest_file.write_text(
        json.dumps({**manifest, "database": {**manifest["database"], "name": "another"}})
    )
    nights = [NOW - timedelta(days=days) for days in (4, 1, 3, 2)]
    for night in nights:
        backups.make(to=shelf, now=night)

    deleted = backups.make(to=shelf, now=NOW, keep=3).deleted

    assert len(deleted) == 2
    left = {path.name for path in shelf.iterdir()}
    assert left >= {*others, "of-another", "of-another.manifest.json"}
    ending = backups.ENDINGS[connection.vendor]
    kept = {f"home-throw-{night:%Y%m%dT%H%M%SZ}.{ending}" for night in (NOW, *nights[1::2])}
    own = {name for name in left - set(others) if name.startswith("home-throw-")}
    assert own - {f"{name}.manifest.json" for name in kept} == kept


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("house")
def test_no_fewer_than_the_one_that_is_made_are_kept(shelf: Path) -> None:
    with pytest.raises(CommandError, match="1 or more"):
        call_command("backup", "--to", str(shelf), "--keep", "0")


# --- Restoring --------------------------------------------------------------------------------


@pytest.mark.usefixtures("house")
def test_what_is_there_is_not_restored_over(house: House, shelf: Path) -> None:
    file = made(shelf)
    round_played(house, opened(house, table=house.tables[1]))
    head = journal.head(establishment=house.id)

    with pytest.raises(BackupRefused, match=r"There is a book at|has \d+ tables"):
        restore.restore(file=file, now=NOW)

    assert journal.head(establishment=house.id) == head


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("house")
def test_a_backup_without_its_manifest_is_not_restored(shelf: Path) -> None:
    file = made(shelf)
    manifests.path_of(file).unlink()

    with pytest.raises(CommandError, match="nobody can tell whether it is whole"):
        call_command("restore", str(file))


@pytest.mark.long("postgresql")
@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("9999_of_tomorrow", r"a newer version.*ledger 9999_of_tomorrow"),
        ("0002_keys_of_postgresql", r"an earlier version.*ledger 0002_keys_of_postgresql"),
    ],
)
def test_a_backup_by_another_version_is_not_restored(shelf: Path, name: str, sentence: str) -> None:
    file = made(shelf)
    manifest_file = manifests.path_of(file)
    manifest = json.loads(manifest_file.read_text())
    manifest["migrations"]["ledger"].append(name)
    manifest_file.write_text(json.dumps(manifest))

    with pytest.raises(BackupRefused, match=sentence):
        restore.restore(file=file, now=NOW)


def changes_of(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    """A manifest with one thing of it changed, each thing in turn; and the place of it."""
    match value:
        case dict():
            inner = [(name, each, f"{place}.{name}".lstrip(".")) for name, each in value.items()]
            for name, each, where in inner:
                others = {key: of for key, of in value.items() if key != name}
                if where != "verified" and place != "migrations":
                    yield f"{where} is missing", others
                yield from ((says, {**value, name: new}) for says, new in changes_of(each, where))
        case [each, *others]:
            yield from ((says, [new, *others]) for says, new in changes_of(each, f"{place}[0]"))
    for other in (None, True, 1, 1.5, "1", [1], {"a": 1}):
        alike = type(other) is type(value) or (place == "verified" and other is None)
        if not alike and not place.endswith(".checkpoint"):
            yield place, other


@on_sqlite
@pytest.mark.usefixtures("house")
def test_a_manifest_with_anything_of_another_type_is_none(shelf: Path) -> None:
    file = made(shelf)
    manifest_file = manifests.path_of(file)
    true = json.loads(manifest_file.read_text())
    changed = list(changes_of(true, ""))
    assert len(changed) > 100

    for says, manifest in changed:
        manifest_file.write_text(json.dumps(manifest))
        with pytest.raises(BackupRefused) as refused:
            manifests.read(file)
        assert says in str(refused.value) or "that this version can read" in str(refused.value)
        assert str(manifest_file) in str(refused.value)


@on_sqlite
@pytest.mark.usefixtures("house")
def test_a_manifest_says_each_thing_once(shelf: Path) -> None:
    file = made(shelf)
    manifest_file = manifests.path_of(file)
    written = manifest_file.read_text()
    for name in ("sha256", "head", "wrong"):
        manifest_file.write_text(written.replace(f'"{name}":', f'"{name}": 0, "{name}":', 1))

        with pytest.raises(BackupRefused, match=f"'{name}' stands twice in one object"):
            manifests.read(file)


@on_sqlite
@pytest.mark.usefixtures("house")
def test_a_file_that_was_changed_is_not_restored(shelf: Path, tmp_path: Path) -> None:
    file = made(shelf)
    with file.open("r+b") as opened_file:
        opened_file.seek(file.stat().st_size // 2)
        byte = opened_file.read(1)
        opened_file.seek(-1, os.SEEK_CUR)
        opened_file.write(bytes([byte[0] ^ 1]))

    refused = elsewhere(tmp_path, "restore", str(file))

    assert "its SHA-256 is another" in refused.stderr
    assert not list((tmp_path / "there").glob("*house*"))


@on_sqlite
def test_while_the_house_runs_nothing_is_restored(house: House, place: Site, shelf: Path) -> None:
    file = made(shelf)
    with (place.folder / "running.lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)

        with pytest.raises(CommandError, match="already runs on the data"):
            call_command("restore", str(file), "--replace")

    assert journal.head(establishment=house.id) > 0


@on_sqlite
def test_what_is_replaced_is_kept_whole(house: House, place: Site, shelf: Path) -> None:
    """Also what only its write-ahead log had."""
    file = made(shelf)
    round_played(house, opened(house, table=house.tables[1]))
    head = journal.head(establishment=house.id)

    [moved] = restore.restore(file=file, now=NOW, replace=True).moved

    manifest = manifests.read(file)
    assert journal.head(establishment=house.id) == manifest.houses[0]["head"] < head
    assert moved.parent == place.folder
    again = backup_on_sqlite.check_pages(moved)
    assert again.houses[0]["head"] == head


@on_sqlite
def test_a_damaged_book_makes_place_as_it_is(house: House, place: Site, shelf: Path) -> None:
    file = made(shelf)
    connection.close()
    book = place.folder / "house.sqlite3"
    book.write_bytes(b"\0" * 5000)

    moved = restore.restore(file=file, now=NOW, replace=True).moved

    assert moved[-1].read_bytes() == b"\0" * 5000
    assert journal.head(establishment=house.id) > 0


@pytest.mark.long
@on_sqlite
@pytest.mark.usefixtures("house")
def test_another_secret_key_is_told_of(shelf: Path, tmp_path: Path) -> None:
    restored = elsewhere(tmp_path, "restore", str(made(shelf)), SECRET_KEY="another" * 9)

    assert "SECRET_KEY is not the one that the house had" in restored.stdout


@on_sqlite
def test_a_book_that_is_damaged_is_not_backed_up(house: House, place: Site, shelf: Path) -> None:
    del house
    connection.close()
    book = place.folder / "house.sqlite3"
    whole = book.read_bytes()
    book.write_bytes(whole[: len(whole) // 8192 * 4096])

    with pytest.raises(BackupRefused, match=r"house.sqlite3|damaged|malformed"):
        made(shelf)

    assert list(shelf.iterdir()) == []


# --- PostgreSQL's programs --------------------------------------------------------------------


@on_postgresql
@pytest.mark.usefixtures("house")
def test_without_a_fitting_pg_dump_it_says_what_to_install(
    shelf: Path, settings: Settings, tmp_path: Path
) -> None:
    old = tmp_path / "pg_dump"
    old.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 12.4'\n")
    old.chmod(0o755)
    settings.PG_DUMP = str(old)

    with pytest.raises(CommandError, match=r"Install postgresql-client-\d\d, or let PG_DUMP"):
        call_command("backup", "--to", str(shelf / "backup"))

    assert list(shelf.iterdir()) == []


@on_postgresql
@pytest.mark.usefixtures("house")
def test_no_password_stands_on_a_command_line() -> None:
    words, secret = backup_on_postgresql.address(connection)

    assert secret["PGPASSWORD"]
    assert secret["PGPASSWORD"] not in words
    assert "password" not in words
