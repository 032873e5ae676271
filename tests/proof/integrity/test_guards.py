"""
The guards of the database, taken away one by one: each is named, by whatever looks at them.

What is done here to the database a person does who owns its tables, with no other tool than SQL.
"""

from __future__ import annotations

import os
import re

import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.engine.databases import guards
from casino.engine.databases.guards import WRITTEN_ONCE
from ledger import guards as of_the_ledger
from ledger import install
from tests.ledger.forbidden import ON_POSTGRESQL, execute
from tests.support.on_citus import ON_CITUS
from tests.template import PARTITIONED

pytestmark = pytest.mark.django_db
STATEMENTS_MAX = 16
"""What the comparison asks of the database, however many tables there are."""

# fmt: off
ON_POSTGRES = [
    # what is done                                                      what is said
    ("DROP TRIGGER sign_in_log_append_only ON attendants_signin",
     "Trigger sign_in_log_append_only on attendants_signin is missing."),
    ("ALTER TABLE ledger_event DISABLE TRIGGER ledger_append_only",
     "Trigger ledger_append_only on ledger_event is off."),
    ("ALTER TABLE ledger_event DISABLE TRIGGER USER",
     "Trigger ledger_check_event on ledger_event is off."),
    ("ALTER TABLE ledger_event ENABLE TRIGGER ledger_append_only",
     "Trigger ledger_append_only on ledger_event does not fire in every session."),
    ("DROP TRIGGER ledger_no_truncate ON ledger_checkpoint",
     "Trigger ledger_no_truncate on ledger_checkpoint is missing."),
    (("DROP TRIGGER ledger_append_only ON ledger_event; CREATE TRIGGER ledger_append_only"
     " BEFORE DELETE ON ledger_event FOR EACH ROW EXECUTE FUNCTION ledger_forbid();"
     " ALTER TABLE ledger_event ENABLE ALWAYS TRIGGER ledger_append_only"),
     "Trigger ledger_append_only on ledger_event is another one"),
    (("CREATE OR REPLACE TRIGGER ledger_check_account BEFORE INSERT OR UPDATE ON ledger_account"
     " FOR EACH ROW WHEN (pg_trigger_depth() < 0) EXECUTE FUNCTION ledger_forbid()"),
     "Trigger ledger_check_account on ledger_account is another one"),
    (("CREATE OR REPLACE FUNCTION ledger_forbid() RETURNS trigger LANGUAGE plpgsql"
     " AS 'BEGIN RETURN NEW; END'"),
     "Function ledger_forbid has another body."),
    ("ALTER FUNCTION ledger_forbid RESET search_path",
     "Function ledger_forbid runs with other rights or settings."),
    (("CREATE SCHEMA zealous; CREATE FUNCTION zealous.ledger_append(text) RETURNS text"
      " LANGUAGE sql AS 'SELECT $1'; SET search_path = public, zealous"),
     "There are several functions called ledger_append."),
    ("ALTER FUNCTION ledger_append SECURITY INVOKER",
     "Function ledger_append runs with other rights or settings."),
    ("DROP FUNCTION ledger_append",
     "Function ledger_append is missing."),
    ("CREATE FUNCTION ledger_append(uuid) RETURNS uuid LANGUAGE sql AS 'SELECT $1'",
     "There are several functions called ledger_append."),
    ("ALTER TABLE ledger_transfer DROP CONSTRAINT ledger_transfer_pot_falls",
     "Constraint of ledger_transfer is missing: check not debit_kind = 'pot'"),
    (("ALTER TABLE ledger_transfer DROP CONSTRAINT ledger_transfer_amount,"
     " ADD CONSTRAINT ledger_transfer_amount CHECK (amount > -7)"),
     "Constraint of ledger_transfer is another one: check amount > - 7"),
    (("ALTER TABLE ledger_transfer DROP CONSTRAINT ledger_transfer_amount,"
     " ADD CONSTRAINT ledger_transfer_amount CHECK (amount > 0) NOT VALID"),
     "Constraint of ledger_transfer is another one: check amount > 0 not valid"),
    ("ALTER TABLE ledger_event DROP CONSTRAINT ledger_event_leaf_hash",
     "Constraint of ledger_event is missing: check leaf_hash = sha256"),
    ("DROP INDEX one_role_per_house",
     "Constraint of attendants_employment is missing: unique establishment_id attendant_id"),
    ("ALTER TABLE ledger_event ALTER leaf_hash DROP NOT NULL",
     "Constraint of ledger_event is missing: not null leaf_hash."),
    ("GRANT ALL ON ledger_event TO guards_stranger",
     "guards_stranger may DELETE, INSERT, "),
    ("GRANT UPDATE (body) ON ledger_event TO PUBLIC",
     "Everybody may UPDATE ledger_event."),
    ("GRANT EXECUTE ON FUNCTION ledger_append TO PUBLIC",
     "Everybody may call ledger_append."),
    ("GRANT EXECUTE ON FUNCTION ledger_rest TO guards_stranger",
     "guards_stranger may call ledger_rest."),
    ("ALTER TABLE ledger_event OWNER TO guards_stranger",
     "ledger_event belongs to guards_stranger, not to "),
    ("ALTER FUNCTION ledger_append OWNER TO guards_stranger",
     "Function ledger_append belongs to guards_stranger, not to "),
    (("CREATE TRIGGER zealous BEFORE INSERT ON ledger_event FOR EACH ROW"
     " EXECUTE FUNCTION suppress_redundant_updates_trigger()"),
     "A trigger that is not ours stands on ledger_event: zealous."),
    (("CREATE TRIGGER zealous BEFORE INSERT ON settlement_payout FOR EACH ROW"
     " EXECUTE FUNCTION ledger_forbid()"),
     "A trigger that is not ours stands on settlement_payout: zealous."),
    ("CREATE RULE zealous AS ON DELETE TO ledger_tile DO INSTEAD NOTHING",
     "A rule that is not ours stands on ledger_tile: zealous."),
    ("ALTER TABLE ledger_event ENABLE ROW LEVEL SECURITY",
     "Row security is on for ledger_event: it hides rows."),
    ("ALTER ROLE CURRENT_USER SET session_replication_role = replica",
     "Sessions begin with session_replication_role"),
    (("ALTER TABLE ledger_unread RENAME TO hidden;"
      " CREATE VIEW ledger_unread AS SELECT * FROM hidden"),
     "Table ledger_unread is missing."),
    ("ALTER TABLE ledger_event ENABLE REPLICA TRIGGER ledger_append_only",
     "Trigger ledger_append_only on ledger_event does not fire in every session."),
    ("ALTER TABLE ledger_event FORCE ROW LEVEL SECURITY",
     "Row security is on for ledger_event: it hides rows."),
    ("ALTER TABLE attendants_employment DISABLE TRIGGER ALL",
     " of attendants_employment is not enforced: its trigger is off."),
]
IN_ONE_TABLE = [  # pieces have that key each by itself, and nothing inherits besides
    ("ALTER TABLE ledger_event DROP CONSTRAINT ledger_event_stream_version",
     "Constraint of ledger_event is missing: unique establishment stream stream_version"),
    ("CREATE TABLE zealous () INHERITS (ledger_event)",
     "Trigger ledger_append_only on zealous is missing."),
]
ON_SQLITE = [
    ("DROP TRIGGER ledger_event_no_update",
     "Trigger ledger_event_no_update on ledger_event is missing."),
    ("DROP TRIGGER devices_deviceentry_no_delete",
     "Trigger devices_deviceentry_no_delete on devices_deviceentry is missing."),
    (("DROP TRIGGER ledger_event_no_update; CREATE TRIGGER ledger_event_no_update"
     " BEFORE UPDATE ON ledger_event BEGIN SELECT 1; END"),
     "Trigger ledger_event_no_update on ledger_event is another one: CREATE TRIGGER"),
    ("CREATE TRIGGER zealous BEFORE INSERT ON ledger_event BEGIN SELECT RAISE(IGNORE); END",
     "A trigger that is not ours stands on ledger_event: zealous."),
    ("CREATE TRIGGER zealous BEFORE INSERT ON LEDGER_EVENT BEGIN SELECT RAISE(IGNORE); END",
     "A trigger that is not ours stands on ledger_event: zealous."),
    (("ALTER TABLE ledger_tile RENAME TO hidden;"
      " CREATE VIEW ledger_tile AS SELECT * FROM hidden"),
     "Table ledger_tile is missing."),
    (("PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql ="
      " replace(sql, 'NOT NULL', 'NOT NULL ON CONFLICT IGNORE') WHERE name = 'ledger_tile'"),
     "Constraint of ledger_tile is missing: not null "),
    (("PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, "
      """', CONSTRAINT "ledger_account_not_over', '/*, CONSTRAINT "ledger_account_not_over')"""
      " || '*/)' WHERE name = 'ledger_account'"),
     "Constraint of ledger_account is missing: check not kind in "),
    ("CREATE TRIGGER zealous AFTER INSERT ON settlement_payout BEGIN SELECT 1; END",
     "A trigger that is not ours stands on settlement_payout: zealous."),
    ("DROP INDEX one_role_per_house",
     "Constraint of attendants_employment is missing: unique establishment_id attendant_id"),
]
# fmt: on
IN_PIECES = ON_POSTGRESQL and PARTITIONED in os.environ
DAMAGES = ON_POSTGRES + ([] if IN_PIECES else IN_ONE_TABLE) if ON_POSTGRESQL else ON_SQLITE
DAMAGE, SAYS = DAMAGES[0]


