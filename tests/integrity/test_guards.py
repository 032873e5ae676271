"""
The guards of the database, taken away one by one: each is named, by whatever looks at them.

What is done here to the database a person does who owns its tables, with no other tool than SQL.
"""

from __future__ import annotations

import json
import re
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings as django_settings
from django.core.checks import Tags, run_checks
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from structlog.testing import capture_logs

from casino.config import one_parent
from casino.config.management.commands import up
from casino.health import checks as health
from casino.integrity import constraints, guards, runs
from casino.integrity.models import Verification, VerificationFinding
from casino.jobs.models import Occasion
from casino.settlement import payout_holds
from casino.settlement.models import Payout
from casino.web.api import problems
from ledger import guards as of_the_ledger
from ledger import install
from ledger.storage import Unguarded
from tests.ledger.forbidden import ON_POSTGRESQL, execute
from tests.support import builders
from tests.support.on_citus import ON_CITUS
from tests.support.playing import opened, round_played, settled

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

    from tests.support.builders import House

pytestmark = pytest.mark.django_db
STATEMENTS_MAX = 16
"""What the comparison asks of the database, however many tables there are."""

# fmt: off
ON_POSTGRES = [
    # what is done                                                      what is said
    ("ALTER TABLE ledger_event DISABLE TRIGGER ledger_append_only",
     "Trigger ledger_append_only on ledger_event is off."),
    ("ALTER TABLE ledger_event DISABLE TRIGGER USER",
     "Trigger ledger_check_event on ledger_event is off."),
    ("ALTER TABLE ledger_event ENABLE TRIGGER ledger_append_only",
     "Trigger ledger_append_only on ledger_event does not fire in every session."),
    ("DROP TRIGGER ledger_no_truncate ON ledger_checkpoint",
     "Trigger ledger_no_truncate on ledger_checkpoint is missing."),
    ("DROP TRIGGER sign_in_log_append_only ON attendants_signin",
     "Trigger sign_in_log_append_only on attendants_signin is missing."),
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
    ("ALTER TABLE ledger_event DROP CONSTRAINT ledger_event_stream_version",
     "Constraint of ledger_event is missing: unique establishment stream stream_version"),
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
    ("CREATE TABLE zealous () INHERITS (ledger_event)",
     "Trigger ledger_append_only on zealous is missing."),
    ("ALTER TABLE attendants_employment DISABLE TRIGGER ALL",
     " of attendants_employment is not enforced: its trigger is off."),
]
ON_SQLITE = [
    ("DROP TRIGGER ledger_event_no_update",
     "Trigger ledger_event_no_update on ledger_event is missing."),
    ("DROP TRIGGER devices_deviceentry_no_delete",
     "Trigger devices_deviceentry_no_delete on devices_deviceentry is missing."),
    (("DROP TRIGGER ledger_event_no_update; CREATE TRIGGER ledger_event_no_update"
     " BEFORE UPDATE ON ledger_event BEGIN SELECT 1; END"),
     "Trigger ledger_event_no_update on ledger_event is another one."),
    ("CREATE TRIGGER zealous BEFORE INSERT ON ledger_event BEGIN SELECT RAISE(IGNORE); END",
     "A trigger that is not ours stands on ledger_event: zealous."),
    ("CREATE TRIGGER zealous AFTER INSERT ON settlement_payout BEGIN SELECT 1; END",
     "A trigger that is not ours stands on settlement_payout: zealous."),
    ("DROP INDEX one_role_per_house",
     "Constraint of attendants_employment is missing: unique establishment_id attendant_id"),
]
# fmt: on
DAMAGES = ON_POSTGRES if ON_POSTGRESQL else ON_SQLITE
DAMAGE, SAYS = DAMAGES[0]


def damage(statements: str) -> None:
    if "guards_stranger" in statements:
        execute("CREATE ROLE guards_stranger NOLOGIN")  # gone with the test's transaction
    for statement in re.split(r"; (?=DROP|CREATE|ALTER)", statements):
        execute(statement)


def test_nothing_is_said_of_a_database_as_it_was_installed() -> None:
    constraints.declared("default")

    with CaptureQueriesContext(connection) as asked:
        assert guards.differences() == []

    assert len(asked) <= STATEMENTS_MAX


