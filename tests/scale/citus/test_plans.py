"""
Every statement of the floor and the office goes to one server; only a chain's pages ask them all.

Citus itself says so: with `citus.multi_task_query_log_level` at ``error`` it refuses a statement
that it would send to more than one shard. Every address of the house is opened by somebody whose
role lets them, and what can be sent there is sent.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.ledger.building import HOUSE, appended
from tests.support import builders, module_data
from tests.support.access import MANAGER
from tests.support.addressed_house import AddressedHouse, furnished
from tests.support.of_one_house import OPENED, answered, played_and_followed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

    from tests.support.access import Address

pytestmark = pytest.mark.django_db
KEPT = """
    SELECT (SELECT sum(total_bytes) FROM pg_get_backend_memory_contexts() WHERE name = 'CachedPlan')
    FROM ledger_event WHERE establishment = %s LIMIT 1"""


@pytest.fixture(scope="module")
def worlds(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[list[AddressedHouse]]:
    del django_db_setup
    yield from module_data.built_once(lambda: [furnished(), furnished()], django_db_blocker)


@contextmanager
def refusing() -> Iterator[None]:
    """While it lasts a statement for more than one shard is refused."""
    with connection.cursor() as cursor:
        cursor.execute("SET citus.multi_task_query_log_level TO 'error'")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SET citus.multi_task_query_log_level TO 'off'")


@pytest.mark.parametrize(("address", "method"), OPENED)
def test_every_statement_goes_to_one_server(
    worlds: list[AddressedHouse], address: Address, method: str
) -> None:
    with refusing():
        answer = answered(worlds[0], address, method)

    assert answer.status_code < 500, answer.content


def test_to_sign_in_is_one_of_them() -> None:
    house = builders.house()
    person = builders.employed(
        house.establishment, MANAGER, builders.person("nell", password="opal-river-8-and-more")
    )
    again = {"username": person.username, "password": "opal-river-8-and-more"}

    with refusing():
        answers = [Client().post("/sign-in/", again).status_code for _ in range(2)]

    assert answers == [302, 302]


def test_what_workers_do_for_a_house_is_too() -> None:
    house = builders.house()
    with refusing():
        played_and_followed(house)


def test_rows_that_are_inserted_together_go_there_without_being_collected_first() -> None:
    house = builders.house()
    with CaptureQueriesContext(connection) as asked:
        played_and_followed(house)
    together = [
        each["sql"]
        for each in asked.captured_queries
        if each["sql"].startswith("INSERT") and ("), (" in each["sql"] or "UNNEST" in each["sql"])
    ]

    plans = [explained(each) for each in together]

    assert plans
    assert [plan for plan in plans if "Task Count: 1" not in plan or "SELECT" in plan] == []


def explained(statement: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {statement}")
        return "\n".join(line for (line,) in cursor.fetchall())


def test_an_append_leaves_nothing_behind_in_its_session() -> None:
    for version in range(20):
        appended(version=version)
    before = kept_by_plans()

    for version in range(20, 60):
        appended(version=version)

    assert kept_by_plans() - before < 500_000  # plans that were kept grew by 200 kB with each


def kept_by_plans() -> int:
    """Bytes, in the session on the server of the house in which append runs."""
    with connection.cursor() as cursor:
        cursor.execute(KEPT, [HOUSE])
        return int(cursor.fetchone()[0])
