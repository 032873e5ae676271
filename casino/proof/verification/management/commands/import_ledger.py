"""``manage.py import_ledger``: imports an exported house into this installation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.core.management.base import BaseCommand, CommandError

from casino.engine.processes.command import CALLED
from casino.proof.signing import keys
from casino.proof.verification import export_tables, imports
from ledger.conflicts import count_of
from ledger.importing import Differs
from ledger.verify import (
    Checkpoint,
    Export,
    Undecided,
    Unreadable,
    Untrue,
    read_file,
    read_keys,
)

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from casino.proof.verification.imports import Imported

STEP: Final = 10_000  # events between two lines of progress


class Command(BaseCommand):
    help = (
        "Put an exported house into an installation that does not have it: every event byte for"
        " byte at its position. It is checked before and after, and comes whole or not at all:"
        " killed at any moment it leaves nothing."
    )
    steps = -1  # so that the first batch is told

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("export", type=Path, metavar="FOLDER-OR-ZIP")
        add("--key", action="append", default=[], help="the house's key: the line, or a file")
        add(
            "--checkpoint",
            action="append",
            default=[],
            type=Path,
            help="a checkpoint of the house that was kept",
        )
        add("--name", help="what the house is called here, where its name is taken")

    def handle(
        self, *, export: Path, key: list[str], checkpoint: list[Path], name: str | None, **_: Any
    ) -> None:
        try:
            done = imports.import_(
                Export(export),
                keys=[each for given in key for each in read_keys(given)],
                kept=[Checkpoint.parse(read_file(path), str(path)) for path in checkpoint],
                name=name,
                on_progress=self.progress,
            )
        except (Untrue, Undecided, Unreadable, OSError) as reason:
            raise CommandError(f"Not imported: {reason}") from reason
        except (imports.NotImported, export_tables.Unknown, Differs) as reason:
            raise CommandError(f"Not imported: {reason}") from reason
        self.report(done)

    def progress(self, events: int) -> None:
        if events // STEP != self.steps:
            self.steps = events // STEP
            self.stderr.write(f"{count_of(events, 'event')}")

    def report(self, done: Imported) -> None:
        house = done.house
        self.stdout.write(
            f"{house.name} is here: {count_of(done.events, 'event')},"
            f" {count_of(done.checkpoints, 'checkpoint')}."
        )
        for line in done.held:
            self.stdout.write(f"  {line}")
        for old, new in done.renamed.items():
            self.stdout.write(f"  {old} is somebody else here: theirs is {new} now.")
        self.stdout.write(
            f"Nobody came with a password: set the first manager's with `{CALLED} changepassword"
            " USERNAME`, then each other's. Second factors, PINs and tablets are set up anew."
        )
        if not keys.secret_keys(house.pk):
            self.stdout.write(
                "The house's key to sign with is not here. Bring its file"
                f" ({house.pk}.key) from where it was; with another key (`{CALLED} ledger_keys"
                " --make`) its next checkpoint is signed by a key that nobody knows yet."
            )
