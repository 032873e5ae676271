"""A database of another version is left alone, and a sentence says so."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from casino.config.management.commands import migrate, up
from casino.engine.processes.data_lock import StartRefused
from ledger import install
from tests import processes
from tests.schema.described import described

if TYPE_CHECKING:
    from pathlib import Path

OLDER = ("ledger", "0002_keys_of_postgresql")
NEWER = ("ledger", "9999_of_tomorrow")

# fmt: off
OTHERS = [
    ([OLDER],                               r"an earlier version.*ledger 0002_keys_of_postgresql"),
    ([("days", "0001_initial")],            r"an earlier version.*days 0001_initial"),
    ([NEWER],                               r"a newer version.*ledger 9999_of_tomorrow"),
    ([("tournaments", "0001_initial")],     r"a newer version.*tournaments 0001_initial"),
    # Sixty of them stood there, and some would come first.
    ([("approvals", "0002_of_old"), OLDER], r"an earlier version"),
]
# fmt: on


@pytest.mark.django_db
@pytest.mark.parametrize(("applied", "sentence"), OTHERS)
def test_it_is_neither_migrated_nor_started(applied: list[tuple[str, str]], sentence: str) -> None:
    for app, name in applied:
        MigrationRecorder(connection).record_applied(app, name)
    before = described(connection)

    with pytest.raises(CommandError, match=sentence):
        call_command("migrate", verbosity=0)
    with pytest.raises(StartRefused, match=sentence):
        up.migrate()

    assert described(connection) == before


@pytest.mark.rows(1)
@pytest.mark.parametrize("command", ["migrate", "up"])
def test_whoever_starts_it_reads_one_sentence(tmp_path: Path, command: str) -> None:
    book = tmp_path / "house.sqlite3"
    with sqlite3.connect(book) as old:
        old.execute("PRAGMA journal_mode=WAL")
        old.execute("CREATE TABLE django_migrations (id INTEGER PRIMARY KEY, app, name, applied)")
        old.execute("INSERT INTO django_migrations VALUES (1, ?, ?, '2026-01-01')", OLDER)
    old.close()
    before = book.read_bytes()

    words = [sys.executable, "manage.py", command]
    words += [f"--port={processes.free_port()}"] if command == "up" else []
    refused = subprocess.run(
        words, cwd=processes.ROOT, env=processes.environment(HOME_THROW_DATA=str(tmp_path)),
        capture_output=True, text=True, check=False, timeout=processes.PATIENCE,
    )  # fmt: skip

    assert refused.returncode == 1
    assert str(book) in refused.stderr
    assert "Move it aside" in refused.stderr
    assert len(refused.stderr.strip().splitlines()) == 1
    assert book.read_bytes() == before


@pytest.mark.django_db
def test_what_the_ledger_lacks_does_not_keep_migrate_from_putting_it_in() -> None:
    """A new version brings other triggers; until they are in, the check of them fails."""
    of = " ON ledger_event" if connection.vendor == "postgresql" else ""
    name = "ledger_check_event" if of else "ledger_event_no_delete"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {name}{of}")
    assert install.missing(connection)

    asked_for = migrate.Command().create_parser("manage.py", "migrate").parse_args([])
    migrate.Command().execute(**vars(asked_for) | {"verbosity": 0})  # with its checks, unlike above

    assert install.missing(connection) == []
