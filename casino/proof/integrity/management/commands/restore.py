"""``manage.py restore FILE``: restores a backup into the database of the settings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.utils import timezone

from casino.engine.processes.command import CALLED
from casino.engine.processes.data_lock import StartRefused
from casino.proof.integrity import copies, restoring
from casino.proof.integrity.backup_manifest import BackupRefused
from ledger.conflicts import count_of

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from casino.proof.integrity.restoring import Restored

NEXT: Final = """
What to do next, for each house, before anybody plays. FILE is the newest checkpoint of it that
anybody outside has:
  1. Hold the book against it. Where FILE is ahead, this says "behind" and stops payouts.
       {called} verify_ledger --establishment {house} --checkpoint {file}
  2. Where FILE is ahead of the book, what lies between is lost: a new epoch says so for ever.
       {called} open_epoch --establishment {house} --checkpoint {file} --reason WHY --by MANAGER
  3. Start the house. What was played since the backup is entered again.
  4. Where payouts were stopped, two people resume them on the office's page Payouts.
  5. {called} health: every part is well."""
OTHER_KEY: Final = """
SECRET_KEY is not the one that the house had: nobody's password, PIN or authenticator app
holds any more; `changepassword NAME` sets a password. Better put the old one back first
({kept}/secret-key, or the variable)."""


class Command(BaseCommand):
    help = "Restore a backup into an empty database, while the house is stopped."
    requires_system_checks = ()  # there is no database yet that could be checked

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="as `backup` made it")
        parser.add_argument(
            "--replace", action="store_true", help="SQLite: move the book that is there aside"
        )

        parser.add_argument(
            "--unsound", action="store_true", help="also one that was not sound when it was written"
        )

    def handle(self, *, file: Path, replace: bool, unsound: bool, **_options: Any) -> None:
        try:
            restored = restoring.restore(
                file=file, now=timezone.now(), replace=replace, unsound=unsound
            )
        except (BackupRefused, StartRefused) as reason:
            raise CommandError(str(reason)) from reason
        self.say(restored)

    def say(self, restored: Restored) -> None:
        manifest = restored.manifest
        self.stdout.write(
            f"Restored as it was at {manifest.made_at} (version {manifest.software})."
        )
        for path in restored.moved:
            self.stdout.write(f"What was there before: {path}")
        for house in manifest.houses:
            self.stdout.write(f"  {house['name']} ({house['id']}): up to position {house['head']}")
            self.stdout.write(f"    {_checkpoint(house['checkpoint'])}")
        if not restored.same_key:
            self.stdout.write(OTHER_KEY.format(kept=settings.DATA_DIR))
        one = manifest.houses[0]["id"] if len(manifest.houses) == 1 else "ID"
        newest = [str(file) for house in manifest.houses for file in self.outside(house)]
        file = newest[0] if len(manifest.houses) == len(newest) == 1 else "FILE"
        self.stdout.write(NEXT.format(called=CALLED, house=one, file=file))

    def outside(self, house: dict[str, Any]) -> list[Path]:
        """The files in folders of copies that cover more than the ledger has; prints them too."""
        ahead = []
        for file, published in copies.in_folders(UUID(house["id"])):
            if published.size > house["head"] + 1:
                ahead.append(file)
                self.stdout.write(
                    f"{house['name']} has lost events: {file} is a checkpoint of {published.size},"
                    f" and the book has {house['head'] + 1}."
                )
        return ahead


def _checkpoint(signed: dict[str, Any] | None) -> str:
    if signed is None:
        return "no checkpoint was signed"
    return (
        f"newest checkpoint: {signed['origin']}, {count_of(signed['size'], 'event')}, root"
        f" {signed['root']}"
    )
