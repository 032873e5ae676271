"""Real processes at once on one house's ledger."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from uuid import uuid4

import pytest
from django.db import DEFAULT_DB_ALIAS, connection, connections

from ledger import journal, money, subscriptions
from ledger.models import ParkedEvent
from tests.forms import LONG_FORM
from tests.ledger.building import ANNA, CAGE, HOUSE, POT
from tests.ledger.worker import settlement
from tests.ledger.workers import answers, started

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    """What workers need to reach the database of the test, which for SQLite is then a file."""
    on_file = nullcontext() if connection.vendor == "postgresql" else on_a_file(tmp_path)
    with on_file:
        reached = {
            name: connection.settings_dict[name]
            for name in ("ENGINE", "NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS", "POOLER")
            if name in connection.settings_dict
        }
        yield {**os.environ, "LEDGER_TEST_DATABASES": json.dumps({"default": reached}, default=str)}


class on_a_file:  # noqa: N801  read as a phrase
    """The test's own connection, too, on a copy of its schema in a file others can open."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "house.sqlite3"

    def __enter__(self) -> None:
        connections[DEFAULT_DB_ALIAS].cursor().execute("VACUUM INTO %s", [str(self.path)])
        self.shared = connections[DEFAULT_DB_ALIAS]
        on_file = {**self.shared.settings_dict, "NAME": str(self.path)}
        connections[DEFAULT_DB_ALIAS] = type(self.shared)(on_file, DEFAULT_DB_ALIAS)
        # Connected once, the file is in WAL mode. Processes that would all be the first to switch
        # it fail with "database is locked", whatever their timeout.
        connections[DEFAULT_DB_ALIAS].ensure_connection()

    def __exit__(self, *_error: object) -> None:
        connections[DEFAULT_DB_ALIAS].close()
        connections[DEFAULT_DB_ALIAS] = self.shared


def test_many_writers_leave_no_gap_and_a_reader_misses_nothing(
    environment: dict[str, str],
) -> None:
    writers, each = 4, 40
    total = writers * each

    *_, seen = answers(
        started(
            environment, *[("write", writer, each) for writer in range(writers)], ("tail", total)
        )
    )

    assert seen == list(range(total))
    found = journal.read(establishment=HOUSE, limit=total + 1)
    assert [it.position for it in found] == seen
    shared = [it.stream_version for it in found if it.stream == "shared"]
    assert shared == list(range(1, len(shared) + 1))
    assert len(shared) == total // 5
    assert money.differences(establishment=HOUSE) == {}
    assert money.balance(CAGE, establishment=HOUSE) == total


def test_identical_commands_at_one_instant_get_one_answer(environment: dict[str, str]) -> None:
    command_id = uuid4()

    found = answers(started(environment, *[("ask", command_id)] * 4))

    assert sorted(found) == [[False, 0, 0], [True, 0, 0], [True, 0, 0], [True, 0, 0]]
    assert journal.head(establishment=HOUSE) == 0


def test_commands_and_two_settlements_at_once_book_everything_once(
    environment: dict[str, str],
) -> None:
    writers, each = 2, 50 if LONG_FORM else 15
    total = writers * each

    works = [("write", writer, each) for writer in range(writers)]
    answers(started(environment, *works, ("settle", total), ("settle", total)))

    booked = journal.stream(establishment=HOUSE, stream="settlement")
    played = [
        it.position
        for it in journal.read(establishment=HOUSE, limit=500)
        if it.stream != "settlement"
    ]
    assert [it.data["n"] for it in booked] == played
    assert not ParkedEvent.objects.exists()
    assert money.balances(establishment=HOUSE, accounts=[ANNA, POT]) == {ANNA: 0, POT: total}
    assert money.differences(establishment=HOUSE) == {}


def test_a_settlement_killed_in_mid_batch_is_finished_by_the_next(
    environment: dict[str, str],
) -> None:
    [wrote] = started(environment, ("write", 0, 30))
    answers([wrote])
    [victim] = started(environment, ("settle", 30, 17))
    assert victim.ended() == -signal.SIGKILL

    while subscriptions.advance(settlement(), establishment=HOUSE).lag:
        pass

    booked = journal.stream(establishment=HOUSE, stream="settlement")
    assert [it.data["n"] for it in booked] == list(range(30))
    assert money.balance(POT, establishment=HOUSE) == 30


def test_processes_that_install_together_do_not_fail_one_another(
    environment: dict[str, str],
) -> None:
    with connection.cursor() as cursor:  # so that each of them finds something to do
        cursor.execute(
            "DROP TRIGGER ledger_append_only ON ledger_event"
            if connection.vendor == "postgresql"
            else "DROP TRIGGER ledger_event_no_delete"
        )

    assert answers(started(environment, *[("install",)] * 3)) == [[], [], []]
