"""``manage.py restore FILE``: a backup becomes the book again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.utils import timezone

from casino.command import CALLED
from casino.embedded import StartRefused
from casino.integrity import restoring
from casino.integrity.backup_manifest import BackupRefused

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from casino.integrity.restoring import Restored

NEXT: Final = """
What to do next, for each house, before anybody plays. FILE is its newest checkpoint outside:
  1. Hold the book against it.
       {called} verify_ledger --establishment {house} --checkpoint FILE
  2. Where FILE is ahead of the book, what lies between is lost: a new epoch says so for ever.
       {called} open_epoch --establishment {house} --checkpoint FILE --reason WHY
  3. Start the house. What was played since the backup is entered again."""
OTHER_KEY: Final = """
SECRET_KEY is not the one that the house had: everybody signs in anew; PINs and authenticator
apps are set up anew. Better put the old one back first ({kept}/secret-key, or the variable)."""


class Command(BaseCommand):
    help = "Restore a backup into an empty database, while the house is stopped."
    requires_system_checks = ()  # there is nothing yet that could be checked

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="as `backup` made it")
        parser.add_argument(
            "--replace", action="store_true", help="SQLite: move the book that is there aside"
        )

    def handle(self, *, file: Path, replace: bool, **_options: Any) -> None:
        try:
            restored = restoring.restore(file=file, now=timezone.now(), replace=replace)
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
        self.stdout.write(NEXT.format(called=CALLED, house=one))


def _checkpoint(signed: dict[str, Any] | None) -> str:
    if signed is None:
        return "no checkpoint was signed"
    return f"newest checkpoint: {signed['origin']}, {signed['size']} events, root {signed['root']}"
