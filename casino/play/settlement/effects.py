"""The gaming day of a booking: the day of its cause, as long as that day is not closed (B4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from casino.house.establishments import gaming_day

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ledger.entries import Entry
    from ledger.subscriptions import Handle, StreamVersions
    from ledger.wire import StoredEvent


def on_their_day(handle: Handle) -> Handle:
    """
    Wrap a subscriber's handler, so that its entries get their gaming day and a guard on it.

    An entry that is appended while the day of its cause is being closed still belongs to that day.
    A later entry belongs to the current day, and names its cause.
    """

    def dated(event: StoredEvent, versions: StreamVersions) -> Sequence[Entry]:
        return [_date_entry(entry, versions) for entry in handle(event, versions)]

    return dated


def touching_the_day(
    touches: Callable[[StoredEvent], Iterable[str]],
) -> Callable[[StoredEvent], Iterable[str]]:
    """Add the stream of the gaming day to the streams that are looked up for a batch."""

    def touched(event: StoredEvent) -> Iterable[str]:
        streams = tuple(touches(event))
        return (*streams, gaming_day.STREAM) if streams else ()

    return touched


def _date_entry(entry: Entry, versions: StreamVersions) -> Entry:
    data = entry.provenance
    today = gaming_day.of_effect(
        versions.establishment, data.gaming_day, version=versions[gaming_day.STREAM]
    )
    return replace(
        entry,
        guards={**entry.guards, **today.guards},
        provenance=replace(data, gaming_day=today.day),
    )
