"""``manage.py export_ledger``: exports a house as files that anybody can read and check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from casino.house.establishments.command_line import houses
from casino.proof.integrity import exports
from ledger.conflicts import count_of
from ledger.tiles import Altered
from ledger.verify import MANIFEST_NOTE, Export

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    help = (
        "Write everything of a house (E1) in the open format of docs/reference/proofs.md, while it"
        " plays: its ledger, checkpoints, settings, people and texts. No password, no key and no"
        " secret is in it; names are, unless they are left out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("--establishment", required=True, metavar="NAME|ID")
        add("--to", type=Path, required=True, help="a new folder, or a new file that ends in .zip")
        add(
            "--without-names",
            action="store_true",
            help="leave out players' names and what people wrote, as if all were erased",
        )

    def handle(self, *, establishment: str, to: Path, without_names: bool, **_options: Any) -> None:
        [house] = houses([establishment])
        try:
            manifest = exports.export(house, to=to, now=timezone.now(), names=not without_names)
        except (OSError, Altered) as reason:
            raise CommandError(f"Not exported: {reason}") from reason
        self.stdout.write(
            f"{to}: {count_of(manifest['events'], 'event')},"
            f" {count_of(manifest['receipts'], 'answer')} to commands,"
            f" {count_of(manifest['checkpoints'], 'checkpoint')} of {house.name}."
        )
        if MANIFEST_NOTE not in Export(to).names():
            self.stdout.write(
                "Its files are not signed: no key of the house can be read here. What no event"
                " says, as names and the log of sign-ins, anybody could change in it."
            )
        self.stdout.write("Check it, also elsewhere, with the house's key:")
        for key in manifest["keys"][:1] or ["…"]:
            self.stdout.write(f"  python -m ledger.verify export {to} --contents --key '{key}'")
