"""A backup is verified as it is written: what was tampered with, or came out damaged, is named."""

from __future__ import annotations

import json
from base64 import b64encode
from datetime import timedelta
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from casino.proof.backup import backups, manifests, reading
from casino.proof.backup.management.commands import restore
from casino.proof.backup.manifests import BackupRefused
from ledger import journal
from ledger.models import Account, Checkpoint, CommandReceipt, Transfer
from ledger.notes import SigningKey
from tests import services
from tests.ledger.tampering import tamper
from tests.support import builders, witness
from tests.support.on_citus import of_one_server
from tests.support.playing import opened, round_played, settled
from tests.support.processes import Site, site
from tests.support.proven import keyed, signed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_django import Settings

    from tests.support.builders import House

# Through a pooler a backup is made past it.
pytestmark = [
    of_one_server,
    pytest.mark.django_db(
        transaction=True, databases=sorted({"default", settings.SESSION_DATABASE})
    ),
]
ON_POSTGRESQL = connection.vendor == "postgresql"
NOW = timezone.now()


@pytest.fixture
def place(tmp_path: Path, transactional_db: None, settings: Settings) -> Iterator[Site]:
    del transactional_db
    settings.PG_DUMP = str(services.program("pg_dump"))
    settings.LEDGER_KEYS_DIR = tmp_path / "keys"
    folder = tmp_path / "data"
    folder.mkdir()
    with site(folder) as here:
        yield here


@pytest.fixture
def house(place: Site) -> House:
    """Played, settled, signed twice, and something that is not signed yet."""
    del place
    made = builders.house(tables=3, dice_sets=3)
    keyed(made)
    for table in made.tables[:2]:
        round_played(made, opened(made, table=table))
        settled(made)
        signed(made)
    round_played(made, opened(made, table=made.tables[2]))
    settled(made)
    return made


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    folder.mkdir()
    return folder


@pytest.mark.long("postgresql", but="citus")
def test_the_manifest_says_to_which_position_and_root_it_was_verified(
    house: House, shelf: Path
) -> None:
    file = backups.make(to=shelf / "backup", now=NOW).file

    verified = json.loads(manifests.path_of(file).read_text())["verified"]

    seen = witness.house(house.id)
    assert verified["wrong"] == []
    assert verified["houses"] == [{
        "id": str(house.id), "position": seen["head"],
        "root": b64encode(bytes.fromhex(seen["root"])).decode(),
        "receipts": CommandReceipt.objects.filter(establishment=house.id).count(),
        "transfers": Transfer.objects.filter(establishment=house.id).count(),
        "checkpoints": 2,
        "signed": Checkpoint.objects.filter(establishment=house.id).latest("size").size,
    }]  # fmt: skip


@pytest.mark.long("postgresql")
def test_the_command_says_so_and_how_long_it_took(house: House, shelf: Path) -> None:
    out = StringIO()

    call_command("backup", "--to", str(shelf), stdout=out)

    count = journal.head(establishment=house.id) + 1
    assert f"read back: {count} events" in out.getvalue()
    assert "Read back and verified in" in out.getvalue()


def key_of(house: House) -> Any:
    return house.id if ON_POSTGRESQL else house.id.hex


def of(house: House, statement: str, *given: Any) -> None:
    assert tamper(f"{statement} AND establishment = %s", [*given, key_of(house)]) == 1


def a_body(house: House) -> None:
    [event] = journal.read(establishment=house.id, after=2, limit=1)
    body = event.body.replace(b'"schema_version":1', b'"schema_version":2')
    of(house, "UPDATE ledger_event SET body = %s WHERE position = 3", body)


def an_event_that_is_gone(house: House) -> None:
    of(house, "DELETE FROM ledger_event WHERE position = 4")


def an_answer(house: House) -> None:
    of(house, "UPDATE ledger_commandreceipt SET actor = 'somebody' WHERE seq = 1")


def a_transfer_that_is_gone(house: House) -> None:
    first = Transfer.objects.filter(establishment=house.id).earliest("position", "seq")
    of(house, "DELETE FROM ledger_transfer WHERE position = %s AND seq = %s", first.position, 0)


