"""
Who tells that a guard of the database is missing: commands, verifications, health, a start. And
what was found is told before anything else is tried, also where nothing can be written.
"""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.checks import Tags, run_checks
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from structlog.testing import capture_logs

from casino.config import one_parent
from casino.config.management.commands import up
from casino.engine.databases import guards, storage_failure
from casino.house.establishments.command_line import NOT_DONE
from casino.kit.web.api import problems
from casino.kit.web.jobs.models import Occasion
from casino.office.monitoring import checks as health
from casino.play.settlement import payout_holds
from casino.play.settlement.models import Payout
from casino.proof.signing.models import Verification, VerificationFinding
from casino.proof.verification import runs
from ledger.storage import Unguarded
from tests.ledger.forbidden import ON_POSTGRESQL, execute
from tests.proof.integrity.test_guards import DAMAGE, SAYS
from tests.support import builders
from tests.support.on_citus import ON_CITUS
from tests.support.playing import opened, round_played, settled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django import Settings

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house that has keys, where a game was played and settled."""
    monkeypatch.setattr(guards, "PAUSE", 0)
    settings.LEDGER_KEYS_DIR = tmp_path / "keys"
    settings.PRODUCTION = False
    house = builders.house()
    builders.on_record(house.establishment)
    round_played(house, opened(house, stake=60))
    settled(house)
    return house


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Health tells of a trouble for a minute, in other tests, too."""
    yield
    storage_failure.MEMORY.forget()


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

    def test_where_guards_cannot_be_compared_nothing_is_called_sound(self, house: House) -> None:
        execute("UPDATE django_migrations SET name = name || '_newer' WHERE app = 'ledger'")

        run = runs.whole(house.establishment, Occasion.NIGHT)
        status, _lines = printed("verify_ledger", house, "--no-projections")

        assert (run.state, run.findings) == (Verification.State.FAILED, 0)
        assert "its guards are not compared" in health.integrity(timezone.now()).says
        assert payout_holds.stop_now(house.id) is None
        assert status == NOT_DONE

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

    def test_migrate_that_only_asks_keeps_nothing(self, house: House) -> None:
        execute(DAMAGE)

        call_command("migrate", verbosity=0, plan=True, stdout=StringIO())

        assert any(SAYS in each for each in guards.differences())
        assert not VerificationFinding.objects.filter(establishment=house.id).exists()

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
