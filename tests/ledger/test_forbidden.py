"""The forbidden, tried by hand by whoever owns the tables, on either database."""

import pytest
from django.core.checks import Tags, run_checks
from django.core.management.sql import emit_post_migrate_signal
from django.db import DatabaseError, connection

from ledger import install
from tests.conftest import unguarded
from tests.ledger.building import appended
from tests.ledger.forbidden import (
    COLUMNS,
    FORBIDDEN,
    ON_POSTGRESQL,
    contents,
    execute,
    forged_event_is_refused,
)

pytestmark = pytest.mark.django_db

WRITTEN_ONCE = [table for table in COLUMNS if table != "ledger_account"]  # that one grows


@pytest.mark.usefixtures("booked")
@pytest.mark.parametrize("statement", FORBIDDEN)
def test_the_owner_of_the_tables_cannot(statement: str) -> None:
    before = contents()

    with pytest.raises(DatabaseError, match=r"ledger_|unique|UNIQUE"):
        execute(statement)

    assert contents() == before


@pytest.mark.usefixtures("booked")
@pytest.mark.parametrize("table", WRITTEN_ONCE)
def test_no_column_is_written_over_not_even_with_what_it_holds(table: str) -> None:
    for column in COLUMNS[table].split(", "):
        with pytest.raises(DatabaseError, match="ledger_append_only"):
            execute(f"UPDATE {table} SET {column} = {column}")  # noqa: S608 - names of our own


SWAPPED = [
    ("stream", "'other'"),
    ("stream_version", "2"),
    ("event_type", "'other'"),
    ("schema_version", "2"),
    ("command_seq", "1"),
    ("actor", "'other'"),
    ("device", "'other'"),
    ("gaming_day", "'2020-01-01'"),
    ("occurred_at", "'2020-01-01 00:00:00+00'"),
    ("recorded_at", "'2020-01-01 00:00:00+00'"),
    ("correlation_id", "establishment"),
    ("causation_id", "establishment"),
    ("command_id", "establishment"),
]


@pytest.mark.usefixtures("booked")
@pytest.mark.parametrize(("column", "value"), SWAPPED)
def test_no_column_says_other_than_the_body(column: str, value: str) -> None:
    forged_event_is_refused({column: value})


def test_a_missing_trigger_is_found_by_the_check_and_put_back_by_migrate() -> None:
    execute("DROP TRIGGER " + install_sample())
    assert install.missing(connection)
    assert "ledger.E001" in found_by_check()

    emit_post_migrate_signal(verbosity=0, interactive=False, db="default")

    assert install.missing(connection) == []
    assert found_by_check() == []


def found_by_check() -> list[str | None]:
    return [it.id for it in run_checks(tags=[Tags.database], databases=["default"])]


def install_sample() -> str:
    if ON_POSTGRESQL:
        return "ledger_append_only ON ledger_event"
    return "ledger_event_no_delete"


@pytest.mark.django_db(transaction=True)
def test_the_tests_own_flush_leaves_the_triggers_in_place() -> None:
    appended("game/1")
    with unguarded(connection) as cursor:
        cursor.execute("DELETE FROM ledger_event")

    assert install.missing(connection) == []
    appended("game/1")
    with pytest.raises(DatabaseError, match="ledger_append_only"):
        execute("DELETE FROM ledger_event")
