import os

import pytest

from tests.ledger.building import ANNA, CAGE, appended, transfer

collect_ignore = [
    "test_on_sqlite.py" if os.environ.get("DATABASE_URL") else "test_on_postgresql.py"
]


@pytest.fixture
def booked() -> None:
    appended("game/1", transfer(CAGE, ANNA, 25))
