"""
Celery: signing. A message is a wake; lost or doubled, nothing happens but time.

The tree grows where something is to be signed: beat looks every few seconds, and whoever ends a
game or a gaming day need not wait for that (`casino.integrity.subscriber`).
"""

from __future__ import annotations

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from casino.establishments.models import Establishment
from casino.integrity import copies, destinations, signing
from casino.platform import storage_failure, waking
from ledger.checkpoints import INTEGRITY
from ledger.lag import lagging

GROW = "grow"


def grow(establishment: UUID) -> bool:
    """Let a house's tree grow, sign its head, send copies out. Done twice, it signs once."""
    house = Establishment.objects.filter(pk=establishment).first()
    if house is not None:
        signing.sign(house, timezone.now())
        _send_out(house)
    return False


@shared_task(acks_late=True)
def sign_next(**_newer: object) -> None:
    """Let the tree grow that has waited longest."""
    WAKES.serve()


WAKES = waking.Wakes("signing", {GROW: grow}, sign_next.delay)


@shared_task(acks_late=True)
def copy(*, establishment: str, destination: str, **_newer: object) -> None:
    """Copy a house's newest checkpoint to one destination: each waits for itself alone."""
    house = Establishment.objects.filter(pk=UUID(establishment)).first()
    if house is not None:
        copies.copy(house, destinations.parse(destination), timezone.now())


@shared_task(acks_late=True)
def watch_trees(**_newer: object) -> None:
    """Find the houses with something to sign, whatever became of their wakes."""
    if storage_failure.resting():
        return
    WAKES.wake(((GROW, behind.establishment) for behind in lagging([INTEGRITY])), top_up=True)


@shared_task(acks_late=True)
def watch_copies(**_newer: object) -> None:
    """
    Find the copies that are due again, in every house; and look at what is kept outside, also
    where nothing happens: a book that was restored may be behind it.
    """
    if storage_failure.resting():
        return
    WAKES.wake((GROW, house) for house in Establishment.objects.values_list("pk", flat=True))


def wake(*, establishment: UUID) -> None:
    """Wake a worker; one that is not reached costs seconds: the watch comes by."""
    WAKES.after_commit(establishment)


def _send_out(house: Establishment) -> None:
    for each in copies.due(house, timezone.now()):
        copy.delay(establishment=str(house.pk), destination=each.text)