def test_nothing_stands_in_the_database_that_is_not_compared() -> None:
    """A key or a CHECK that a migration makes by hand would not be missed if it were gone."""
    wanted = constraints.declared("default")
    with connection.cursor() as cursor:
        found = constraints.there(connection, cursor, wanted)

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
def test_every_trigger_and_function_that_is_gone_is_named() -> None:
    expected = of_the_ledger.installed(connection)
    for each in guards.WRITTEN_ONCE:
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
def test_every_declared_constraint_that_is_gone_is_named() -> None:
    declared = constraints.declared("default")
    strip_on_postgresql() if ON_POSTGRESQL else strip_on_sqlite()

    assert list(constraints.differences(connection)) == [
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
    assert "those of another version" in health.integrity(timezone.now()).says


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
def test_a_role_that_may_only_run_the_house_compares_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(django_settings.DATABASES["default"], "USER", "guards_runs")
    execute("CREATE ROLE guards_runs")
    install.grant(connection, "guards_runs")
    execute("SET ROLE guards_runs")
    try:
        found = guards.differences()
    finally:
        execute("RESET ROLE")

    assert found == []


@pytest.fixture
def house(settings: Settings, tmp_path: Path) -> House:
    """A house that has keys, where a game was played and settled."""
    settings.LEDGER_KEYS_DIR = tmp_path / "keys"
    settings.PRODUCTION = False
    house = builders.house()
    builders.on_record(house.establishment)
    round_played(house, opened(house, stake=60))
    settled(house)
    return house


class TestWhoTellsOfIt:
    def test_verify_ledger_says_it_first_and_exits_with_1(self, house: House) -> None:
        execute(DAMAGE)
        status, lines = printed("verify_ledger", house, "--no-projections")

        assert status == 1
        assert lines[0]["finding"] == {"what": "guard", "says": lines[0]["finding"]["says"]}
        assert lines[0]["finding"]["says"] == SAYS
        assert lines[-1]["figures"]["findings"] == 1
        assert payout_holds.stop_now(house.id) is not None

    def test_a_verification_keeps_it_and_the_log_has_it(self, house: House) -> None:
        execute(DAMAGE)
        with capture_logs() as logged:
            run = runs.whole(house.establishment, Occasion.NIGHT)

        found = VerificationFinding.objects.filter(job=run.id)
        assert run.state == Verification.State.BROKEN
        assert [each.details["says"] for each in found] == [SAYS]
        assert SAYS in [each.get("says") for each in logged]

    def test_health_names_what_a_verification_found(self, house: House) -> None:
        assert health.integrity(timezone.now()).ok
        execute(DAMAGE)
        runs.whole(house.establishment, Occasion.NIGHT)

        found = health.integrity(timezone.now())

        assert not found.ok
        assert f"its database is not guarded as it was installed ({SAYS})" in found.says
        assert not health.payouts().ok

    def test_the_system_check_names_it(self, house: House) -> None:
        assert house
        execute(DAMAGE)

        assert "integrity.E002" in [
            each.id for each in run_checks(tags=[Tags.database], databases=["default"])
        ]

    def test_migrate_says_and_keeps_it_before_it_is_put_back(self, house: House) -> None:
        execute(DAMAGE)
        err = StringIO()

        call_command("migrate", verbosity=0, interactive=False, stderr=err)

        assert f"! {SAYS}" in err.getvalue()
        assert guards.differences() == []
        [found] = VerificationFinding.objects.filter(establishment=house.id)
        assert found.details["says"] == SAYS
        stopped = payout_holds.stop_now(house.id)
        assert stopped is not None
        assert stopped.about == str(found.job)

    def test_migrate_after_a_restore_keeps_nothing(self, house: House) -> None:
        execute(DAMAGE)

        call_command("migrate", verbosity=0, interactive=False, restored=True)

        assert guards.differences() == []
        assert payout_holds.stop_now(house.id) is None

    def test_a_start_says_it(self, house: House, capsys: pytest.CaptureFixture[str]) -> None:
        assert house
        say = one_parent.say_what_is_unguarded if ON_POSTGRESQL else up.migrate
        say()
        assert capsys.readouterr().err == ""
        execute(DAMAGE)

        say()

        assert (SAYS if ON_POSTGRESQL else "ledger_event_no_update") in capsys.readouterr().err


@pytest.mark.skipif(ON_POSTGRESQL, reason="There the append function says so, as below.")
class TestWithTriggersOff:
    """Nothing is written to a ledger without triggers: what was found is told all the same."""

    @pytest.fixture(autouse=True)
    def _off(self, house: House) -> None:
        assert house
        execute("DROP TRIGGER ledger_transfer_no_delete")
        connection._ledger_required = None  # type: ignore[attr-defined]

    def test_verify_ledger(self, house: House) -> None:
        status, lines = printed("verify_ledger", house, "--no-projections")

        assert status == 1
        assert [line["what"] for line in lines[:2]] == ["finding", "payouts"]
        assert lines[1]["payouts"]["stopped"] is False
        assert "Run migrate" in lines[1]["payouts"]["said"]

    def test_regrade(self, house: House) -> None:
        Payout.objects.filter(establishment=house.id, seq=0).update(amount=99)

        status, lines = printed("regrade", house)

        assert status == 1
        told = [line["what"] for line in lines]
        assert told.index("difference") < told.index("payouts") < told.index("figures")
        [payouts] = [line["payouts"] for line in lines if line["what"] == "payouts"]
        assert payouts["stopped"] is False


@pytest.mark.skipif(not ON_POSTGRESQL or ON_CITUS, reason="SQLite has no append function.")
class TestWithoutTheAppendFunction:
    def test_verify_ledger(self, house: House) -> None:
        execute("DROP FUNCTION ledger_append")

        status, lines = printed("verify_ledger", house, "--no-projections")

        assert status == 1
        assert lines[0]["finding"]["says"] == "Function ledger_append is missing."
        assert lines[1]["payouts"]["stopped"] is False


def test_a_program_is_answered_503_with_a_code() -> None:
    problem = problems.problem_of(Unguarded("The ledger's triggers are missing: x. Run migrate."))

    assert problem is not None
    assert (problem.status, problem.code) == (503, "storage_unguarded")
    assert "This was not recorded" in problem.detail


def printed(command: str, house: House, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    """The exit status of a command, and the lines that it prints."""
    out, status = StringIO(), 0
    try:
        call_command(
            command, "--json", f"--establishment={house.id}", *arguments,
            stdout=out, stderr=StringIO(),
        )  # fmt: skip
    except SystemExit as ended:
        status = int(str(ended.code))
    except CommandError as error:
        status = error.returncode
    return status, [json.loads(line) for line in out.getvalue().splitlines()]
