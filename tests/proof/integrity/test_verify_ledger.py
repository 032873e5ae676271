"""`manage.py verify_ledger`: what it says of a house that plays, and of one that was changed."""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connections

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.kit.web.jobs import running
from casino.kit.web.jobs.models import Occasion
from casino.play.core.projections import PROJECTIONS
from casino.play.dice.surveillance.subscriber import SURVEILLANCE
from casino.play.settlement import payout_holds
from casino.play.settlement.models import Payout
from casino.proof.signing import copies, signing
from casino.proof.verification import runs, verifying
from ledger import proofs, subscriptions
from ledger.models import Checkpoint, Event
from tests.conftest import unguarded
from tests.ledger import checked
from tests.support import builders
from tests.support.playing import NOW, opened, round_played, settled
from tests.support.regrading import event_of, forged

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django import Settings

    from tests.support.builders import House

pytestmark = pytest.mark.django_db
BOOKED = "settlement.booked"


@pytest.fixture(autouse=True)
def _keys(settings: Settings, tmp_path: Path) -> None:
    """Keys that houses make themselves, as an embedded one does."""
    settings.LEDGER_KEYS_DIR = tmp_path / "keys"
    settings.PRODUCTION = False


@pytest.fixture
def house() -> House:
    return played()


def played() -> House:
    """A game was played, settled and signed."""
    house = builders.house()
    builders.on_record(house.establishment)
    round_played(house, opened(house, stake=60))
    settled(house)
    signed(house)
    return house


def signed(house: House) -> Checkpoint:
    row = signing.sign(house.establishment, NOW)
    assert row is not None
    settled(house)
    return row


def verified(
    house: House, *arguments: str, projections: bool = False
) -> tuple[int, list[dict[str, Any]]]:
    """The exit status for one house, and the lines that are printed."""
    out, status = StringIO(), 0
    if not projections:
        arguments = (*arguments, "--no-projections")
    try:
        call_command(
            "verify_ledger", "--json", f"--establishment={house.id}", *arguments, stdout=out
        )
    except SystemExit as ended:
        status = int(str(ended.code))
    return status, [json.loads(line) for line in out.getvalue().splitlines()]


def findings(house: House, *arguments: str, projections: bool = False) -> list[dict[str, Any]]:
    """What is found, if the exit status says so, too."""
    status, lines = verified(house, *arguments, projections=projections)
    found = [line["finding"] for line in lines if line["what"] == "finding"]
    assert status == (1 if found else 0), lines
    assert lines[-1]["figures"]["findings"] == len(found)
    return found


def kept_at(path: Path, row: Checkpoint) -> str:
    path.write_text(row.note)
    return f"--checkpoint={path}"


class TestASoundHouse:
    def test_is_sound(self, house: House) -> None:
        status, lines = verified(house)

        assert (status, [line["what"] for line in lines]) == (0, ["figures"])
        assert lines[0]["figures"]["events"] == Event.objects.filter(establishment=house.id).count()
        assert payout_holds.stop_now(house.id) is None

    @pytest.mark.long("postgresql")
    def test_and_in_words(self, house: House) -> None:
        out = StringIO()

        call_command("verify_ledger", "--no-projections", f"--establishment={house.id}", stdout=out)

        assert out.getvalue().rstrip().endswith("sound.")

    @pytest.mark.long("postgresql")
    def test_since_a_position_or_a_day(self, house: House) -> None:
        signed_until = Checkpoint.objects.get(establishment=house.id).size
        round_played(house, opened(house, table=house.tables[1]))

        _, lines = verified(house, f"--since={signed_until + 1}")
        _, by_day = verified(house, "--since=2031-01-01")

        assert lines[-1]["figures"]["since"] == signed_until
        assert by_day[-1]["figures"]["since"] == signed_until

    @pytest.mark.long("postgresql")
    def test_agrees_with_a_checkpoint_kept_outside(self, house: House, tmp_path: Path) -> None:
        row = Checkpoint.objects.get(establishment=house.id)
        round_played(house, opened(house, table=house.tables[1]))
        signed(house)

        status, lines = verified(house, kept_at(tmp_path / "kept", row))

        assert (status, lines[-1]["figures"]["kept"]) == (0, 1)


