"""Who records a game, as a board shows it: this device, another one, or nobody yet."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from casino.kit.approvals.queries import names
from casino.play.devices import heartbeats, leases, sequence_log
from casino.play.devices.models import LateRow
from casino.words.languages import locales
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID

    from ledger.wire import StoredEvent


def lease(establishment: UUID, game: UUID, device: str, now: datetime) -> dict[str, Any]:
    """
    The recording lease of a game, as one device is shown it.

    ``term``, ``mine``, ``held``, ``by`` (a name), ``since`` (by the house's clock), ``heard``
    (seconds since the recording device was heard of, None if nobody records; ``silence`` is the
    same in words); ``lost``: the lease was taken over from this device, and ``waiting`` of its
    entries wait for a supervisor; ``takeovers``: lines for the log.
    """
    taken = journal.stream(establishment=establishment, stream=leases.stream_of(game))
    standing = leases.read(taken)
    lost = standing.is_taken_from(device)
    people = names({each.provenance.actor for each in taken})
    silent = heartbeats.silent_for(establishment, game, now) if standing.held else None
    return {
        "term": standing.term,
        "mine": standing.is_of(device),
        "held": standing.held,
        "by": people.get(standing.by, ""),
        "since": locales.clock(standing.since) if standing.since else "",
        "heard": silent,
        "silence": locales.duration(timedelta(seconds=silent or 0)),
        "lost": lost,
        "waiting": waiting(establishment, game, device) if lost else 0,
        "takeovers": [_line(each, people) for each in leases.handovers(taken)],
    }


def takeovers(establishment: UUID, game: UUID) -> list[dict[str, Any]]:
    """The takeovers of a game: one line for the log each time another device took the lease."""
    taken = journal.stream(establishment=establishment, stream=leases.stream_of(game))
    people = names({each.provenance.actor for each in taken})
    return [_line(each, people) for each in leases.handovers(taken)]


def waiting(establishment: UUID, game: UUID, device: str) -> int:
    """How many entries of a device wait for a supervisor."""
    rows = LateRow.objects.filter(establishment=establishment, game=game, device=device)
    return rows.filter(state=LateRow.State.WAITING).count()


def device(establishment: UUID, game: UUID, name: str) -> dict[str, Any]:
    """The last number that a device used for a game, from which its numbering continues."""
    return {"last_seq": sequence_log.last_seq(establishment, game, name)}


def _line(event: StoredEvent, people: Mapping[str, str]) -> dict[str, Any]:
    who = people.get(event.provenance.actor, "")
    return {
        "position": event.position,
        "kind": "lease",
        "at": event.provenance.recorded_at,
        "sentence": _("%(name)s took the recording over on another device") % {"name": who},
    }
