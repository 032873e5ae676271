"""``manage.py ledger_keys`` and ``manage.py checkpoint``: a house's keys, and its newest note."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from casino.proof.signing import keys
from ledger import epochs, journal, verify
from ledger.models import Checkpoint
from ledger.notes import SECRET, SigningKey
from tests.support import builders, proven
from tests.support.at_once import at_once, on_a_file
from tests.support.playing import NOW
from tests.support.proven import happened, keyed, newest, read, signed, signers

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def key_folder(settings: Settings, tmp_path: Path) -> Path:
    settings.PRODUCTION = True
    settings.LEDGER_KEYS_DIR = tmp_path / "keys"
    return tmp_path / "keys"


@pytest.fixture
def house() -> House:
    made = builders.house()
    happened(made, 3)
    return made


def run(house: House | None, *options: str, command: str = "ledger_keys") -> str:
    out = StringIO()
    named = [f"--establishment={house.id}"] if house else []
    call_command(command, *named, *options, stdout=out)
    output = out.getvalue()
    assert SECRET not in output
    return output


def refused(house: House, *options: str) -> str:
    with pytest.raises(CommandError) as error:
        run(house, *options)
    assert SECRET not in str(error.value)
    return str(error.value)


def vkeys(house: House) -> list[str]:
    """The lines that the command prints as keys in force."""
    lines = [line.split() for line in run(house).splitlines()[1:]]
    return [line[0] for line in lines if len(line) == 1]


def events(house: House) -> list[str]:
    return [each.event_type for each in journal.stream(establishment=house.id, stream=keys.STREAM)]


class TestMake:
    def test_it_makes_a_key_that_only_its_owner_reads_and_tells_the_public_one(
        self, house: House
    ) -> None:
        assert "No key here" in run(house)

        run(house, "--make")

        [vkey] = vkeys(house)
        assert verify.Key.parse(vkey) == keys.signing_keys(house.id)[0].public
        assert verify.Key.parse(vkey).name == f"home-throw.local/{house.id}"
        assert keys.path_of_file(house.id).stat().st_mode & 0o777 == 0o600
        assert events(house) == ["keys.announced"]

    def test_a_key_that_is_there_is_never_replaced(self, house: House) -> None:
        run(house, "--make")
        before = keys.path_of_file(house.id).read_text()

        run(house, "--make")

        assert keys.path_of_file(house.id).read_text() == before
        assert events(house) == ["keys.announced"]

    def test_every_house_gets_one_where_none_is_named(self, house: House) -> None:
        other = builders.house()

        run(None, "--make")

        assert vkeys(house) != []
        assert "held, not on record yet" in run(other)  # nothing has happened there

    def test_where_no_folder_is_set_it_says_so(self, house: House, settings: Settings) -> None:
        settings.LEDGER_KEYS_DIR = None

        assert "LEDGER_KEYS_DIR is not set" in refused(house, "--make")

    def test_a_file_that_others_may_read_is_said_to_be_so(self, house: House) -> None:
        run(house, "--make")
        keys.path_of_file(house.id).chmod(0o644)

        assert "chmod 600" in run(house)


class TestRotate:
    def test_both_sign_until_the_old_one_is_retired(self, house: House) -> None:
        run(house, "--make")
        [old] = vkeys(house)
        run(house, "--rotate")
        [_, new] = vkeys(house)

        both = signed(house)
        run(house, "--retire", verify.Key.parse(old).id.hex())
        alone = signed(house)

        ids = [verify.Key.parse(vkey).id for vkey in (old, new)]
        assert signers(both) == set(ids)
        assert signers(alone) == {ids[1]}
        assert vkeys(house) == [new]
        assert f"{old}  retired" in run(house)
        assert events(house) == ["keys.announced", "keys.announced", "keys.retired"]

    def test_of_a_retired_key_only_the_public_part_is_kept(self, house: House) -> None:
        run(house, "--make")
        run(house, "--rotate")
        [old, _] = vkeys(house)
        secret, _ = keys.path_of_file(house.id).read_text().split()

        run(house, "--retire", verify.Key.parse(old).id.hex())

        kept = keys.path_of_file(house.id).with_suffix(".retired").read_text()
        assert kept == f"{old}\n"
        assert secret not in keys.path_of_file(house.id).read_text()

    def test_what_it_signed_is_still_checked_with_it(self, house: House) -> None:
        run(house, "--make")
        old = signed(house)
        run(house, "--rotate")
        [first, _] = vkeys(house)
        run(house, "--retire", verify.Key.parse(first).id.hex())

        trust = verify.Trust(keys=keys.every_public_key(house.id))

        assert trust.believe(read(old))
        assert verify.Key.parse(first) not in keys.public_keys(house.id)

    def test_a_retired_key_that_is_put_back_signs_nothing(self, house: House) -> None:
        run(house, "--make")
        run(house, "--rotate")
        [old, new] = vkeys(house)
        line, other = keys.path_of_file(house.id).read_text().split()
        run(house, "--retire", verify.Key.parse(old).id.hex())
        keys.path_of_file(house.id).write_text(f"{line}\n{other}\n")

        assert signers(signed(house)) == {verify.Key.parse(new).id}

    def test_killed_between_record_and_file_it_is_done_by_asking_again(self, house: House) -> None:
        run(house, "--make")
        run(house, "--rotate")
        [old, new] = vkeys(house)
        keys.retire_on_record(
            house.establishment, verify.Key.parse(old), NOW
        )  # and here it was killed

        run(house, "--retire", verify.Key.parse(old).id.hex())

        assert len(keys.read_file(house.id)) == 1
        assert vkeys(house) == [new]
        assert events(house).count("keys.retired") == 1

    def test_a_lost_key_is_retired_once_there_is_another(self, house: House) -> None:
        run(house, "--make")
        [lost] = vkeys(house)
        keys.path_of_file(house.id).unlink()
        run(house, "--make")
        assert f"{lost}  on record, not held here" in run(house)

        run(house, "--retire", verify.Key.parse(lost).id.hex())

        assert f"{lost}  retired" in run(house)

    def test_what_would_leave_the_house_without_a_key_is_refused(self, house: House) -> None:
        assert "--make makes the first" in refused(house, "--rotate")
        run(house, "--make")
        [only] = vkeys(house)
        assert "only key" in refused(house, "--retire", verify.Key.parse(only).id.hex())
        assert "has no key 00000000" in refused(house, "--retire", "00000000")
        run(house, "--rotate")
        assert "holds two keys" in refused(house, "--rotate")

    def test_a_house_is_named_whose_keys_change(self) -> None:
        with pytest.raises(CommandError, match="name the house"):
            run(None, "--rotate")

    def test_keys_of_the_environment_are_changed_there(
        self, house: House, settings: Settings
    ) -> None:
        settings.LEDGER_KEYS = (SigningKey.generate(keys.origin(house.id)).line,)

        assert "LEDGER_KEYS" in refused(house, "--rotate")


def test_in_a_new_epoch_the_same_key_has_another_name(house: House) -> None:
    keyed(house)
    signed(house)
    happened(house, 2)
    ahead = read(signed(house))
    [first] = keys.public_keys(house.id)
    proven.restored_to(house, ahead.size - 2)
    guards, opening = epochs.opening(
        establishment=house.id, published=ahead, epoch=1, reason="t-restored"
    )
    proven.appended(house, guards, opening)

    found = signed(house)

    [second] = keys.public_keys(house.id)
    assert (second.public, second.name) == (first.public, f"{first.name}/2")
    assert verify.Trust(keys=(second,)).believe(read(found))
    assert verify.Trust(keys=(first,)).believe(ahead)
    assert set(keys.every_public_key(house.id)) == {first, second}


@pytest.mark.django_db(transaction=True)
def test_two_who_make_the_first_key_at_once_make_one(tmp_path: Path) -> None:
    house = builders.house()
    happened(house)
    with on_a_file(tmp_path):
        made = at_once(4, lambda _: keys.make(house.establishment, NOW))

    assert len(set(made)) == 1
    assert len(keys.path_of_file(house.id).read_text().split()) == 1


class TestCheckpoint:
    def test_it_signs_now_and_prints_the_note(self, house: House) -> None:
        keyed(house)

        output = run(house, command="checkpoint")

        assert output.strip() == newest(house).note.strip()
        assert verify.Checkpoint.parse(newest(house).note.encode()).size == newest(house).size

    def test_a_folder_gets_it_as_a_file(self, house: House, tmp_path: Path) -> None:
        keyed(house)

        output = run(house, f"--out={tmp_path}", command="checkpoint")

        row = newest(house)
        file = tmp_path / str(house.id) / f"1-{row.size:012}.checkpoint"
        assert output == ""
        assert file.read_text() == row.note

    def test_what_cannot_be_signed_ends_in_a_sentence(self, house: House) -> None:
        with pytest.raises(CommandError, match="--make"):
            run(house, command="checkpoint")

        assert not Checkpoint.objects.exists()
