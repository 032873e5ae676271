"""What PostgreSQL alone can be asked: roles, replicas, keys. Collected on PostgreSQL only."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.db import DatabaseError, connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from ledger import install, journal, subscriptions
from ledger.conflicts import HeadMoved
from ledger.journal import Entry, StoredEvent
from ledger.models import Subscription
from ledger.subscriptions import Advanced, StreamVersions, Subscriber, advance
from tests.ledger.building import ANNA, CAGE, HOUSE, appended, entry, event, transfer
from tests.ledger.forbidden import EVERYWHERE, FORBIDDEN, contents, execute, forged_event_is_refused
from tests.ledger.workers import PATIENCE, answers, started
from tests.support.on_citus import ON_CITUS

pytestmark = pytest.mark.django_db
SHARED_LOCK = "pg_advisory_xact_lock_shared(7)"
ACTIVITY = "citus_stat_activity" if ON_CITUS else "pg_stat_activity"


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
    ("CREATE OR REPLACE FUNCTION ledger_forbid() RETURNS trigger LANGUAGE plpgsql"
     " AS $$ BEGIN RETURN NEW; END $$"),
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


@pytest.mark.skipif(
    ON_CITUS,
    reason="Another session writes there, as one role: tests/scale/citus/test_distribute.py.",
)
def test_the_role_that_runs_a_house_appends_and_reads() -> None:
    with runtime_role():
        appended("game/1", transfer(CAGE, ANNA, 25))
        [found] = journal.read(establishment=HOUSE, limit=10)

    assert found.stream == "game/1"


@pytest.mark.django_db(transaction=True)
def test_two_that_take_one_number_on_two_servers_are_not_both_there() -> None:
    """
    As where a house moves: the other one does not hold the lock that this one waits for. Here it
    writes without asking, as the owner of the table; its row is there once it commits.
    """
    appended("game/1")
    again = """
        INSERT INTO ledger_commandreceipt (
            establishment, seq, command_id, request_hash, refusal_code, refusal_detail, actor,
            recorded_at)
        SELECT establishment, seq + 1, gen_random_uuid(), request_hash, 'no', 'No.', actor,
            recorded_at
        FROM ledger_commandreceipt"""
    other = connection.copy()
    raised: list[journal.StreamMoved] = []

    def appends() -> None:
        try:
            appended("game/2")
        except journal.StreamMoved as moved:
            raised.append(moved)
        finally:
            connections.close_all()

    with other.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute(again)
        late = Thread(target=appends)
        late.start()
        await_somebody("transactionid")
        cursor.execute("COMMIT")
        late.join(PATIENCE)
    other.close()

    assert [type(each) for each in raised] == [HeadMoved]


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
            AND relnamespace = current_schema()::regnamespace
        """
    )

    assert {leading for _, leading in rows} == {"establishment"}
    assert len({table for table, _ in rows}) == 9


class Command(Thread):
    """Another connection, in which an attendant's command is appended."""

    def __init__(self, *, commits: Event | None = None) -> None:
        super().__init__()
        self.commits = commits
        self.appended = Event()
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            with transaction.atomic():
                appended("game/other")
                self.appended.set()
                if self.commits is not None:
                    assert self.commits.wait(PATIENCE)
        except BaseException as error:  # noqa: BLE001  told to the test
            self.error = error
        finally:
            connections.close_all()

    def finish(self) -> None:
        self.join(PATIENCE)
        assert not self.is_alive()
        if self.error is not None:
            raise self.error


def settled_while(during: Callable[[], None]) -> Advanced:
    """Settle one event, with something else going on while it is being handled."""

    def handle(happened: StoredEvent, versions: StreamVersions) -> Sequence[Entry]:
        if happened.position == 0:
            during()
            return [entry({"settlement": versions["settlement"]}, [event("settlement")])]
        return ()

    return advance(Subscriber(name="settlement", handle=handle), establishment=HOUSE, batch=1)


@pytest.mark.django_db(transaction=True)
def test_a_command_is_not_held_up_by_a_settlement_that_is_computing() -> None:
    appended("game/1")
    command = Command()

    def during() -> None:
        command.start()
        command.finish()  # it has committed while settlement holds its row

    assert settled_while(during) == Advanced(handled=1, appended=1, full=True, lag=2)
    assert [it.stream for it in journal.read(establishment=HOUSE, limit=9)] == [
        "game/1", "game/other", "settlement",
    ]  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_a_settlement_waits_for_a_command_that_holds_the_lock() -> None:
    appended("game/1")
    commits = Event()
    command = Command(commits=commits)
    # It commits once settlement, its row held, waits for the lock that the command holds.
    watcher = Thread(target=commit_once_somebody_waits, args=[commits])

    def during() -> None:
        command.start()
        assert command.appended.wait(PATIENCE)
        watcher.start()

    assert settled_while(during).handled == 1
    command.finish()
    watcher.join(PATIENCE)
    assert [it.stream for it in journal.read(establishment=HOUSE, limit=9)] == [
        "game/1", "game/other", "settlement",
    ]  # fmt: skip


def commit_once_somebody_waits(commits: Event) -> None:
    await_somebody(waits_for="advisory")
    commits.set()
    connections.close_all()


