"""
Recording leases: the one device that holds the lease of a game may record the game, and
what a board shows of it.

The lease is a stream of the ledger. Each time a device takes the lease, that is an event. The
number of these events is the *term* of the lease; at term 0 nobody has taken it yet. A command of
play from a floor device is guarded by the term under which it was made, so the database refuses a
command from a lapsed lease, whoever is faster.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.kit.approvals.queries import names
from casino.play.devices import device_log
from casino.play.devices.models import Heard, LateRow
from casino.words.languages import locales
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
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


# Heartbeats: when the device that records a game was last heard of, taken from its polls.


EVERY: Final = timedelta(seconds=10)  # the least time between two heartbeats that are written
QUIET: Final = (30, 120, 600, 3600)  # seconds of silence at which other devices are told


def note_poll(establishment: UUID, game: UUID, device: str, now: datetime) -> int:
    """
    Handle a device's poll of its game: if the device records the game, the poll is a heartbeat.

    :return: for another device, how long the recording device has been quiet, in steps of `QUIET`
        (what is shown changes with the step). 0 for the recording device, and if nobody records.
        One query.
    """
    rows = Heard.objects.filter(establishment=establishment, game=game)
    row = rows.first()
    if row is None:
        return 0
    # heard_at may be in the future, if the clock was set back since: hence the absolute value.
    silence = abs(now - row.heard_at)
    if row.device == device:
        if silence >= EVERY:
            rows.filter(device=device).update(heard_at=now)  # no row if just taken over
        return 0
    return sum(silence.total_seconds() >= each for each in QUIET)


def silent_for(establishment: UUID, game: UUID, now: datetime) -> int | None:
    """Seconds since the recording device was last heard of; None if it never was."""
    rows = Heard.objects.filter(establishment=establishment, game=game)
    last = rows.values_list("heard_at", flat=True).first()
    return None if last is None else max(0, round((now - last).total_seconds()))


# Who records a game, as a board shows it: this device, another one, or nobody yet.


def lease_on_board(establishment: UUID, game: UUID, device: str, now: datetime) -> dict[str, Any]:
    """
    The recording lease of a game, as one device is shown it.

    ``term``, ``mine``, ``held``, ``by`` (a name), ``since`` (by the house's clock), ``heard``
    (seconds since the recording device was heard of, None if nobody records; ``silence`` is the
    same in words); ``lost``: the lease was taken over from this device, and ``waiting`` of its
    entries wait for a supervisor; ``takeovers``: lines for the log.
    """
    taken = journal.stream(establishment=establishment, stream=stream_of(game))
    standing = read(taken)
    lost = standing.is_taken_from(device)
    people = names({each.provenance.actor for each in taken})
    silent = silent_for(establishment, game, now) if standing.held else None
    return {
        "term": standing.term,
        "mine": standing.is_of(device),
        "held": standing.held,
        "by": people.get(standing.by, ""),
        "since": locales.clock(standing.since) if standing.since else "",
        "heard": silent,
        "silence": locales.duration(timedelta(seconds=silent or 0)),
        "lost": lost,
        "waiting": late_waiting(establishment, game, device) if lost else 0,
        "takeovers": [_line(each, people) for each in handovers(taken)],
    }


def takeovers(establishment: UUID, game: UUID) -> list[dict[str, Any]]:
    """The takeovers of a game: one line for the log each time another device took the lease."""
    taken = journal.stream(establishment=establishment, stream=stream_of(game))
    people = names({each.provenance.actor for each in taken})
    return [_line(each, people) for each in handovers(taken)]


def late_waiting(establishment: UUID, game: UUID, device: str) -> int:
    """How many entries of a device wait for a supervisor."""
    rows = LateRow.objects.filter(establishment=establishment, game=game, device=device)
    return rows.filter(state=LateRow.State.WAITING).count()


def device(establishment: UUID, game: UUID, name: str) -> dict[str, Any]:
    """The last number that a device used for a game, from which its numbering continues."""
    return {"last_seq": device_log.last_seq(establishment, game, name)}


def _line(event: StoredEvent, people: Mapping[str, str]) -> dict[str, Any]:
    who = people.get(event.provenance.actor, "")
    return {
        "position": event.position,
        "kind": "lease",
        "at": event.provenance.recorded_at,
        "sentence": _("%(name)s took the recording over on another device") % {"name": who},
    }
