"""
After a restore that lost something: each state says what to do next, until the house is well.

The whole of it with real processes, backups and machines is `test_backup_drill.py`; here the lost
part is what a savepoint takes back.
"""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.house.attendants.models import Role
from casino.kit.web.jobs import running
from casino.kit.web.jobs.models import Occasion
from casino.money.payouts import receipts, resuming
from casino.office.monitoring import checks as health
from casino.play.settlement import payout_holds
from casino.proof.signing import copies, epochs, keys, queries, signing
from casino.proof.signing.models import SigningTrouble, Verification
from casino.proof.verification import runs
from ledger import checkpoints, journal, verify
from ledger.models import Event
from ledger.tiles import WIDTH
from tests.support import builders, two_people
from tests.support.builders import put, throw
from tests.support.dice_acts import act
from tests.support.lost_events import lost, restored, signed
from tests.support.playing import settled
from tests.support.proven import STREAM, appended, happened
from tests.support.proving import told
from tests.support.regrading import forged

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def outside(settings: Settings, tmp_path: Path) -> Path:
    """A folder outside, which gets no copy by itself."""
    settings.LEDGER_KEYS_DIR = tmp_path / "keys"
    settings.PRODUCTION = False
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


@pytest.fixture
def house() -> House:
    house = builders.house()
    builders.on_record(house.establishment)
    keys.make_file(house.id, keys.origin(house.id))
    return house


@pytest.fixture
def ahead(house: House) -> verify.Checkpoint:
    """What others have of it, and the book has not."""
    published, _, _ = restored(house)
    return published


@pytest.fixture
def file(ahead: verify.Checkpoint, tmp_path: Path) -> str:
    path = tmp_path / "kept.checkpoint"
    path.write_text(ahead.note)
    return str(path)


def command(house: House, name: str, *options: str) -> tuple[int, str]:
    """Exit status, and what it prints."""
    out, status = StringIO(), 0
    try:
        call_command(name, f"--establishment={house.id}", *options, stdout=out, stderr=out)
    except SystemExit as ended:
        status = int(str(ended.code))
    return status, out.getvalue()


def verified(house: House, file: str) -> tuple[int, str]:
    return command(house, "verify_ledger", "--no-projections", f"--checkpoint={file}")


def reopened(house: House, file: str) -> str:
    _, output = command(
        house, "open_epoch", f"--checkpoint={file}", "--reason=The disk died.",
        f"--by={house.manager.username}",
    )  # fmt: skip
    return output


def page(house: House, name: str, *given: object, role: Role = Role.MANAGER) -> str:
    return two_people.office(house.people[role]).get(reverse(name, args=given)).content.decode()


def run_of(house: House) -> Verification:
    """A verification as a worker makes it when it starts."""
    run = runs.begin(house=house.establishment, occasion=Occasion.START, now=timezone.now())
    while running.advance(runs.VERIFICATION, house.id, run.id, seconds=60):
        pass
    return Verification.objects.get(id=run.id)


def why_stopped(house: House) -> str | None:
    stop = payout_holds.stop_now(house.id)
    return None if stop is None else stop.why