@pytest.mark.django_db(transaction=True)
def test_who_finds_the_subscription_taken_goes_home() -> None:
    appended("game/1")
    found: list[Advanced] = []

    def other() -> None:
        idle = Subscriber(name="settlement", handle=lambda _event, _versions: ())
        found.append(advance(idle, establishment=HOUSE))
        connections.close_all()

    def during() -> None:
        loser = Thread(target=other)
        loser.start()
        loser.join(PATIENCE)

    # The row is there: who makes it would otherwise be waited for.
    Subscription.objects.create(establishment=HOUSE, name="settlement")
    assert settled_while(during).handled == 1
    assert found == [Advanced(lost_race=True, lag=1)]


@pytest.mark.django_db(transaction=True)
def test_what_is_parked_while_the_subscription_is_being_taken_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """
    Another parks a stream and moves the cursor between our question and our lock: the next event of
    that stream is not handled before the one that waits.
    """
    for number in (1, 2):
        appended("game/1", version=number - 1)
    Subscription.objects.create(establishment=HOUSE, name="settlement")
    # A server of a cluster does not wait for a lock of another one.
    function, event = ("pg_sleep(3)", "PgSleep") if ON_CITUS else (SHARED_LOCK, "advisory")
    waits = f"{function}::text IS NOT NULL"
    before_the_lock = f"name = %s AND {waits} FOR UPDATE SKIP LOCKED"
    slowly = subscriptions.TAKEN["postgresql"].replace(
        "name = %s FOR UPDATE SKIP LOCKED", before_the_lock
    )
    assert before_the_lock in slowly
    handled: list[int] = []

    def noted(happened: StoredEvent, _versions: StreamVersions) -> Sequence[Entry]:
        handled.append(happened.position)
        return ()

    def follows() -> None:
        advance(Subscriber(name="settlement", handle=noted), establishment=HOUSE)
        connections.close_all()

    def poisoned(happened: StoredEvent, _versions: StreamVersions) -> Sequence[Entry]:
        raise ValueError(f"{happened.position} is not understood")

    monkeypatch.setitem(subscriptions.TAKEN, "postgresql", slowly)
    late = Thread(target=follows)
    execute("SELECT pg_advisory_lock(7)")
    late.start()
    await_somebody(event)
    monkeypatch.undo()
    done = advance(Subscriber(name="settlement", handle=poisoned), establishment=HOUSE, batch=1)
    execute("SELECT pg_advisory_unlock(7)")
    late.join(PATIENCE)

    assert done.parked == 1
    assert handled == []
    waiting = subscriptions.parked_events("settlement", establishment=HOUSE)
    assert [each.position for each in waiting] == [0, 1]


def await_somebody(waits_for: str) -> None:
    """In this database: others of the server belong to other tests."""
    end = monotonic() + PATIENCE
    here = "datname = current_database()"
    waiting = f"SELECT 1 FROM {ACTIVITY} WHERE wait_event = %s AND {here}"  # noqa: S608 - two names
    while not execute(waiting, [waits_for]) and monotonic() < end:
        sleep(0.005)


@pytest.mark.django_db(transaction=True)
def test_an_older_snapshot_is_refused() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        with pytest.raises(DatabaseError, match="READ COMMITTED"):
            appended("game/1")


@pytest.mark.django_db(transaction=True)
def test_append_outside_a_transaction_is_one_round_trip() -> None:
    appended("game/1")

    with CaptureQueriesContext(connection) as captured:
        appended("game/1", transfer(CAGE, ANNA, 25), version=1, events=3)

    assert len(captured) == 1


@pytest.fixture
def two_roles() -> Iterator[dict[str, dict[str, Any]]]:
    """A database whose owner migrates and whose runtime role runs the house, as in production."""
    reached: dict[str, Any] = {
        name: connection.settings_dict[name]
        for name in ("ENGINE", "NAME", "USER", "PASSWORD", "HOST", "PORT", "POOLER")
        if name in connection.settings_dict
    }
    roles = ["ledger_test_owner", "ledger_test_house"]
    made = [f"CREATE ROLE {role} LOGIN PASSWORD 'secret'" for role in roles]
    gone = [f"DROP ROLE {role}" for role in roles]
    with server(reached) as execute_there:
        execute_there(*made, "CREATE DATABASE ledger_test_roles OWNER ledger_test_owner")
        try:
            yield {
                alias: {**reached, "NAME": "ledger_test_roles", "USER": role, "PASSWORD": "secret"}
                for alias, role in zip(("owner", "default"), roles, strict=True)
            }
        finally:
            execute_there("DROP DATABASE ledger_test_roles WITH (FORCE)", *gone)


@contextmanager
def server(reached: dict[str, Any]) -> Iterator[Callable[..., None]]:
    with psycopg.connect(
        host=reached["HOST"], port=reached["PORT"], user=reached["USER"],
        password=reached["PASSWORD"], dbname=reached["NAME"], autocommit=True,
    ) as direct:  # fmt: skip

        def execute_there(*statements: str) -> None:
            for statement in statements:
                direct.execute(statement.encode())

        yield execute_there


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
def test_the_owner_migrates_and_the_house_appends(two_roles: dict[str, dict[str, Any]]) -> None:
    environment = {**os.environ, "LEDGER_TEST_DATABASES": json.dumps(two_roles)}

    answers(started(environment, ("migrate", "owner")))
    answers(started(environment, ("migrate", "owner")))  # and again: nothing is left to do
    [[repeated, first, _]] = answers(started(environment, ("ask", uuid4())))

    assert (repeated, first) == (False, 0)
    with server(two_roles["default"]) as execute_there:
        for statement in [*EVERYWHERE, *RUNTIME]:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                execute_there(statement)
        execute_there("UPDATE ledger_subscription SET position = position")
