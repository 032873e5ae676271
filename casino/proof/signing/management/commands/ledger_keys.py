"""``manage.py ledger_keys``: shows and changes the keys with which houses sign their ledgers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from casino.engine.processes.command import CALLED
from casino.house.establishments.command_line import houses
from casino.proof.signing import keys

if TYPE_CHECKING:
    from casino.house.establishments.models import Establishment

GONE: Final = """  Key {id} is not here. With workers on several hosts it may be on another. If it
  is lost, was stolen, or was retired before the book was restored: tell the other key to those
  who check, and end its time: {called} ledger_keys --retire {id} --establishment {house}"""


class Command(BaseCommand):
    help = (
        "Say with which keys houses sign their checkpoints: public keys (vkeys), to be told to"
        " whoever checks. With an option, change them; every change is on record in the ledger."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--establishment", action="append", metavar="NAME|ID", help="default: every house"
        )
        change = parser.add_mutually_exclusive_group()
        change.add_argument("--make", action="store_true", help="make a key where there is none")
        change.add_argument(
            "--rotate", action="store_true", help="put a new key beside the old one; both sign"
        )
        change.add_argument("--retire", metavar="ID", help="end the time of the key with this id")

    def handle(self, **options: Any) -> None:
        chosen = houses(options["establishment"])
        if (options["rotate"] or options["retire"]) and not options["establishment"]:
            raise CommandError("--establishment: name the house whose keys are to change.")
        try:
            for house in chosen:
                self.change(house, options)
                self.report(house)
        except keys.NoKey as reason:
            raise CommandError(str(reason)) from None  # the cause may contain part of a secret

    def change(self, house: Establishment, options: dict[str, Any]) -> None:
        now = timezone.now()
        if options["make"]:
            keys.make(house, now)
        elif options["rotate"]:
            keys.rotate(house, now)
        elif options["retire"]:
            keys.retire(house, options["retire"], now)

    def report(self, house: Establishment) -> None:
        """Print a house's vkeys, one per line, each followed by what is unusual about it."""
        self.stdout.write(f"{house.name}  {house.pk}")
        held = {key.public.public for key in keys.secret_keys(house.pk)}
        record, before = keys.record_of(house.pk), keys.keys_no_longer_used(house.pk)
        for key in keys.public_keys(house.pk):
            notes = [] if key.public in held else ["on record, not held here"]
            notes += [] if record.holds(key.public) else ["held, not on record yet"]
            notes += ["retired before a restore"] if key.public in before else []
            self.stdout.write("  ".join(["", str(key), *notes]))
        for key in record.retired:
            self.stdout.write(f"  {key}  retired")
        if not held:
            self.stdout.write("  No key here: --make makes one.")
        gone = [key for key in record.in_force if held and key.public not in held]
        for key in keys.public_keys(house.pk):
            if any(key.public == each.public for each in gone) or key.public in before:
                self.stdout.write(GONE.format(id=key.id.hex(), called=CALLED, house=house.pk))
        if held and keys.open_to_others(house.pk):
            self.stdout.write(f"  Others may read {keys.path_of_file(house.pk)}: chmod 600 it.")
