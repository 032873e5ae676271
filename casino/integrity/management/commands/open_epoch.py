"""``manage.py open_epoch``: after a restore from a copy that is behind a published checkpoint."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from casino.attendants.models import Attendant
from casino.attendants.permissions import NotYours
from casino.establishments import acts
from casino.integrity import epochs, queries, signing
from casino.regrade.management.commands.regrade import houses
from games.refusals import Refused
from ledger.verify import Checkpoint, Unreadable

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from casino.establishments.models import Establishment


class Command(BaseCommand):
    help = (
        "Open a new epoch of a house's ledger, whose first event names what a restore has lost;"
        " from then on its checkpoints are signed under another origin. Refused where nothing was"
        " lost. Do it before anybody plays: what was entered after the copy is entered again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("--establishment", required=True, metavar="NAME|ID")
        add(
            "--checkpoint",
            required=True,
            type=Path,
            help="the newest checkpoint of the house that anybody has",
        )
        add("--reason", required=True, help="why the book was restored")
        add("--by", metavar="USERNAME", help="the manager who decides it; else the program")

    def handle(
        self, *, establishment: str, checkpoint: Path, reason: str, by: str | None, **_: Any
    ) -> None:
        [house] = houses([establishment])
        act = acts.Act(
            house=house,
            by=person(by),
            device=epochs.DEVICE,
            now=timezone.now(),
            command_id=uuid.uuid4(),
            asked={},
        )
        try:
            published = Checkpoint.parse(checkpoint.read_bytes(), str(checkpoint))
            receipt = epochs.open_epoch(act, published=published, reason=reason)
        except (Refused, NotYours, Unreadable, OSError) as refused:
            raise CommandError(f"No epoch was opened: {refused}") from refused
        [event] = acts.events_of(house.pk, receipt)
        lost = event.data["lost"]
        self.stdout.write(
            f"{house.name}: epoch {event.data['epoch']} begins at position {event.position}. Lost:"
            f" positions {lost['from']} to {lost['to']} of {published.origin}."
        )
        self.signed(house)

    def signed(self, house: Establishment) -> None:
        row = signing.sign(house, timezone.now())
        if row is not None:
            self.stdout.write(f"Signed as {row.origin}: {row.size} events.")
        elif says := queries.in_the_way(house):
            self.stderr.write(f"Not signed yet: {says}")


def person(username: str | None) -> Attendant | None:
    """:raises CommandError: if nobody signs in under that name."""
    if username is None:
        return None
    found = Attendant.objects.filter(username=username).first()
    if found is None:
        raise CommandError(f"--by {username}: nobody signs in under that name.")
    return found