def damage(statements: str) -> None:
    if "guards_stranger" in statements:
        execute("CREATE ROLE guards_stranger NOLOGIN")  # gone with the test's transaction
    for statement in re.split(r"; (?=DROP|CREATE|ALTER|SET|UPDATE)", statements):
        execute(statement)


def test_nothing_is_said_of_a_database_as_it_was_installed() -> None:
    guards.constraints_of_models("default")

    with CaptureQueriesContext(connection) as asked:
        assert guards.differences() == []

    statements = [each["sql"].split("FROM")[0][:60] for each in asked]
    assert len(statements) <= STATEMENTS_MAX, "\n".join(statements)


def test_nothing_stands_in_the_database_that_is_not_compared() -> None:
    """A key or a CHECK that a migration makes by hand would not be missed if it were gone."""
    wanted = guards.constraints_of_models("default")
    with connection.cursor() as cursor:
        found = guards.there(connection, cursor, wanted)

    unknown = [
        f"{table}: {each}"
        for table, has in found.items()
        for each in has
        if each.words not in {known.words for known in wanted[table]} and each.name
    ]

    assert unknown == []


@pytest.mark.skipif(ON_CITUS, reason="Citus takes no such DDL of a distributed table.")
@pytest.mark.parametrize(("statements", "says"), DAMAGES)
def test_what_was_changed_is_named(statements: str, says: str) -> None:
    damage(statements)

    assert any(says in each for each in guards.differences())


