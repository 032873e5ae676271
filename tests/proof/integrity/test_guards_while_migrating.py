"""
While a migration runs the database's guards are not compared, however long it takes: what it has
not made yet nobody took away. Where it was killed, they are.
"""

from __future__ import annotations

import sys
from subprocess import TimeoutExpired
from typing import TYPE_CHECKING

import pytest
from django.db import connection

from casino.config.management.commands import up
from casino.engine.databases import guards, migrated
from casino.engine.scale.distribution.operations import put_guards_back
from casino.kit.web.jobs.models import Occasion
from casino.play.settlement import payout_holds
from casino.proof.signing.models import Verification
from casino.proof.verification import runs
from tests.ledger.forbidden import ON_POSTGRESQL, execute
from tests.processes import PATIENCE, eventually
from tests.proof.integrity.test_guards import DAMAGE, SAYS
from tests.support import builders
from tests.support.on_citus import ON_CITUS
from tests.support.playing import opened, round_played, settled
from tests.support.processes import Program, Site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import Settings

    from tests.support.builders import House

pytestmark = [
    pytest.mark.processes,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(ON_CITUS, reason="Citus takes no such DDL of a distributed table."),
]
MIGRATES = """
import sys, time, django; django.setup()
from pathlib import Path
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.models.signals import post_migrate

def linger(**_signal):
    # As between the last migration, which made a table anew, and what puts its triggers back.
    with connection.cursor() as cursor:
        cursor.execute(sys.argv[1])
    print("lingers", flush=True)
    while not Path(sys.argv[2]).exists():
        time.sleep(0.05)

post_migrate.connect(linger, sender=apps.get_app_config("auth"))  # before the ledger's own
call_command("migrate", verbosity=0, interactive=False)
"""


@pytest.fixture
def house(place: Site, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house where a game was played and settled; nobody waits to look again."""
    monkeypatch.setattr(guards, "PAUSE", 0)
    settings.LEDGER_KEYS_DIR = place.folder / "keys"
    house = builders.house()
    builders.on_record(house.establishment)
    round_played(house, opened(house, stake=60))
    settled(house)
    return house


@pytest.fixture
def migration(place: Site) -> Iterator[Program]:
    """``migrate`` in a process of its own, which has not put back yet what is missing."""
    command = (sys.executable, "-c", MIGRATES, DAMAGE, str(place.folder / "go on"))
    try:
        with Program(place, command, "migrate") as program:
            eventually(lambda: "lingers" in program.log.read_text(), program.process, program.log)
            yield program
    finally:
        put_guards_back(connection)


def test_while_somebody_migrates_nothing_is_compared(house: House) -> None:
    somebody = connection.copy()
    execute(DAMAGE)
    try:
        with migrated.migration_lock(somebody):
            run = runs.whole(house.establishment, Occasion.NIGHT)
            compared = guards.compare()
        at_last = guards.compare()
    finally:
        put_guards_back(connection)

    assert (run.state, run.reason) == (Verification.State.FAILED, guards.MIGRATING)
    assert compared == ([], guards.MIGRATING)
    assert at_last == ([SAYS], "")
    assert payout_holds.stop_now(house.id) is None


def test_a_migration_that_has_ended_locks_nobody_out(place: Site) -> None:
    assert place
    somebody = connection.copy()

    def is_free_after_it() -> bool:
        with migrated.migration_lock(somebody):
            pass
        with migrated.no_migration(connection) as is_free:
            return is_free

    assert [is_free_after_it() for _time in range(100)] == [True] * 100


@pytest.mark.long
def test_nothing_is_found_while_it_runs_and_all_is_there_in_the_end(
    place: Site, house: House, migration: Program, capsys: pytest.CaptureFixture[str]
) -> None:
    run = runs.whole(house.establishment, Occasion.NIGHT)

    assert (run.state, run.reason) == (Verification.State.FAILED, guards.MIGRATING)
    assert guards.compare() == ([], guards.MIGRATING)
    if not ON_POSTGRESQL:
        up.migrate()
        assert capsys.readouterr().err == ""
    assert payout_holds.stop_now(house.id) is None
    (place.folder / "go on").touch()
    assert migration.process.wait(PATIENCE) == 0
    assert guards.compare() == ([], "")
    assert runs.whole(house.establishment, Occasion.NIGHT).state == Verification.State.SOUND


@pytest.mark.long
def test_another_one_waits_for_it_and_finds_nothing(
    place: Site, house: House, migration: Program
) -> None:
    command = (sys.executable, "manage.py", "migrate", "--verbosity=0", "--no-input")
    with Program(place, command, "another") as another:
        with pytest.raises(TimeoutExpired):
            another.process.wait(2)
        (place.folder / "go on").touch()

        assert another.process.wait(PATIENCE) == 0
        assert another.log.read_text() == ""
    assert migration.process.wait(PATIENCE) == 0
    assert not Verification.objects.filter(establishment=house.id).exists()


@pytest.mark.long
def test_what_one_that_was_killed_left_undone_is_found(house: House, migration: Program) -> None:
    migration.kill()

    assert guards.compare() == ([SAYS], "")
    assert runs.whole(house.establishment, Occasion.NIGHT).state == Verification.State.BROKEN


def test_one_that_ended_while_a_ledger_was_verified_leaves_it_compared(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first look was not to be had: the last one is."""
    execute(DAMAGE)
    looks: Iterator[tuple[list[str], str]] = iter([([], guards.MIGRATING)])
    compare = guards.compare
    monkeypatch.setattr(guards, "compare", lambda **given: next(looks, None) or compare(**given))
    try:
        run = runs.whole(house.establishment, Occasion.NIGHT)
    finally:
        put_guards_back(connection)

    assert run.state == Verification.State.BROKEN
    assert run.found == 1
    assert payout_holds.stop_now(house.id) is not None
