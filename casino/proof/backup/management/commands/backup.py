"""``manage.py backup``: backs up the whole database to one file, while the house plays."""

from __future__ import annotations

from argparse import ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.core.management import BaseCommand, CommandError
from django.utils import timezone

from casino.engine.processes.command import CALLED
from casino.proof.backup import backups
from casino.proof.backup.manifests import BackupRefused, path_of
from ledger.conflicts import count_of

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from casino.proof.backup.manifests import Manifest

UNSOUND: Final = """It is not sound, and is kept as {file}: no older one was deleted for it.
  1. Is it the book, or this file? {called} verify_ledger says what the book itself has.
  2. If the book is sound, the file was damaged when it was written: look after that disk, and back
     up elsewhere.
  3. If it is not, keep this file and every older backup: docs/how-to/verify.md."""


def positive(given: str) -> int:
    if not given.isdecimal() or int(given) < 1:
        raise ArgumentTypeError("1 or more: the backup made now is one of them")
    return int(given)


class Command(BaseCommand):
    help = "Back up the database while the house plays, with a manifest beside the file."
    requires_system_checks = ()  # a house with problems can be backed up too

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--to", type=Path, required=True, help="a new file; or a folder, for a name by time"
        )
        parser.add_argument(
            "--keep", type=positive, help="delete older backups of this database in that folder"
        )

    def handle(self, *, to: Path, keep: int | None, **_options: Any) -> None:
        try:
            made = backups.make(to=to, now=timezone.now(), keep=keep)
        except BackupRefused as reason:
            raise CommandError(str(reason)) from reason
        size = made.manifest.bytes / 2**20
        self.stdout.write(f"{made.file}: {size:.1f} MB, SHA-256 {made.manifest.sha256}")
        self.stdout.write(f"{path_of(made.file)}: what is in it. Keep both, and SECRET_KEY apart.")
        self.verify_file(made.manifest)
        for file in made.deleted:
            self.stdout.write(f"{file}: deleted")
        if made.manifest.wrong:
            raise CommandError(UNSOUND.format(called=CALLED, file=made.file))

    def verify_file(self, manifest: Manifest) -> None:
        read_back = manifest.verified or {"houses": [], "seconds": 0.0}
        found = {each["id"]: each for each in read_back["houses"]}
        for house in manifest.houses:
            self.stdout.write(f"  {house['name']}: up to position {house['head']}")
            one = found[house["id"]]
            self.stdout.write(
                f"    read back: {count_of(one['position'] + 1, 'event')}, root {one['root']};"
                f" {count_of(one['receipts'], 'answer')}, {count_of(one['transfers'], 'transfer')},"
                f" {count_of(one['checkpoints'], 'checkpoint')}, the newest of"
                f" {count_of(one['signed'], 'event')}"
            )
        self.stdout.write(f"Read back and verified in {read_back['seconds']:.1f} s.")
        for sentence in manifest.wrong:
            self.stderr.write(f"! {sentence}")