@pytest.mark.skipif(ON_CITUS, reason="Citus takes no such DDL of a distributed table.")
@pytest.mark.skipif(
    IN_PIECES, reason="Pieces are named, too: tests/scale/partitions/test_pieces.py."
)
def test_every_trigger_and_function_that_is_gone_is_named() -> None:
    expected = of_the_ledger.guards_of_database(connection)
    for each in WRITTEN_ONCE:
        expected |= each.expected(connection)
    for table, name in expected.triggers:
        execute(f'DROP TRIGGER "{name}"' + (f' ON "{table}"' if ON_POSTGRESQL else ""))
    for name in expected.functions:
        execute(f"DROP FUNCTION {name}")

    assert set(guards.differences()) == {
        *(f"Trigger {name} on {table} is missing." for table, name in expected.triggers),
        *(f"Function {name} is missing." for name in expected.functions),
    }


@pytest.mark.skipif(ON_CITUS, reason="Citus takes no such DDL of a distributed table.")
@pytest.mark.skipif(
    IN_PIECES, reason="Pieces are named, too: tests/scale/partitions/test_pieces.py."
)
def test_every_declared_constraint_that_is_gone_is_named() -> None:
    declared = guards.constraints_of_models("default")
    strip_on_postgresql() if ON_POSTGRESQL else strip_on_sqlite()

    assert list(guards.differences_of_constraints(connection)) == [
        f"Constraint of {table} is missing: {each}."
        for table in sorted(declared)
        for each in declared[table]
        if not ON_POSTGRESQL or each.words[0] != "not"
    ]