def an_account(house: House) -> None:
    row = Account.objects.filter(establishment=house.id).earliest("kind", "name")
    where = (row.kind, row.name)
    of(
        house,
        "UPDATE ledger_account SET credits = credits + 5 WHERE kind = %s AND name = %s",
        *where,
    )


def a_checkpoint_by_a_stranger(house: House) -> None:
    row = Checkpoint.objects.filter(establishment=house.id).latest("size")
    text = row.note.partition("\n\n")[0] + "\n"
    note = f"{text}\n{SigningKey.generate(row.origin).sign(text)}\n"
    of(house, "UPDATE ledger_checkpoint SET note = %s WHERE size = %s", note, row.size)


def a_checkpoint_that_is_another(house: House) -> None:
    row = Checkpoint.objects.filter(establishment=house.id).latest("size")
    of(house, "UPDATE ledger_checkpoint SET receipts = 1 WHERE size = %s", row.size)


TAMPERED: list[tuple[Callable[[House], None], str]] = [
    (a_body, "position 3 does not hash to what is stored"),
    (an_event_that_is_gone, "position 4 is missing"),
    (an_answer, "the answers to commands 0 to"),
    (a_transfer_that_is_gone, "transfers, and the bodies have"),
    (a_checkpoint_by_a_stranger, "is not signed with a key on record"),
    (a_checkpoint_that_is_another, "is not what its note says"),
    (an_account, "does not hold what its transfers come to"),
]


@pytest.mark.rows(2, postgresql=1)
@pytest.mark.parametrize(("tampers", "says"), TAMPERED)
def test_what_was_changed_in_the_book_is_named_and_takes_no_good_ones_place(
    house: House, shelf: Path, tampers: Callable[[House], None], says: str
) -> None:
    """The book is backed up all the same: there may be no better copy of it."""
    good = backups.make(to=shelf, now=NOW - timedelta(days=1), keep=1).file
    tampers(house)
    err = StringIO()

    with pytest.raises(CommandError, match="not sound"):
        call_command("backup", "--to", str(shelf), "--keep", "1", stdout=StringIO(), stderr=err)

    assert f"{house.id}: " in err.getvalue()
    assert says in err.getvalue()
    assert good.exists()
    [bad] = shelf.glob("*.unsound")
    with pytest.raises(BackupRefused, match=r"was not sound.*--unsound"):
        restore.restore(file=bad, now=NOW)


def test_a_file_that_came_out_damaged_is_named(house: House, shelf: Path) -> None:
    """As a disk does: here between writing and reading back."""
    made = backups.make(to=shelf / "backup", now=NOW)
    damaged(made.file)

    try:
        wrong = reading.read(connection, made.file, made.manifest.contents).wrong
    except BackupRefused as refused:
        wrong = [str(refused)]

    assert wrong
    assert any(str(each) in wrong[0] for each in (house.id, made.file))


def damaged(file: Path) -> None:
    data = bytearray(file.read_bytes())
    at = len(data) * 19 // 20 if ON_POSTGRESQL else data.find(b'"command_seq":')
    data[at + 2 : at + 6] = b"\0\1\2\3"
    file.write_bytes(data)


@pytest.mark.long("postgresql")
def test_a_backup_of_before_they_were_read_back_is_restored_all_the_same(
    house: House, shelf: Path
) -> None:
    file = backups.make(to=shelf / "backup", now=NOW).file
    manifest_file = manifests.path_of(file)
    manifest = json.loads(manifest_file.read_text())
    del manifest["verified"]
    manifest_file.write_text(json.dumps({**manifest, "format": manifests.UNVERIFIED}))

    manifest = manifests.read(file)

    assert manifest.verified is None
    assert manifest.wrong == []
    assert manifest.houses[0]["id"] == str(house.id)


def test_a_later_piece_may_be_read_first_and_a_position_beyond_the_ledger_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reading, "AHEAD", 10)
    leaves = reading.Hashes(expected=90)
    for number in (90, *range(90)):
        leaves.put(number, bytes([1]) * 32)

    assert leaves.missing() is None
    with pytest.raises(ValueError, match="200, with 91 before it"):
        leaves.put(200, bytes([1]) * 32)