class TestBehind:
    """The book ends before a checkpoint that somebody has."""

    @pytest.mark.long("postgresql")
    def test_e2_the_check_says_so_and_which_command_comes_next(
        self, house: House, ahead: verify.Checkpoint, file: str
    ) -> None:
        size = journal.head(establishment=house.id) + 1

        status, output = verified(house, file)

        assert status == 1
        assert f"it is {ahead.size - size} behind" in output
        assert f"open_epoch --establishment {house.id} --checkpoint FILE" in output
        assert "Two people resume payouts" in output
        assert why_stopped(house) == "behind"

    @pytest.mark.long("postgresql")
    def test_nothing_is_signed_though_no_folder_has_that_checkpoint(
        self, house: House, file: str
    ) -> None:
        newest = checkpoints.latest(house.id)
        verified(house, file)

        assert signing.sign(house.establishment, timezone.now()) is None

        assert checkpoints.latest(house.id) == newest
        trouble = queries.trouble(house.id)
        assert trouble is not None
        assert trouble.kind == SigningTrouble.Kind.BEHIND

    @pytest.mark.long("postgresql")
    def test_health_and_both_pages_say_what_to_do(self, house: House, file: str) -> None:
        verified(house, file)
        signing.sign(house.establishment, timezone.now())

        command_line = f"open_epoch --establishment {house.id}"

        now = timezone.now()
        for finding in (health.integrity(now), health.payouts()):
            assert not finding.ok
            assert command_line in finding.says
        for name in ("payouts", "proof"):
            assert command_line in page(house, name), name
        assert "What they have to do" in page(house, "start")
        assert 'action="/payouts/resume/"' not in page(house, "payouts")

    def test_nobody_resumes_payouts_before_the_loss_is_on_record(
        self, house: House, file: str
    ) -> None:
        verified(house, file)

        with pytest.raises(epochs.EpochMissing, match="open a new epoch first"):
            resuming.ask(act(house, house.manager), reason="All is well.")

        assert "open a new epoch first" in two_people.asks(house.manager).content.decode()

    def test_a_worker_that_starts_finds_it_behind_and_not_changed(
        self, house: House, ahead: verify.Checkpoint, outside: Path, settings: Settings
    ) -> None:
        settings.CHECKPOINT_COPIES = (f"folder:{outside}",)
        (outside / str(house.id)).mkdir()
        (outside / str(house.id) / copies.LATEST).write_text(ahead.note)

        run = run_of(house)

        assert (run.state, run.findings) == ("behind", 1)
        assert not queries.broken(house.id).exists()
        assert why_stopped(house) == "behind"
        assert "behind a checkpoint outside" in page(house, "proof")

    def test_it_is_said_once_whoever_finds_it(self, house: House, file: str) -> None:
        """Also where the event that says so has made the book as long as that checkpoint."""
        for _ in range(2):
            verified(house, file)
            signing.sign(house.establishment, timezone.now())

        stops = journal.stream(establishment=house.id, stream=payout_holds.STREAM)
        assert [each.data["why"] for each in stops] == ["behind"]

    def test_a_book_in_which_something_else_is_wrong_is_not_only_behind(
        self, house: House, tmp_path: Path
    ) -> None:
        ahead, _, _ = restored(house, more=5)
        (tmp_path / "ahead").write_text(ahead.note)
        first = Event.objects.filter(establishment=house.id).earliest("position")
        forged(first, lambda body: body.update(actor="somebody"))

        _, output = verified(house, str(tmp_path / "ahead"))

        assert "look at what was found" in output
        stops = journal.stream(establishment=house.id, stream=payout_holds.STREAM)
        assert [each.data["why"] for each in stops] == ["verification", "behind"]
        assert epochs.loss_not_on_record(house.id) is not None


class TestReopened:
    """The loss is on record; two people look, and the house pays again."""

    def test_the_command_verifies_signs_and_says_what_comes_next(
        self, house: House, file: str
    ) -> None:
        verified(house, file)

        output = reopened(house, file)

        size = journal.head(establishment=house.id) + 1
        assert "epoch 2 begins" in output
        assert "events, sound." in output
        assert f"Signed as {keys.origin(house.id)}: {size} events" in output
        assert "Two people resume payouts" in output
        assert epochs.loss_not_on_record(house.id) is None
        assert Verification.objects.get(establishment=house.id).occasion == "epoch"

    @pytest.mark.long("postgresql")
    def test_what_was_found_while_people_played_on_is_cleared(
        self, house: House, ahead: verify.Checkpoint, file: str, outside: Path, settings: Settings
    ) -> None:
        """Who starts before reading has a book that grew past what others have (0029)."""
        settings.CHECKPOINT_COPIES = (f"folder:{outside}",)
        (outside / str(house.id)).mkdir()
        (outside / str(house.id) / copies.LATEST).write_text(ahead.note)
        happened(house, ahead.size, now=timezone.now())
        signing.sign(house.establishment, timezone.now())
        assert queries.broken(house.id).exists()
        assert "open_epoch" in health.integrity(timezone.now()).says
        assert "open_epoch" in page(house, "proof")

        reopened(house, file)

        assert not queries.broken(house.id).exists()
        assert signed(house).origin == f"{ahead.origin}/2"

    def test_c1_two_people_resume_payouts_and_the_house_is_well(
        self, house: House, file: str, ahead: verify.Checkpoint
    ) -> None:
        verified(house, file)
        reopened(house, file)
        text = page(house, "payouts")
        gone = journal.stream(establishment=house.id, stream="ledger")[-1].data["lost"]
        assert f"Positions {gone['from']} to {gone['to']} were lost" in text
        assert gone["to"] == ahead.size - 1

        assert two_people.asks(house.supervisor).status_code == 200
        settled(house)
        request = two_people.waiting(house.id)
        assert request is not None
        assert "nobody is paid for what was lost" in page(house, "approval", request)
        refused = two_people.agrees(house.supervisor, request)
        assert refused.status_code == 422
        assert why_stopped(house) == "behind"
        two_people.agrees(house.manager, request)

        assert why_stopped(house) is None
        signed(house)
        now = timezone.now()
        for finding in (health.integrity(now), health.payouts()):
            assert finding.ok, finding.says
        status, output = verified(house, file)
        assert (status, "What to do next" in output) == (0, False)


