import os
from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from tests.ledger import checked
from tests.ledger.building import ANNA, CAGE, appended, transfer
from tests.support.module_data import built_once

ON_POSTGRESQL = ["test_on_postgresql.py", "test_bodies_on_postgresql.py"]
collect_ignore = ["test_on_sqlite.py"] if os.environ.get("DATABASE_URL") else ON_POSTGRESQL


@pytest.fixture
def booked() -> None:
    appended("game/1", transfer(CAGE, ANNA, 25))


@pytest.fixture(scope="module")
def untouched(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[checked.Played]:
    """One book for all tests of a module; sound before anybody touches it."""
    del django_db_setup
    yield from built_once(checked.sound, django_db_blocker)


@pytest.fixture
def played(untouched: checked.Played, db: None) -> checked.Played:
    """What a test does to it is gone after it: its transaction is within that of the book."""
    del db
    return untouched
