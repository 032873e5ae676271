"""What it costs to lose the key that signs, and to have it stolen (docs/how-to/checkpoints.md)."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from casino.money.payouts import receipts
from casino.office.monitoring import checks as health
from casino.play.settlement import payout_holds
from casino.proof.signing import copies, epochs, keys, queries, signing
from ledger import proofs, verify
from ledger.notes import SigningKey
from ledger.notes import sign as note_of
from tests.support import builders
from tests.support.playing import NOW, done, opened, round_played, settled
from tests.support.proven import happened, keyed, newest, read, signed, signers
from tests.support.proving import told

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

    from tests.support.builders import House

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(minutes=1)


@pytest.fixture(autouse=True)
def outside(settings: Settings, tmp_path: Path) -> Path:
    settings.PRODUCTION = True
    settings.LEDGER_KEYS_DIR = tmp_path / "keys"
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


@pytest.fixture
def house() -> House:
    made = builders.house()
    happened(made, 3)
    keyed(made)
    signed(made)
    return made


def run(house: House, *options: str) -> str:
    out = StringIO()
    call_command("ledger_keys", f"--establishment={house.id}", *options, stdout=out)
    return out.getvalue()


def key_of(house: House) -> verify.Key:
    return keys.public_keys(house.id)[-1]


def kept(house: House, to: Path) -> Path:
    to.write_text(newest(house).note)
    return to


def lost(house: House) -> verify.Key:
    gone = key_of(house)
    keys.path_of_file(house.id).unlink()
    return gone


class TestLost:
    @pytest.mark.long("postgresql")
    def test_meanwhile_nothing_is_signed_and_all_else_goes_on(self, house: House) -> None:
        gone = lost(house)
        game = opened(house)
        round_played(house, game)
        settled(house)

        assert signing.sign(house.establishment, NOW) is None

        found = health.integrity(NOW)
        assert not found.ok
        assert f"The one that signed so far is {gone.id.hex()}" in found.says
        assert "retire the old one" in found.says
        assert payout_holds.stop_now(house.id) is None
        done(house, game, "close")
        settled(house)
        done(house, game, "cash_out", player="Ada", amount=1)

    @pytest.mark.long("postgresql")
    def test_what_was_signed_before_is_as_true_as_it_was(
        self, house: House, tmp_path: Path
    ) -> None:
        receipt = tmp_path / "before.tlog-proof"
        receipt.write_text(str(receipts.proven(house.id, 1)))
        gone = lost(house)
        run(house, "--make")
        happened(house)
        signed(house, now=LATER)

        assert told("receipt", receipt, f"--key={gone}")[0] == 0
        status, output = told("receipt", receipt, f"--key={key_of(house)}")
        assert (status, "did not sign this with a key that was given" in output) == (1, True)
        assert told("receipt", receipt, f"--key={gone}", f"--key={key_of(house)}")[0] == 0

    @pytest.mark.long("postgresql")
    def test_whoever_kept_a_checkpoint_sees_that_the_new_key_continues_it(
        self, house: House, tmp_path: Path
    ) -> None:
        """No signature of the old key is needed for it: the tree says so (RFC 6962)."""
        old = kept(house, tmp_path / "old")
        before = newest(house).size
        gone = lost(house)
        run(house, "--make")
        happened(house, 2)
        signed(house, now=LATER)
        new = kept(house, tmp_path / "new")
        link = tmp_path / "link"
        link.write_text(str(proofs.link(house.id, before, newest(house).size)))

        both = [f"--key={key}" for key in (gone, key_of(house))]

        assert told("consistency", old, new, f"--link={link}", *both)[0] == 0
        assert told("consistency", old, new, f"--link={link}", both[1])[0] == 1
        assert signers(newest(house)) == {key_of(house).id}

    @pytest.mark.long("postgresql")
    def test_the_command_leads_from_the_new_key_to_the_end_of_the_old(self, house: House) -> None:
        gone = lost(house)

        output = run(house, "--make")

        assert f"ledger_keys --retire {gone.id.hex()} --establishment {house.id}" in output
        output = run(house, "--retire", gone.id.hex())
        assert f"{gone}  retired" in output
        assert "is not here" not in output
        assert str(gone) in Client().get(reverse("ledger-keys", args=[house.id])).text

    @pytest.mark.long("postgresql")
    def test_a_key_file_that_is_brought_back_signs_again(self, house: House) -> None:
        file = keys.path_of_file(house.id)
        line = file.read_text()
        file.unlink()
        happened(house)
        assert signing.sign(house.establishment, NOW) is None

        file.write_text(line)

        assert signed(house, now=LATER)
        assert queries.trouble(house.id) is None


class TestStolen:
    """Whoever has the key signs what they like; what it covers after its end is not the house's."""

    def forged(self, house: House, thief: SigningKey, outside: Path) -> verify.Checkpoint:
        """Somebody who can write to the folder puts there what the house never signed."""
        row = read(newest(house))
        text = row.text.replace(f"\n{row.size}\n", "\n99999\n")
        note = note_of(text, [thief.named(row.origin)])
        (outside / str(house.id)).mkdir(exist_ok=True)
        (outside / str(house.id) / copies.LATEST).write_text(note)
        return verify.Checkpoint.parse(note.encode())

    def retired(self, house: House) -> SigningKey:
        """The key, in the thief's hands and at its end."""
        [thief] = keys.read_file(house.id)
        old = key_of(house)
        run(house, "--rotate")
        run(house, "--retire", old.id.hex())
        return thief

    @pytest.mark.long("postgresql")
    def test_what_it_signs_after_its_end_is_nobodys(
        self, house: House, outside: Path, settings: Settings
    ) -> None:
        settings.CHECKPOINT_COPIES = (f"folder:{outside}",)
        thief = self.retired(house)
        forged = self.forged(house, thief, outside)

        assert signed(house, now=LATER)
        assert not keys.has_signed(house.id, forged)
        assert copies.checkpoints_in_folders(house.id) == []
        assert epochs.loss_not_on_record(house.id) is None
        [place] = copies.from_settings()
        assert not copies.copy(house.establishment, place, LATER)
        assert "was not signed by it" in queries.outside(house.id).places[0].error

    def test_a_forgery_of_before_that_stops_the_house_no_longer_once_the_key_is_retired(
        self, house: House, outside: Path, settings: Settings
    ) -> None:
        settings.CHECKPOINT_COPIES = (f"folder:{outside}",)
        [thief] = keys.read_file(house.id)
        self.forged(house, thief, outside)
        happened(house)
        assert signing.sign(house.establishment, NOW) is None
        assert epochs.loss_not_on_record(house.id) is not None

        self.retired(house)

        assert epochs.loss_not_on_record(house.id) is None
        assert signed(house, now=LATER)
        assert payout_holds.stop_now(house.id) is not None  # until two people have looked

    @pytest.mark.long("postgresql")
    def test_what_it_signed_before_its_end_is_believed_still(self, house: House) -> None:
        before = read(newest(house))
        self.retired(house)

        assert keys.has_signed(house.id, before)

    @pytest.mark.long("postgresql")
    def test_a_restored_book_that_does_not_know_of_its_end_is_told(self, house: House) -> None:
        old = key_of(house)
        run(house, "--rotate")
        file = keys.path_of_file(house.id)
        file.with_suffix(".retired").write_text(f"{old}\n")  # as it was before the restore

        output = run(house)

        assert "retired before a restore" in output
        assert f"--retire {old.id.hex()}" in output