def strip_on_postgresql() -> None:
    """Take each constraint and each unique index off all tables."""
    rows = execute(
        """
        SELECT conrelid::regclass::text, quote_ident(conname) FROM pg_constraint
        WHERE connamespace = current_schema()::regnamespace AND contype IN ('c', 'u', 'p', 'f')
            AND conrelid <> 0 AND conparentid = 0 ORDER BY contype = 'p'"""
    )
    dropped = [
        f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {name} CASCADE" for table, name in rows
    ]
    indexes = """
        SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
        WHERE relnamespace = current_schema()::regnamespace AND indisunique"""
    execute(";".join(dropped))
    execute(";".join(f"DROP INDEX {name}" for (name,) in execute(indexes)))


def strip_on_sqlite() -> None:
    """Have the schema say of each table that it has columns, and nothing of them."""
    execute("PRAGMA writable_schema = ON")
    execute(
        "UPDATE sqlite_master SET sql = 'CREATE TABLE \"' || name || '\" (x)' WHERE type = 'table'"
    )
    execute("DELETE FROM sqlite_master WHERE type = 'index' AND sql LIKE 'CREATE UNIQUE%'")
    execute("PRAGMA writable_schema = OFF")


@pytest.mark.skipif(ON_POSTGRESQL, reason="SQLite changes a CHECK by making the table anew.")
def test_a_table_made_anew_without_its_checks_is_named() -> None:
    [(text,)] = execute("SELECT sql FROM sqlite_master WHERE name = 'ledger_account'")
    check = r', CONSTRAINT "ledger_account_not_overdrawn" CHECK .*?\("credits"\)\)\)'
    loose, replaced = re.subn(check, "", text)
    assert replaced == 1
    execute("DROP TABLE ledger_account")
    execute(loose)
    for name, statement in install.sqlite_triggers().items():
        if " ON ledger_account" in statement and name.startswith("ledger_account"):
            execute(statement)

    assert [each for each in guards.differences() if "ledger_account" in each] == [
        (
            "Constraint of ledger_account is missing: check not kind in 'held' 'pot' 'prizes_owed'"
            " 'rollover' 'stake' or debits <= credits (ledger_account_not_overdrawn)."
        )
    ]


@pytest.mark.skipif(not ON_POSTGRESQL or ON_CITUS, reason="PostgreSQL marks its functions.")
def test_guards_of_another_version_are_not_compared_and_it_is_said() -> None:
    execute(
        "CREATE OR REPLACE FUNCTION ledger_forbid() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'"
    )
    execute(f"COMMENT ON FUNCTION ledger_append IS '{'0' * 64}'")

    assert guards.differences() == []
    assert "those of another version" in guards.not_compared(connection)


@pytest.mark.skipif(ON_CITUS, reason="Citus takes no such DDL of a distributed table.")
def test_of_a_database_of_another_version_triggers_that_are_gone_are_said() -> None:
    assert guards.absent_triggers(connection) == []
    execute("UPDATE django_migrations SET name = name || '_older' WHERE app = 'ledger'")
    execute(DAMAGE)

    assert guards.differences() == []
    assert guards.absent_triggers(connection) == [SAYS]


@pytest.mark.skipif(not ON_POSTGRESQL or ON_CITUS, reason="SQLite has no privileges.")
def test_a_restored_database_lets_nobody_else_call_the_ledgers_functions() -> None:
    for function in install.FUNCTIONS:
        execute(f"GRANT EXECUTE ON FUNCTION {function} TO PUBLIC")

    install.install(connection)

    assert guards.differences() == []


@pytest.mark.skipif(not ON_POSTGRESQL or ON_CITUS, reason="SQLite has no roles.")
def test_a_role_that_runs_the_house_compares_them_and_may_do_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(django_settings.DATABASES["default"], "USER", "guards_runs")
    execute("CREATE ROLE guards_runs")
    install.grant(connection, "guards_runs")
    execute("SET ROLE guards_runs")
    try:
        found = guards.differences()
    finally:
        execute("RESET ROLE")

    assert found == []
    execute("GRANT pg_write_all_data TO guards_runs")
    assert guards.differences() == ["guards_runs, which runs the house, may write all tables."]
    execute("REVOKE pg_write_all_data FROM guards_runs")
    [(owner,)] = execute("SELECT quote_ident(current_user)")
    execute(f"GRANT {owner} TO guards_runs")
    assert any("guards_runs, which runs the house, may act as" in e for e in guards.differences())
