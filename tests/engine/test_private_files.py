"""What a house keeps on the disk is readable by whoever runs it alone, whatever the umask is."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from casino.engine.processes import private
from casino.proof.backup import backups
from casino.proof.signing import keys
from tests.processes import ROOT, environment
from tests.support import builders
from tests.support.at_once import on_a_file
from tests.support.exported import exported

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

UMASKS = [0o000, 0o022, 0o077]


@pytest.fixture(params=UMASKS, ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def seen_by_others(folder: Path) -> dict[str, str]:
    """What somebody else on the machine could open below a folder, and the folder itself."""
    found = {path: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.rglob("*"))}
    return {str(path): oct(mode) for path, mode in found.items() if mode & private.OTHERS}


DATA = """
import django; django.setup()
from django.conf import settings
from django.db import connection
from casino.engine.processes import data_lock
with data_lock.alone_with(settings.DATA_DIR):
    connection.cursor().execute("CREATE TABLE t (a)")
    print(sorted(path.name for path in settings.DATA_DIR.iterdir()))
"""


def test_the_data_of_an_embedded_house_is_its_owners(tmp_path: Path) -> None:
    """The book, what SQLite keeps beside it while it is open, the key, the lock."""
    data = tmp_path / "house" / "data"
    env = environment(HOME_THROW_DATA=str(data), DJANGO_SETTINGS_MODULE="casino.config.settings")
    program = f"{DATA}    import os; os._exit(0)  # as if killed: all that was there stays\n"
    ran = subprocess.run(
        [sys.executable, "-u", "-c", program],
        cwd=ROOT, env=env, umask=0, capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert ran.stdout.split("'")[1::2] == [
        "house.sqlite3", "house.sqlite3-shm", "house.sqlite3-wal", "running.lock", "secret-key",
    ]  # fmt: skip
    assert seen_by_others(data) == {}


def test_a_book_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    book = tmp_path / "house.sqlite3"
    book.write_bytes(b"what is there")
    book.chmod(0o664)

    private.keep_private(book)

    assert stat.S_IMODE(book.stat().st_mode) == 0o600
    assert book.read_bytes() == b"what is there"


LOOKED_AT = """
import sqlite3, subprocess, sys, threading
import django; django.setup()
from django.conf import settings
from django.db import connection, connections
from casino.engine.processes import data_lock

LOOK = "import sqlite3, sys; book = sqlite3.connect(sys.argv[1]); print(book.execute('SELECT count(*) FROM t').fetchone()[0]); book.close()"
book = settings.DATABASES["default"]["NAME"]
look = lambda: subprocess.run([sys.executable, "-c", LOOK, book], check=True, text=True, capture_output=True).stdout.strip()

opened = set()
sys.addaudithook(lambda event, told: opened.add(str(told[0])) if event == "open" else None)

def another():
    connection.cursor().execute("SELECT 1")
    connections.close_all()

with data_lock.alone_with(settings.DATA_DIR):
    connection.cursor().execute("CREATE TABLE t (a)")
    for _ in range(2):
        thread = threading.Thread(target=another)
        thread.start()
        thread.join()
    before = look()
    connection.cursor().execute("INSERT INTO t VALUES (1)")
    print(before, look(), str(book) in opened)
"""  # noqa: E501 - a program


@pytest.mark.once
def test_who_looks_at_a_book_that_is_open_leaves_it_its_log(tmp_path: Path) -> None:
    """
    A program beside the house (a backup, a check) that closes the book last folds its log away.

    It is the last only where the house's locks are gone: where a thread of the house has opened and
    closed the file itself.
    """
    env = environment(
        HOME_THROW_DATA=str(tmp_path / "data"), DJANGO_SETTINGS_MODULE="casino.config.settings"
    )
    ran = subprocess.run(
        [sys.executable, "-c", LOOKED_AT],
        cwd=ROOT, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert ran.stdout.split() == ["0", "1", "False"], ran.stdout + ran.stderr


@pytest.mark.once  # of a server: test_backup.py
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("umask")
def test_a_backup_and_its_manifest_are_their_owners(tmp_path: Path) -> None:
    builders.house()
    shelf = tmp_path / "shelf"
    shelf.mkdir(mode=0o700)

    with on_a_file(tmp_path):
        backups.make(to=shelf / "backup", now=timezone.now())

    assert len(list(shelf.iterdir())) == 2
    assert seen_by_others(shelf) == {}


@pytest.mark.django_db
@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize("name", ["out", "out.zip"])
def test_an_export_is_its_owners(tmp_path: Path, name: str) -> None:
    exported(builders.house(), tmp_path / name)

    assert (tmp_path / name).exists()
    assert seen_by_others(tmp_path / name) == {}


@pytest.mark.django_db
@pytest.mark.usefixtures("umask")
def test_a_houses_key_is_its_owners(tmp_path: Path, settings: object) -> None:
    house = builders.house()
    settings.LEDGER_KEYS_DIR = tmp_path / "keys"  # type: ignore[attr-defined]

    keys.make_file(house.id, "dice.example")

    assert len(list((tmp_path / "keys").iterdir())) == 1
    assert seen_by_others(tmp_path / "keys") == {}
