"""
What devices sent: the device log of a game (stream ``late/<game>``) and the sequence log.

It lists late entries, entries that an attendant dropped, and gaps in a device's numbers. Each of
them is identified by the stream version of the event that listed it. No event is ever removed.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Count, Max

from casino.house.acts import acts
from casino.play.devices.models import DeviceEntry
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
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


# The sequence log: every number that a device sent for a game, and the numbers it skipped (E5).
# A number is claimed, for one command and for ever, before the command is put. Gaps are found by
# comparing the log with the gaps on record. So if a process dies between the two, nothing goes
# unnoticed.


SEQ_MAX: Final = 10**5  # entries of a device in a game: no evening has as many


class SeqReused(Refused):
    code = "seq_reused"


def last_seq(establishment: UUID, game: UUID, device: str) -> int:
    """The highest number that a device sent for a game, 0 if none."""
    rows = DeviceEntry.objects.filter(establishment=establishment, game=game, device=device)
    last: int | None = rows.aggregate(last=Max("seq"))["last"]
    return last or 0


def claim(entry: DeviceEntry) -> bool:
    """
    Claim a device's number for a command; idempotent.

    :return: whether the number is new.
    :raises SeqReused: if the device used this number for another command.
    """
    try:
        with transaction.atomic():
            entry.save(force_insert=True)
    except IntegrityError:  # the entry was sent before, or twice at the same time
        known = _entry_id(entry)
        if known is None:
            raise
        if known != entry.command_id:
            raise SeqReused(
                f"This device sent another entry under number {entry.seq} before: drop this one and"
                " enter it again."
            ) from None
        return False
    return True


def _entry_id(entry: DeviceEntry) -> UUID | None:
    rows = DeviceEntry.objects.filter(
        establishment=entry.establishment_id, game=entry.game, device=entry.device, seq=entry.seq
    )
    return rows.values_list("command_id", flat=True).first()


def look_for_gaps(
    act: acts.Act, *, game: UUID, table: str, before: int, seqs: Sequence[int]
) -> None:
    """
    Compare the numbers that a device sent with the gaps on record, and record new and filled gaps.

    One query if no number is missing.

    :param act: whose device it is. :param before: the highest number before these were claimed.
    """
    house, device = act.house, act.device
    rows = DeviceEntry.objects.filter(establishment=house, game=game, device=device)
    counted = rows.aggregate(count=Count("seq"), last=Max("seq"))
    last = counted["last"] or 0
    if counted["count"] == last and all(seq > before for seq in seqs):
        return
    arrived = set(rows.values_list("seq", flat=True))
    on_record = load(house.pk, game)
    found, filled = (
        _find_gaps(on_record, device, arrived, last),
        _numbers_arrived(on_record, device, arrived),
    )
    if not found and not filled:
        return

    def decide() -> acts.Done:
        now = load(house.pk, game)
        about = {"game": str(game), "table": table, "device": device, "made_by": act.actor}
        events = [
            new_event(GAP_FILLED, game, {**about, "gap": gap, "numbers": numbers})
            for gap, numbers in _numbers_arrived(now, device, arrived)
        ]
        events += [
            new_event(GAP_FOUND, game, {**about, "first": first, "last": last})
            for first, last in _find_gaps(now, device, arrived, last)
        ]
        return acts.Done(guards={stream_of(game): now.version}, events=events)

    acts.perform(_act_of_notice(act, f"{game}/{device}/{found}/{filled}"), decide)


def _act_of_notice(act: acts.Act, seen: str) -> acts.Act:
    """
    The act that records gaps, in the name of the program.

    The person whose entry made a gap visible need not have skipped anything.
    """
    return replace(
        act,
        by=None,
        command_id=uuid.uuid5(act.house.pk, seen),
        request={"do": "look_for_gaps", "seen": seen},
    )


def _find_gaps(
    on_record: DeviceLog, device: str, arrived: set[int], last: int
) -> list[tuple[int, int]]:
    """Runs (first, last) of missing numbers that are in no gap on record."""
    noted: set[int] = set()
    for gap in on_record.gaps.values():
        if gap.device == device:
            noted |= set(range(gap.first, gap.last + 1))
    return list(_runs(sorted(set(range(1, last + 1)) - arrived - noted)))


def _numbers_arrived(
    on_record: DeviceLog, device: str, arrived: set[int]
) -> list[tuple[int, list[int]]]:
    """For each open gap, those of its numbers that have arrived since."""
    return [
        (number, sorted(gap.missing & arrived))
        for number, gap in on_record.gaps.items()
        if gap.device == device and gap.open and gap.missing & arrived
    ]


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    first = last = None
    for number in numbers:
        if last is not None and first is not None and number > last + 1:
            yield first, last
            first = number
        first = number if first is None else first
        last = number
    if first is not None and last is not None:
        yield first, last
