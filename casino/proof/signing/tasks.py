"""
Celery tasks that sign ledgers and copy checkpoints. A message is only a wake: if it is lost or
doubled, this only costs time.

Beat looks every few seconds for houses with something to sign. The end of a game or a gaming day
wakes a worker at once (`SIGNED`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from casino.engine.databases import storage_failure
from casino.engine.processes import registrations
from casino.engine.processes.queues import house_subscriber, waking
from casino.house.establishments import gaming_day, rounds
from casino.house.establishments.models import Establishment
from casino.proof.signing import copies, queries, signing
from ledger import lag
from ledger.checkpoints import INTEGRITY
from ledger.lag import lagging
from ledger.models import Subscription

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from ledger.wire import StoredEvent

GROW = "grow"
TREES = 3  # seconds; how often beat sends `watch_trees`
COPIES = 15  # seconds; how often beat sends `watch_copies`
STUCK = 10  # houses that cannot be signed that are tried again each time
COMPARED = 50  # houses in which nothing happens that are compared each time
OTHERS: dict[str, Callable[[UUID, datetime], object]] = {}
"""What signs ledgers that are of no house, by the name of the room that has them: `config.parts`
adds it, and it ignores the ids of others."""


def grow(establishment: UUID) -> bool:
    """Extend a house's tree, sign its head and send copies out. Called twice, it signs once."""
    house = Establishment.objects.filter(pk=establishment).first()
    if house is not None:
        signing.sign(house, timezone.now())
        _send_out(house)
        return False
    registrations.everything()
    for sign in OTHERS.values():
        sign(establishment, timezone.now())
    return False


@shared_task(name="casino.integrity.tasks.sign_next", acks_late=True)
def sign_next(**_newer: object) -> None:
    """Extend and sign the tree that has waited longest."""
    WAKES.serve()


WAKES = waking.Wakes("signing", {GROW: grow}, lambda _queue: sign_next.delay())


@shared_task(name="casino.integrity.tasks.copy", acks_late=True)
def copy(*, establishment: str, destination: str, **_newer: object) -> None:
    """Copy a house's newest checkpoint to one destination, so that none waits for another."""
    house = Establishment.objects.filter(pk=UUID(establishment)).first()
    if house is not None:
        copies.copy(house, copies.parse(destination), timezone.now())


@shared_task(name="casino.integrity.tasks.watch_trees", acks_late=True)
def watch_trees(**_newer: object) -> None:
    """Find the houses with something to sign, in case a wake was lost."""
    if storage_failure.resting():
        return
    behind = [each.establishment for each in lagging([INTEGRITY])]
    WAKES.wake(((GROW, house) for house in _worth_trying(behind, TREES)), top_up=True)


@shared_task(name="casino.integrity.tasks.watch_copies", acks_late=True)
def watch_copies(**_newer: object) -> None:
    """
    Find the copies that are due again, in the houses with something unread, and compare the ledgers
    of all others with what is kept outside, some each time: a ledger that was restored may be
    behind.
    """
    if storage_failure.resting():
        return
    in_turn = rounds.of_houses(timezone.now(), every=COPIES, most=COMPARED)
    listed = lag.unread_houses() if copies.from_settings() else []
    houses = dict.fromkeys([*_worth_trying(listed, COPIES), *in_turn])
    WAKES.wake((GROW, house) for house in houses)


def _worth_trying(houses: list[UUID], every: int) -> list[UUID]:
    """
    Without those that cannot be signed: some of them each time, in turn. If a thousand houses miss
    their keys, workers have something else to do than to find that out every few seconds.
    """
    if len(houses) <= STUCK:
        return houses
    stuck = queries.stuck().intersection(houses)
    again = rounds.of(stuck, timezone.now(), every=every, most=STUCK)
    return [*(house for house in houses if house not in stuck), *again]


def wake(*, establishment: UUID) -> None:
    """Wake a worker to sign. If the wake is lost, `watch_trees` finds the house within seconds."""
    WAKES.after_commit(establishment)


def _send_out(house: Establishment) -> None:
    due = copies.due(house, timezone.now())
    if due:  # it stays on the list until they are made (`copies.behind`)
        lag.put_on_list([house.pk])
    for each in due:
        copy.delay(establishment=str(house.pk), destination=each.text)


#
# Wakes a worker to sign at once when a game or a gaming day ends (B4: a checkpoint covers the
# close).
#
# This area of the subscriber `house` has no rows. When events are replayed, those that are signed
# already wake nobody.


ENDS: Final = frozenset({"table.game_closed", gaming_day.CLOSED})


def handle(event: StoredEvent) -> None:
    if event.event_type not in ENDS:
        return
    rows = Subscription.objects.filter(establishment=event.establishment, name=INTEGRITY.name)
    signed = rows.values_list("position", flat=True).first()
    if signed is None or signed < event.position:
        wake(establishment=event.establishment)


SIGNED: Final = house_subscriber.Area("integrity", handle, rows=())
