"""Which gaming day an effect belongs to: its cause's, as long as that one is not closed (B4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from casino.establishments import gaming_day

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ledger.entries import Entry
    from ledger.subscriptions import Handle, StreamVersions
    from ledger.wire import StoredEvent


def on_their_day(handle: Handle) -> Handle:
    """
    A subscriber's handler, its entries dated and guarded: what is booked while a day is being
    closed still belongs to that day; what is booked after is booked on the day it is, and names its
    cause.
    """

    def dated(event: StoredEvent, versions: StreamVersions) -> Sequence[Entry]:
        return [_dated(entry, versions) for entry in handle(event, versions)]

    return dated


def touching_the_day(
    touches: Callable[[StoredEvent], Iterable[str]],
) -> Callable[[StoredEvent], Iterable[str]]:
    """The day's stream is looked up together with the others of a batch."""

    def touched(event: StoredEvent) -> Iterable[str]:
        streams = tuple(touches(event))
        return (*streams, gaming_day.STREAM) if streams else ()

    return touched


def _dated(entry: Entry, versions: StreamVersions) -> Entry:
    data = entry.provenance
    today = gaming_day.of_effect(
        versions.establishment, data.gaming_day, version=versions[gaming_day.STREAM]
    )
    return replace(
        entry,
        guards={**entry.guards, **today.guards},
        provenance=replace(data, gaming_day=today.day),
    )
