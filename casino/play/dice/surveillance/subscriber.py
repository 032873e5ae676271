"""The subscription `surveillance`, which monitors every throw of a house."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celery.exceptions import SoftTimeLimitExceeded

from casino.play.dice.surveillance.alarms import SUBSCRIPTION_NAME
from casino.play.dice.surveillance.batch_processing import ROWS, batch
from ledger import subscriptions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from ledger.entries import Entry
    from ledger.subscriptions import StreamVersions
    from ledger.wire import StoredEvent


def handle(event: StoredEvent, versions: StreamVersions) -> Sequence[Entry]:
    """Process a single event, as a batch of one."""
    with batch(event.establishment, [event]) as taken:
        return taken(event, versions)


def forget(establishment: UUID) -> None:
    for model in ROWS:
        model._default_manager.filter(establishment=establishment).delete()  # noqa: SLF001


SURVEILLANCE = subscriptions.Subscriber(
    name=SUBSCRIPTION_NAME,
    handle=handle,
    forget=forget,
    transient=(SoftTimeLimitExceeded,),
    batch=batch,
)
