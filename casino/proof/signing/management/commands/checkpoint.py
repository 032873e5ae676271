"""``manage.py checkpoint``: signs houses' ledgers now, and prints or stores the checkpoints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from casino.house.establishments.command_line import houses
from casino.proof.signing import queries, signing
from casino.proof.signing.copies import Folder, NotCopied
from ledger import checkpoints

if TYPE_CHECKING:
    from casino.house.establishments.models import Establishment


class Command(BaseCommand):
    help = (
        "Sign each house's ledger as it is now and print the checkpoints (signed notes). Where one"
        " cannot be signed, the newest there is is printed all the same, and the exit status is 1."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--establishment", action="append", metavar="NAME|ID", help="default: every house"
        )
        parser.add_argument(
            "--out", type=Path, metavar="FOLDER", help="keep them there as files, as a copy does"
        )

    def handle(self, **options: Any) -> None:
        whys = [
            why
            for house in houses(options["establishment"])
            if (why := self.sign_house(house, options["out"]))
        ]
        if whys:
            raise CommandError("\n".join(whys))

    def sign_house(self, house: Establishment, out: Path | None) -> str:
        """Sign a house's ledger; why it was not signed, "" if it was."""
        signing.sign(house, timezone.now())
        newest = checkpoints.latest(house.pk)
        if newest is not None and out is not None:
            try:
                Folder(f"folder:{out.absolute()}").put(newest, house.name)
            except NotCopied as failure:
                return f"{house.name}: {failure}"
        elif newest is not None:
            self.stdout.write(newest.note)
        return queries.in_the_way(house)