class TestAHouseThatWasChanged:
    def test_e2_pays_nobody_while_the_other_house_pays(self, house: House) -> None:
        other = played()
        forged(event_of(house, BOOKED), lambda body: body["data"].update(forged=True))

        found = findings(house)

        position = event_of(house, BOOKED).position
        assert any(each["from"] <= position <= each["to"] for each in found)
        stop = payout_holds.stop_now(house.id)
        assert stop is not None
        assert stop.why == "verification"
        assert findings(other) == []
        assert payout_holds.stop_now(other.id) is None
        assert pot_won(house).state == "held"
        assert pot_won(other).state == "booked"

    @pytest.mark.long("postgresql")
    def test_what_was_found_is_said_before_payouts_are_stopped(self, house: House) -> None:
        """Stopping them may fail, or wait for somebody; then the finding is told all the same."""
        forged(event_of(house, BOOKED), lambda body: body["data"].update(forged=True))

        _, lines = verified(house)

        told = [line["what"] for line in lines]
        assert told.index("finding") < told.index("payouts")
        assert lines[told.index("payouts")]["payouts"] == {"stopped": True}

    @pytest.mark.long("postgresql")
    def test_only_the_first_findings_are_told_and_all_are_counted(self, house: House) -> None:
        with unguarded(connections["default"]) as cursor:
            cursor.execute("UPDATE ledger_event SET device = 'x'")

        status, lines = verified(house, "--limit=2")

        assert status == 1
        assert [line["what"] for line in lines] == ["finding", "finding", "payouts", "figures"]
        assert lines[-1]["figures"]["findings"] >= Event.objects.count() - 2

    def test_one_restored_from_an_older_copy_is_behind_a_checkpoint_kept_outside(
        self, house: House, tmp_path: Path
    ) -> None:
        size = Checkpoint.objects.get(establishment=house.id).size
        round_played(house, opened(house, table=house.tables[1]))
        newest = signed(house)
        older(house, size)

        [behind] = findings(house, kept_at(tmp_path / "kept", newest))

        assert (behind["what"], behind["from"], behind["to"]) == ("kept", size, newest.size - 1)

    @pytest.mark.long("postgresql")
    def test_and_behind_the_copy_that_the_house_itself_has_published(
        self, house: House, tmp_path: Path, settings: Settings
    ) -> None:
        published = tmp_path / "published"
        published.mkdir()
        settings.CHECKPOINT_COPIES = (f"folder:{published}",)
        size = Checkpoint.objects.get(establishment=house.id).size
        round_played(house, opened(house, table=house.tables[1]))
        newest = signed(house)
        assert copies.copy(house.establishment, copies.from_settings()[0], NOW)
        older(house, size)

        [behind] = findings(house)

        assert (behind["what"], behind["to"]) == ("kept", newest.size - 1)


def pot_won(house: House) -> Payout:
    """Ada loses her 20 to the pool, round by round; Bo, the last with money, wins them."""
    game = opened(house, stake=20, players=["Ada", "Bo"], table=house.tables[1])
    for _ in range(3):
        last = round_played(house, game)
    settled(house)
    return Payout.objects.get(game=game, cause=last.stream_version, seq=0)


def older(house: House, size: int) -> None:
    """The book as a copy from before has it, and what is read from it."""
    newest = proofs.parse_checkpoint(Checkpoint.objects.filter(establishment=house.id)[0])
    checked.cut(checked.Played(house.id, newest, newest), size, down_to="everything")
    for subscriber in (PROJECTIONS, HOUSE, SURVEILLANCE):
        subscriptions.rebuild(subscriber, establishment=house.id)


class TestWhatCannotBeDone:
    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (["--since=yesterday"], "neither a position nor a day"),
            (["--checkpoint=/nowhere"], "--checkpoint"),
            (["--establishment=Nowhere"], "there is no house Nowhere"),
        ],
    )
    def test_says_so_with_status_2(self, house: House, arguments: list[str], says: str) -> None:
        with pytest.raises(CommandError, match=says) as refused:
            verified(house, *arguments)

        assert refused.value.returncode == 2

    def test_a_checkpoint_of_another_house_is_not_compared(
        self, house: House, tmp_path: Path
    ) -> None:
        row = Checkpoint.objects.get(establishment=played().id)

        with pytest.raises(CommandError, match="Not done: The checkpoint is of"):
            verified(house, kept_at(tmp_path / "kept", row))

    @pytest.mark.long("postgresql")
    def test_nor_is_one_that_the_house_has_not_signed(self, house: House, tmp_path: Path) -> None:
        row = Checkpoint.objects.get(establishment=house.id)
        row.note = row.note.replace(f"\n{row.size}\n", f"\n{row.size + 1}\n")

        with pytest.raises(CommandError, match="not signed with a key of this house"):
            verified(house, kept_at(tmp_path / "kept", row))


@pytest.mark.django_db(transaction=True, databases=["default", "reader"])
class TestOverConnectionsOfItsOwn:
    """Where all is committed: within a transaction no other connection sees anything."""

    @pytest.fixture(autouse=True)
    def _reader(self, settings: Settings) -> Iterator[None]:
        settings.LEDGER_READER = "reader"
        yield
        connections["reader"].close()

    def test_a_house_is_read_and_cannot_be_written(self, house: House) -> None:
        assert verifying.open_book(house.id, now=NOW).using == "reader"
        assert verified(house)[0] == 0
        with pytest.raises(DatabaseError), connections["reader"].cursor() as cursor:
            cursor.execute("DELETE FROM ledger_subscription")

    @pytest.mark.long("postgresql")
    def test_what_screens_read_is_compared_unless_it_is_left_out(self, house: House) -> None:
        assert verified(house, projections=True)[0] == 0
        Payout.objects.filter(establishment=house.id).update(amount=999)

        assert findings(house) == []
        assert {each["what"] for each in findings(house, projections=True)} == {"projection"}

    @pytest.mark.long("postgresql")
    def test_a_kept_run_compares_it_too(self, house: House) -> None:
        Payout.objects.filter(establishment=house.id).update(amount=999)

        run = runs.begin(house=house.establishment, occasion=Occasion.NIGHT, now=NOW)
        while running.advance(runs.VERIFICATION, house.id, run.id, seconds=60):
            pass

        run.refresh_from_db()
        assert (run.state, run.stage) == ("broken", "projections")
