"""
Recording leases: the one device that holds the lease of a game may record the game.

The lease is a stream of the ledger. Each time a device takes the lease, that is an event. The
number of these events is the *term* of the lease; at term 0 nobody has taken it yet. A command of
play from a floor device is guarded by the term under which it was made, so the database refuses a
command from a lapsed lease, whoever is faster.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.play.devices.models import Heard
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from uuid import UUID

    from ledger.wire import StoredEvent

TAKEN: Final = "lease.taken"
HANDED_OVER: Final = "game.handed_over"
EXEMPT: Final = frozenset({"approve", "reject", "resolve", "witness", "dispute", "handover"})
"""Commands of a second person: they may come from any device, whichever device records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """
    The recording lease of a game: which device records it.

    :param term: how often the lease was taken. :param device: which has it; "" at term 0.
    :param by: the id of the person who took it. :param before: devices that had it earlier.
    """

    term: int = 0
    device: str = ""
    by: str = ""
    since: datetime | None = None
    before: frozenset[str] = frozenset()

    @property
    def held(self) -> bool:
        return self.term > 0

    def is_of(self, device: str) -> bool:
        return self.held and self.device == device

    def lets(self, device: str) -> bool:
        """Whether this device may record now: it has the lease, or nobody has."""
        return not self.held or self.device == device

    def is_taken_from(self, device: str) -> bool:
        return self.held and self.device != device and device in self.before


def stream_of(game: UUID | str) -> str:
    return f"lease/{game}"


def standing(establishment: UUID, game: UUID) -> Lease:
    """The current lease of a game, read from the ledger; one query."""
    return read(journal.stream(establishment=establishment, stream=stream_of(game)))


def read(taken: list[StoredEvent]) -> Lease:
    """The lease, folded from the events that took it."""
    if not taken:
        return Lease()
    *earlier, last = taken
    return Lease(
        term=last.stream_version,
        device=last.data["device"],
        by=last.provenance.actor,
        since=last.provenance.recorded_at,
        before=frozenset(each.data["device"] for each in earlier),
    )


def handovers(taken: list[StoredEvent]) -> Iterator[StoredEvent]:
    """The events by which the lease went from one device to another."""
    return (each for each in taken if each.data["from"])


def take(act: acts.Act, *, game: UUID, table: str, free_only: bool = False) -> Lease:
    """
    Take the lease: the act's device records the game from now on. No event if it already does.

    :param free_only: take the lease only if no device has it.
    :raises NotYours: if the person may not record play at the house.
    """
    if act.by is not None:
        permissions.require(act.by, "record", act.house)
    stream = stream_of(game)

    def decide() -> acts.Done:
        lease = standing(act.house.pk, game)
        if lease.is_of(act.device) or (free_only and lease.held):
            return acts.Done()
        data = {"game": str(game), "table": table, "device": act.device, "from": lease.device}
        event = journal.NewEvent(stream=stream, event_type=TAKEN, schema_version=1, data=data)
        return acts.Done(guards={stream: lease.term}, events=[event])

    acts.perform(act, decide)
    lease = standing(act.house.pk, game)
    if lease.is_of(act.device):
        heard(act.house.pk, game, act.device, act.now)
    return lease


def move_with_handover(
    act: acts.Act, *, game: UUID, table: str, happened: Iterable[StoredEvent]
) -> None:
    """
    Move the lease to the device on which a person signed for a table (B3).

    :param act: its command id is derived from the command's id, so sending twice changes nothing.
    :param happened: the events of the command.
    """
    if any(event.event_type == HANDED_OVER for event in happened):
        take(act, game=game, table=table)


def heard(establishment: UUID, game: UUID, device: str, now: datetime) -> None:
    """Write the heartbeat of the device that records a game."""
    Heard.objects.update_or_create(
        establishment_id=establishment, game=game, defaults={"device": device, "heard_at": now}
    )
