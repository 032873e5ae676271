"""A database goes into partitions and comes back, whatever stops it on the way."""

from __future__ import annotations

import io
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connections

from casino.engine.scale.partitions import operations
from casino.engine.scale.partitions.operations import TABLES, make_plan
from ledger import install
from tests.scale.partitions.conftest import on_postgresql, own_database
from tests.schema.described import asked, postgresql
from tests.support import builders
from tests.support.storage_faults import another_session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper
    from pytest_django import DjangoDbBlocker

pytestmark = on_postgresql
ROWS = "SELECT sum(hashtextextended({table}::text, 0)), count(*) FROM {table}"
PRIVILEGES = """
    SELECT relname::text, relacl::text FROM pg_class
    WHERE relname = ANY (%s) AND relnamespace = current_schema()::regnamespace ORDER BY 1"""


@pytest.fixture
def own(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[BaseDatabaseWrapper]:
    del django_db_setup
    with own_database(django_db_blocker) as ours:
        list(operations.unpartition(ours))
        yield ours


def contents(ours: BaseDatabaseWrapper) -> dict[str, object]:
    return {table: asked(ours, ROWS.format(table=table)) for table in TABLES}


def told(ours: BaseDatabaseWrapper) -> list[object]:
    return [*postgresql(ours), *asked(ours, PRIVILEGES, [[*TABLES]])]  # type: ignore[list-item]


def said(*words: str, **options: Any) -> str:
    out = io.StringIO()
    call_command(*words, stdout=out, **options)
    return out.getvalue()


def test_there_and_back_with_all_that_was_there(own: BaseDatabaseWrapper) -> None:
    house = builders.house()
    game = builders.opened(house)
    builders.put(house, game, builders.throw("Ada", 2, 2, 7), builders.throw("Bruno", 2, 3, 4))
    with own.cursor() as cursor:
        cursor.execute("GRANT SELECT ON ledger_event TO pg_monitor")
    before, rows = told(own), contents(own)
    assert "4 of 4 tables to put" in said("partition", dry_run=True)

    stopped = operations.partition(own, parts=2, step=5)
    assert [next(stopped)[0] for _ in range(3)] == ["keys", "table", "table"]
    stopped.close()
    assert [each.partitioned for each in make_plan(own).tables] == [True, True, False, False]
    assert "4 tables in" in said("partition", parts=2, step=5)

    assert contents(own) == rows
    assert install.missing(own) == []
    assert "0 rewritten, 0 foreign keys back" in said("partition")
    builders.put(house, game, builders.throw("Cleo", 5, 5, 5))
    builders.settled(house)
    rows = contents(own)

    stopped = operations.unpartition(own)
    assert [next(stopped)[0] for _ in range(2)] == ["keys", "table"]
    stopped.close()
    assert "0 tables in 0 pieces; 3 rewritten" in said("partition", undo=True)

    assert contents(own) == rows
    assert told(own) == before
    assert install.missing(own) == []
    builders.put(house, game, builders.command("close"))


def test_what_dies_within_a_table_leaves_it_whole(
    own: BaseDatabaseWrapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = builders.house()
    game = builders.opened(house)
    builders.put(house, game, builders.throw("Ada", 2, 2, 7))
    rows, whole, calls = contents(own), install.install, count()

    def dies(connection: BaseDatabaseWrapper) -> None:
        """As with kill -9: no word of goodbye, the second table is in pieces, not committed."""
        whole(connection)
        if next(calls):
            with another_session(own) as other:
                assert connection.connection is not None
                pid = connection.connection.info.backend_pid
                other.execute("SELECT pg_terminate_backend(%s::integer, 10000)", [pid])

    monkeypatch.setattr(install, "install", dies)
    with pytest.raises(OperationalError):
        list(operations.partition(own, parts=2, step=5))
    monkeypatch.undo()
    own.close()

    assert [each.partitioned for each in make_plan(own).tables] == [True, False, False, False]
    assert contents(own) == rows
    assert "4 tables in" in said("partition", parts=2, step=5)
    assert contents(own) == rows
    assert install.missing(own) == []


def test_nobody_may_be_in_it(own: BaseDatabaseWrapper) -> None:
    with another_session(own):
        for undo in (False, True):
            with pytest.raises(CommandError, match="1 other session is in this database"):
                said("partition", undo=undo)

    assert connections["default"] is own
    assert not any(each.partitioned for each in make_plan(own).tables)
