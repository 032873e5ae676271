"""
What the house asks of a session of PostgreSQL: nothing beyond a transaction, and it takes another
session where one ended or its server no longer takes writes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext

from casino.config import environment
from casino.engine.databases import storage_failure
from casino.engine.databases.postgresql import base
from casino.engine.scale.distribution import operations
from ledger.models import Event
from tests.processes import ROOT, free_port
from tests.support import builders
from tests.support.playing import done, opened, round_played, settled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

of_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite has no sessions that somebody else could get"
)
KEPT = re.compile(
    r"""
      pg_(try_)?advisory_lock | pg_advisory_unlock              # locks of the session
    | (^|["'(;]) \s* SET \s+ (SESSION\s+)? (?!LOCAL|TRANSACTION|CONSTRAINTS) \w+ \s* (=|TO\b)
    | set_config\( [^)]* \)? [^)]* ,\s* (false|False) \s* \)
    | (^|["'(;]) \s* (UN)?LISTEN \s | pg_notify | (^|["'(;]) \s* NOTIFY \s
    | (^|["'(;]) \s* (PREPARE|DEALLOCATE|DISCARD) \s
    | CREATE \s+ (GLOBAL\s+|LOCAL\s+)? TEMP | WITH \s+ HOLD
    | send_prepare | send_query_prepared | prepare\s*=\s*True
    """,
    re.VERBOSE | re.MULTILINE,
)
"""What would be found, or missed, by whoever gets the session next."""
ALLOWED = {
    # Refuses a pooler (`operations.POOLED`).
    "casino/engine/scale/distribution/operations.py",
    # Each with a session of its own, past a pooler.
    "casino/proof/verification/shadow.py",
    # Not through a pooler (`DatabaseWrapper.shares_sessions`).
    "ledger/prepared.py",
}


@pytest.mark.once
def test_the_house_leaves_nothing_in_a_session() -> None:
    found = {
        str(file.relative_to(ROOT))
        for top in ("casino", "ledger", "games")
        for file in (ROOT / top).rglob("*")
        if file.suffix in {".py", ".sql"} and KEPT.search(_code(file))
    }

    assert found == ALLOWED


def _code(file: Path) -> str:
    """Without the settings of a function, which hold while it runs."""
    return re.sub(
        r"^SET \w+ = .* AS \$\$", "", file.read_text(encoding="utf-8"), flags=re.MULTILINE
    )


@of_postgresql
@pytest.mark.django_db
def test_a_database_is_not_distributed_through_a_pooler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "POOLER", "transaction")

    for steps in (operations.distribute(connection), operations.undistribute(connection)):
        with pytest.raises(operations.NotDistributed, match="past the pooler"):
            next(steps)


# fmt: off
STATEMENTS = [
    ("SELECT pg_advisory_lock(1)",                           True),
    ("SELECT pg_advisory_xact_lock(1)",                      False),
    ("SET default_transaction_read_only = on",               True),
    ("SET search_path TO a",                                 True),
    ("SET LOCAL statement_timeout = 0",                      False),
    ("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",      False),
    ("UPDATE ledger_subscription SET position = 3",          False),
    ("SELECT set_config('a.b', 'c', false)",                 True),
    ("SELECT set_config('a.b', 'c', true)",                  False),
    ("LISTEN wakes",                                         True),
    ("PREPARE a AS SELECT 1",                                True),
    ("CREATE TEMP TABLE a (b int)",                          True),
    ("DECLARE a CURSOR WITH HOLD FOR SELECT 1",              True),
    ('DECLARE "a" NO SCROLL CURSOR FOR SELECT 1',            False),
]
# fmt: on


@pytest.mark.once
@pytest.mark.parametrize(("statement", "kept"), STATEMENTS)
def test_what_a_session_keeps_is_known_by_its_words(statement: str, kept: bool) -> None:  # noqa: FBT001
    assert bool(KEPT.search(statement)) is kept


@pytest.mark.django_db
def test_nothing_that_is_sent_while_people_play_is_kept() -> None:
    house = builders.house()
    with CaptureQueriesContext(connection) as sent:
        game = opened(house)
        round_played(house, game)
        settled(house)
        done(house, game, "close")
        settled(house)

    statements = [query["sql"] for query in sent.captured_queries]
    assert any("ledger_append" in each or "ledger_event" in each for each in statements)
    assert [each for each in statements if KEPT.search(each)] == []


@pytest.fixture
def kept() -> Iterator[Any]:
    """The connection of a thread, connected."""
    connection.ensure_connection()
    yield connection
    connection.close()


@of_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_server_that_takes_no_writes_any_more_is_left(kept: Any) -> None:
    before = kept.connection
    before.execute("SET default_transaction_read_only = on")
    with pytest.raises(DatabaseError) as refused:
        builders.house()

    trouble = storage_failure.trouble_of(refused.value)

    assert trouble is not None
    assert trouble.code == "storage_read_only"
    builders.house()  # by a connection that looked for a server that does
    assert kept.connection is not before


@of_postgresql
@pytest.mark.django_db(transaction=True)
def test_the_first_host_that_takes_writes_is_used(kept: Any) -> None:
    """A list of hosts, the first of which is gone; the second one is the tests' server."""
    at = kept.settings_dict
    config = environment.postgresql(
        f"postgresql://{at['USER']}:{at['PASSWORD']}@127.0.0.1:{free_port()},"
        f"{at['HOST']}:{at['PORT']}/{at['NAME']}"
    )
    elsewhere = kept.copy()
    elsewhere.settings_dict.update(HOST=config["HOST"], PORT=config["PORT"])
    elsewhere.settings_dict["OPTIONS"] = {**config["OPTIONS"], "connect_timeout": 10}
    try:
        with elsewhere.cursor() as cursor:
            cursor.execute("SELECT pg_is_in_recovery()")
            assert cursor.fetchone() == (False,)
        assert elsewhere.connection.info.port == int(at["PORT"])
    finally:
        elsewhere.close()


@of_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_pooler_that_nobody_named_is_refused(kept: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one shows itself: the session is another one's than was said when it began."""
    kept.close()
    monkeypatch.setattr(base, "SERVERS", set())
    monkeypatch.setattr(base, "OWN_PID", "SELECT pg_backend_pid() + 1")

    for _ in range(2):  # and nothing is left of the first try that a second one would take
        with pytest.raises(ImproperlyConfigured, match="DATABASE_POOLER=transaction"):
            kept.ensure_connection()


@of_postgresql
@pytest.mark.django_db(transaction=True)
def test_one_that_refuses_the_house_s_options_is_not_taken_for_a_server_that_is_away(
    kept: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL refuses an option that it does not know in the same way, in other words."""
    elsewhere = kept.copy()
    elsewhere.settings_dict["OPTIONS"] = {"options": "-c no_such=1"}
    monkeypatch.setattr(base, "TAKES_NO_OPTIONS", 'unrecognized configuration parameter "no_such"')

    with pytest.raises(ImproperlyConfigured, match="DATABASE_POOLER=transaction"):
        elsewhere.ensure_connection()


@of_postgresql
@pytest.mark.django_db(transaction=True)
def test_whether_there_is_one_is_asked_once_in_a_process(
    kept: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.close()
    monkeypatch.setattr(base, "OWN_PID", "SELECT 1 / 0")

    kept.ensure_connection()  # this server is known

    assert kept.is_usable()


@of_postgresql
@pytest.mark.django_db(transaction=True)
def test_through_a_named_one_nothing_outlives_a_transaction(
    kept: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.close()
    monkeypatch.setitem(kept.settings_dict, "POOLER", "transaction")
    monkeypatch.setattr(base, "OWN_PID", "SELECT pg_backend_pid() + 1")
    house = builders.house()
    game = opened(house)
    events = Event.objects.filter(establishment=house.id)

    read = [event.position for event in events.order_by("position").iterator(chunk_size=1)]

    assert read == sorted(read)
    assert len(read) > 1
    with kept.cursor() as cursor:
        cursor.execute("SELECT name FROM pg_prepared_statements UNION SELECT name FROM pg_cursors")
        assert cursor.fetchall() == []
    assert game
