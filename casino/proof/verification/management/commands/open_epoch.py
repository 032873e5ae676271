"""``manage.py open_epoch``: opens an epoch after a restore that is behind a checkpoint."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from casino.engine.processes.command import CALLED
from casino.house.acts import acts
from casino.house.attendants.models import Attendant
from casino.house.attendants.permissions import NotYours
from casino.house.establishments.command_line import houses
from casino.kit.web.jobs.models import Occasion
from casino.proof.signing import epochs, findings, queries, signing
from casino.proof.signing.models import Verification
from casino.proof.verification import runs
from games.refusals import Refused
from ledger.conflicts import count_of
from ledger.tiles import Altered
from ledger.verify import Checkpoint, Unreadable, read_file

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from casino.house.establishments.models import Establishment

NEXT: Final = """What to do next:
  1. Start the house. What was played since the backup is entered again.
  2. Two people resume payouts: one asks on the office's page Payouts, another approves it.
     Before they agree they look at who was paid for what was lost: nobody is to be paid twice.
  3. {called} health: every part is well. Tell those who keep checkpoints of the new epoch."""


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
            request={},
        )
        try:
            published = Checkpoint.parse(read_file(checkpoint), str(checkpoint))
            receipt = epochs.open_epoch(act, published=published, reason=reason)
        except (Altered, Refused, NotYours, Unreadable, OSError) as refused:
            raise CommandError(f"No epoch was opened: {refused}") from refused
        [event] = acts.events_of(house.pk, receipt)
        lost = event.data["lost"]
        self.stdout.write(
            f"{house.name}: epoch {event.data['epoch']} begins at position {event.position}. Lost:"
            f" positions {lost['from']} to {lost['to']} of {published.origin}."
        )
        self.verify_again(house)
        self.sign_house(house)
        self.stdout.write(NEXT.format(called=CALLED))

    def verify_again(self, house: Establishment) -> None:
        """Verify the whole ledger again: findings from before the epoch may be explained now."""
        run = runs.whole(house, Occasion.EPOCH)
        if run.state == Verification.State.SOUND:
            self.stdout.write(f"Verified: {count_of(run.stop, 'event')}, sound.")
        else:
            why = run.reason or f"{count_of(run.findings, 'finding')}. {findings.VERIFY}"
            self.stderr.write(f"Verified, and not sound: {why}")

    def sign_house(self, house: Establishment) -> None:
        row = signing.sign(house, timezone.now())
        if row is not None:
            self.stdout.write(f"Signed as {row.origin}: {count_of(row.size, 'event')}.")
        elif reason := queries.in_the_way(house):
            self.stderr.write(f"Not signed yet: {reason}")


def person(username: str | None) -> Attendant | None:
    """The attendant with a user name. :raises CommandError: if nobody has that name."""
    if username is None:
        return None
    found = Attendant.objects.filter(username=username).first()
    if found is None:
        raise CommandError(f"--by {username}: nobody signs in under that name.")
    return found