class TestReceipts:
    """What people were handed before is as true as it was; what was lost is not denied."""

    def handed_out(self, house: House, at: int, to: Path) -> tuple[Path, str]:
        """A receipt as a file, and the address on it."""
        receipt = receipts.proven(house.id, at)
        to.write_text(str(receipt))
        leaf = verify.leaf_hash(receipt.body).hex()
        return to, reverse("ledger-check", args=[house.id, at, leaf])

    @pytest.mark.long("postgresql")
    def test_old_ones_lost_ones_and_new_ones(self, house: House, tmp_path: Path) -> None:
        game = builders.opened(house)
        put(house, game, throw("Ada", 2, 2, 7))
        size = signed(house).size
        known = [f"--key={key}" for key in keys.every_public_key(house.id)]
        with lost():
            put(house, game, throw("Bruno", 2, 3, 4))
            ahead = signed(house)
            old, old_at = self.handed_out(house, size - 1, tmp_path / "old.tlog-proof")
            gone, gone_at = self.handed_out(house, ahead.size - 1, tmp_path / "gone.tlog-proof")
        (tmp_path / "ahead").write_text(ahead.note)
        reopened(house, str(tmp_path / "ahead"))
        put(house, game, throw("Bruno", 2, 3, 4))
        newest = signed(house)
        new, new_at = self.handed_out(house, newest.size - 1, tmp_path / "new.tlog-proof")

        for each in (old, gone):
            assert told("receipt", each, *known)[0] == 0
        every = [f"--key={key}" for key in keys.every_public_key(house.id)]
        for each in (old, gone, new):
            assert told("receipt", each, *every)[0] == 0
        for address in (old_at, new_at):
            assert Client().get(address).status_code == 200
        answer = Client().get(gone_at)
        assert answer.status_code == 404
        assert f"lost positions {size} to {ahead.size - 1}" in answer.content.decode()
        (tmp_path / "kept").write_text(newest.note)
        status, output = told("receipt", gone, f"--checkpoint={tmp_path / 'kept'}")
        assert (status, "began another epoch" in output) == (1, True)


def test_a_house_that_went_on_past_what_it_lost_opens_its_epoch(
    house: House, tmp_path: Path
) -> None:
    """Nothing was signed meanwhile, so no tile has the hashes of what came since."""
    with lost():
        said_many(house, "lost", WIDTH + 1)
        ahead = signed(house)
    said_many(house, "since", 2 * WIDTH)
    (file := tmp_path / "kept.checkpoint").write_text(ahead.note)

    said = reopened(house, str(file))

    assert "epoch 2 begins" in said
    assert f"Signed as {ahead.origin}/2" in said


def said_many(house: House, word: str, times: int) -> None:
    events = (
        journal.NewEvent(
            stream=STREAM, event_type="heard.said", schema_version=1, data={"n": n, "word": word}
        )
        for n in range(times)
    )
    appended(house, {STREAM: 0}, *events)
