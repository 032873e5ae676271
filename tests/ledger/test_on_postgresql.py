"""What PostgreSQL alone can be asked: roles, replicas, keys. Collected on PostgreSQL only."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import DatabaseError, connection

from ledger import install, journal
from tests.ledger.building import ANNA, CAGE, HOUSE, appended, transfer
from tests.ledger.forbidden import FORBIDDEN, contents, execute, forged_event_is_refused

pytestmark = pytest.mark.django_db


@contextmanager
def runtime_role() -> Iterator[None]:
    """As the role that runs a house; the test's transaction takes it away again."""
    execute("CREATE ROLE ledger_test_runtime")
    install.grant(connection, "ledger_test_runtime")
    execute("SET ROLE ledger_test_runtime")
    try:
        yield
    finally:
        execute("RESET ROLE")


@pytest.mark.usefixtures("booked")
@pytest.mark.parametrize("statement", FORBIDDEN)
def test_a_replicas_session_cannot(statement: str) -> None:
    execute("SET LOCAL session_replication_role = replica")
    before = contents()

    with pytest.raises(DatabaseError, match=r"ledger_|unique"):
        execute(statement)

    assert contents() == before


# fmt: off
RUNTIME = [
    "INSERT INTO ledger_event SELECT * FROM ledger_event",
    "INSERT INTO ledger_transfer SELECT * FROM ledger_transfer",
    "INSERT INTO ledger_commandreceipt SELECT * FROM ledger_commandreceipt",
    "SET session_replication_role = replica",
    "ALTER TABLE ledger_event DISABLE TRIGGER ALL",
    "ALTER TABLE ledger_event DROP CONSTRAINT ledger_event_leaf_hash",
    "DROP TRIGGER ledger_append_only ON ledger_event",
    "DROP TABLE ledger_event CASCADE",
    "CREATE OR REPLACE FUNCTION ledger_forbid() RETURNS trigger LANGUAGE plpgsql"
    " AS $$ BEGIN RETURN NEW; END $$",
    "UPDATE django_migrations SET name = ''",
]
# fmt: on


@pytest.mark.usefixtures("booked")
@pytest.mark.parametrize("statement", [*FORBIDDEN, *RUNTIME])
def test_the_role_that_runs_a_house_has_no_right_to(statement: str) -> None:
    with (
        runtime_role(),
        pytest.raises(DatabaseError, match=r"permission denied|must be owner"),
    ):
        execute(statement)


def test_the_role_that_runs_a_house_appends_and_reads() -> None:
    with runtime_role():
        appended("game/1", transfer(CAGE, ANNA, 25))
        [found] = journal.read(establishment=HOUSE, limit=10)

    assert found.stream == "game/1"


@pytest.mark.usefixtures("booked")
def test_no_leaf_hash_is_other_than_the_bodys() -> None:
    zeros = f"'\\x{'00' * 32}'::bytea"
    forged_event_is_refused({"leaf_hash": zeros}, match="ledger_event_leaf_hash")


def test_a_switched_off_trigger_is_found() -> None:
    execute("ALTER TABLE ledger_transfer DISABLE TRIGGER ledger_no_truncate")

    assert install.missing(connection) == ["ledger_transfer.ledger_no_truncate"]


def test_keys_lead_with_the_establishment() -> None:
    rows = execute(
        """
        SELECT relname, attname FROM pg_index
        JOIN pg_class ON pg_class.oid = indrelid
        JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
        WHERE relname LIKE 'ledger_%' AND indisunique
        """
    )

    assert {leading for _, leading in rows} == {"establishment"}
    assert len({table for table, _ in rows}) == 6
