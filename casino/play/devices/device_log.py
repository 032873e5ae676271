"""
The device log: what devices sent that is in no game (stream ``late/<game>``), folded.

It lists late entries, entries that an attendant dropped, and gaps in a device's numbers. Each of
them is identified by the stream version of the event that listed it. No event is ever removed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from uuid import UUID

    from ledger.wire import StoredEvent

LISTED: Final = "late.listed"
REFUSED: Final = "late.refused"
PUT: Final = "late.put"
DISMISSED: Final = "late.dismissed"
DROPPED: Final = "late.dropped"
GAP_FOUND: Final = "late.gap_found"
GAP_FILLED: Final = "late.gap_filled"
GAP_CLOSED: Final = "late.gap_closed"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A late entry that waits for a supervisor; `tries`: how often the rules refused it."""

    data: Mapping[str, Any]
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Gap:
    """Missing numbers of a device. A gap that a person closed stays closed, whatever arrives."""

    device: str
    first: int
    last: int
    filled: frozenset[int] = frozenset()
    closed: bool = False

    @property
    def missing(self) -> set[int]:
        return set(range(self.first, self.last + 1)) - self.filled

    @property
    def open(self) -> bool:
        return not self.closed and bool(self.missing)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceLog:
    """The device log of a game: the late entries that still wait, and all gaps, by their number."""

    version: int = 0
    waiting: Mapping[int, Waiting] = field(default_factory=dict)
    gaps: Mapping[int, Gap] = field(default_factory=dict)


def stream_of(game: UUID | str) -> str:
    return f"late/{game}"


def load(establishment: UUID, game: UUID) -> DeviceLog:
    return fold(journal.stream(establishment=establishment, stream=stream_of(game)))


def fold(events: Iterable[StoredEvent]) -> DeviceLog:
    waiting: dict[int, Waiting] = {}
    gaps: dict[int, Gap] = {}
    version = 0
    for event in events:
        version, data = event.stream_version, event.data
        match event.event_type:
            case kind if kind == LISTED:
                waiting[version] = Waiting(data)
            case kind if kind == REFUSED:
                entry = waiting[data["entry"]]
                waiting[data["entry"]] = replace(entry, tries=entry.tries + 1)
            case kind if kind in {PUT, DISMISSED}:
                del waiting[data["entry"]]
            case kind if kind == GAP_FOUND:
                gaps[version] = Gap(data["device"], data["first"], data["last"])
            case kind if kind == GAP_FILLED:
                gap = gaps[data["gap"]]
                gaps[data["gap"]] = replace(gap, filled=gap.filled | set(data["numbers"]))
            case kind if kind == GAP_CLOSED:
                gaps[data["gap"]] = replace(gaps[data["gap"]], closed=True)
    return DeviceLog(version=version, waiting=waiting, gaps=gaps)


def new_event(event_type: str, game: UUID | str, data: Mapping[str, Any]) -> journal.NewEvent:
    return journal.NewEvent(
        stream=stream_of(game), event_type=event_type, schema_version=1, data=data
    )
