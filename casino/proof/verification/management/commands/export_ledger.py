"""``manage.py export_ledger``: exports a house as files that anybody can read and check."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections, transaction
from django.utils import timezone

from casino.engine.processes.version import VERSION
from casino.house.establishments.command_line import houses
from casino.play.settlement.subscriber import SETTLEMENT
from casino.proof.signing import keys
from casino.proof.signing.keys import NoKey
from casino.proof.verification import export_tables
from ledger import exporting
from ledger.conflicts import count_of
from ledger.tiles import Altered
from ledger.verify import MANIFEST_NOTE, Export

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator
    from datetime import datetime

    from casino.house.establishments.models import Establishment
    from ledger.notes import SigningKey


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
            manifest = export(house, to=to, now=timezone.now(), names=not without_names)
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


# Exports everything of a house in an open format (E1): its ledger, and the texts behind its tokens.
#
# `python -m ledger.verify export` checks an export without the house; docs/reference/proofs.md
# describes each file. The secret that keys the hashes of requests is left out: with it, somebody
# could guess erased names from those hashes. Keys that sign and all means to sign in are left out
# too.
#
# The house's keys sign the manifest, where this process has them: the manifest has the hash of
# every file, and so nobody can change what no event says, as names and the log of sign-ins.


BOOKING: Final = (SETTLEMENT.name,)
"""Subscribers that append: after an import they must not handle the same events again."""


def export(
    establishment: Establishment, *, to: Path, now: datetime, names: bool = True
) -> dict[str, Any]:
    """
    Export everything of a house; the content of the manifest. The house plays on meanwhile.

    :param to: a folder that does not exist yet, or a file whose name ends in .zip.
    :param names: whether to include players' names and free texts; else they are exported as if
        they had been erased.
    :raises FileExistsError: if the name is taken.
    :raises Altered: if the ledger has a gap.
    """
    using = settings.LEDGER_READER
    with _moment(using):  # configuration is what the events say that are exported
        head = exporting.extent(establishment.pk, BOOKING, using=using)
        extra_files = export_tables.files(establishment.pk, names=names, using=using)
    return exporting.export(
        establishment=establishment.pk,
        to=to,
        keys=keys.every_public_key(establishment.pk),
        exported_at=now,
        software=f"home-throw {VERSION}",
        signing=_signing(establishment),
        head=head,
        extra_files=extra_files,
        using=using,
    )


@contextmanager
def _moment(using: str) -> Iterator[None]:
    """A block whose queries all see the same moment; only for short reads."""
    begun = connections[using].in_atomic_block
    with transaction.atomic(using=using):
        if not begun and connections[using].vendor == "postgresql":
            with connections[using].cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


def _signing(establishment: Establishment) -> tuple[SigningKey, ...]:
    """The keys that sign the manifest; none: this process cannot read them."""
    try:
        return keys.keys_in_force(establishment.pk)
    except NoKey:
        return ()
