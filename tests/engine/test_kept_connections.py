"""A connection that is used again costs no question; one that the server ended is noticed."""

from __future__ import annotations

import select
from typing import TYPE_CHECKING, Any, Final

import psycopg
import pytest
from django.db import connection

from tests.support.storage_faults import another_session

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no server"),
    pytest.mark.django_db(transaction=True),
]
HEARD_WITHIN: Final = 30  # seconds, on a busy machine


@pytest.fixture
def kept() -> Iterator[Any]:
    """A connection that was used and is free, as a request finds it."""
    assert ask("SELECT 1") == 1
    yield connection.connection
    connection.close()


def ask(statement: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]


def next_request() -> None:
    """As Django prepares each connection for one."""
    here: Any = connection
    here.health_check_enabled, here.health_check_done = True, False
    here.close_if_health_check_failed()


def test_one_that_is_well_is_not_asked(kept: Any) -> None:
    with another_session() as other:
        before = last_asked(other, kept)
        next_request()
        after = last_asked(other, kept)

    assert after == before
    assert ask("SELECT 2") == 2
    assert connection.connection is kept


def test_one_that_the_server_ended_is_taken_anew(kept: Any) -> None:
    with another_session() as other:
        other.execute("SELECT pg_terminate_backend(%s::integer, 10000)", [kept.info.backend_pid])

    next_request()

    assert ask("SELECT 2") == 2
    assert connection.connection is not kept


def test_one_that_was_told_something_is_asked(kept: Any) -> None:
    """A notice is no end: the question finds the connection well."""
    kept.execute("LISTEN somebody")
    with another_session() as other:
        before = last_asked(other, kept)
        other.execute("NOTIFY somebody")
        heard, _, _ = select.select([kept], [], [], HEARD_WITHIN)  # it comes when it comes
        next_request()
        after = last_asked(other, kept)

    assert heard
    assert after > before
    assert connection.connection is kept


def test_one_in_the_middle_of_something_is_asked(kept: Any) -> None:
    kept.execute("BEGIN")
    with pytest.raises(psycopg.Error):
        kept.execute("SELECT 1 / 0")

    next_request()

    assert connection.connection is not kept


def last_asked(other: psycopg.Connection[Any], kept: Any) -> Any:
    """When it began what it was last asked."""
    asked = "SELECT query_start FROM pg_stat_activity WHERE pid = %s"
    [(moment,)] = other.execute(asked, [kept.info.backend_pid]).fetchall()
    return moment
