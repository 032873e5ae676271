"""One request for approval, folded from its stream ``request/<uuid>``."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from casino.house.establishments.models import Establishment
    from ledger.wire import StoredEvent

REQUESTED = "approval.requested"
APPROVED = "approval.approved"
REJECTED = "approval.rejected"
WITHDRAWN = "approval.withdrawn"
DONE_ALONE = "approval.done_alone"
REVIEWED = "approval.reviewed"


class State(StrEnum):
    WAITING = "waiting"
    APPROVED = "approved"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
    ALONE = "alone"
    """Done alone by the asker, because nobody else could approve: to be reviewed (D1b)."""


ENDS = {
    APPROVED: State.APPROVED,
    REJECTED: State.REJECTED,
    WITHDRAWN: State.WITHDRAWN,
    DONE_ALONE: State.ALONE,
}


class NoSuchRequest(Refused):
    code = "no_such_request"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """
    What somebody requested, and its outcome. People are attendant ids, texts are tokens.

    :param subject: what it is about, in JSON values that the kind defines.
    :param amount: whole coins, if it is about money.
    :param beneficiaries: attendants who would be paid; they must not decide.
    :param players: tokens of players who would be paid; staff who are these players must not decide
        either.
    :param position: in the ledger, of the event that asked.
    :param version: the version of its stream: how many events it has.
    """

    house: Establishment
    id: uuid.UUID
    kind: str
    subject: Mapping[str, Any]
    reason: str
    asked_by: str
    asked_at: datetime
    amount: int | None = None
    beneficiaries: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    state: State = State.WAITING
    decided_by: str | None = None
    decided_at: datetime | None = None
    decision: str = ""
    """The reason for the decision, as a token; "" if nobody gave one."""
    reviewed_by: str | None = None
    position: int = 0
    version: int = 1

    @property
    def stream(self) -> str:
        return stream_of(self.id)


def stream_of(request: uuid.UUID) -> str:
    return f"request/{request}"


def id_of(establishment: uuid.UUID, command_id: uuid.UUID) -> uuid.UUID:
    """The id of the request that a command makes: the same one however often it arrives."""
    return uuid.uuid5(establishment, f"request/{command_id}")


def new_event(request: uuid.UUID, event_type: str, data: Mapping[str, Any]) -> journal.NewEvent:
    """A new event for a request's stream."""
    return journal.NewEvent(
        stream=stream_of(request), event_type=event_type, schema_version=1, data=data
    )


def state(house: Establishment, request_id: uuid.UUID) -> Request:
    """
    A request in its present state, from the ledger.

    :raises NoSuchRequest: if the house has no request with that id.
    """
    events = journal.stream(establishment=house.pk, stream=stream_of(request_id))
    if not events or events[0].event_type != REQUESTED:  # the stream of a void has only the review
        raise NoSuchRequest(f"There is no request {request_id} at {house}. C1")
    return fold(house, events)


def fold(house: Establishment, events: Sequence[StoredEvent]) -> Request:
    first, *later = events
    request = open_request(house, first)
    for event in later:
        request = evolve(request, event)
    return request


def open_request(house: Establishment, event: StoredEvent) -> Request:
    data = event.data
    return Request(
        house=house,
        id=uuid.UUID(event.stream.partition("/")[2]),
        kind=data["kind"],
        subject=data["subject"],
        reason=data["reason"],
        asked_by=data["asked_by"],
        asked_at=event.provenance.recorded_at,
        amount=data["amount"],
        beneficiaries=tuple(data["beneficiaries"]),
        players=tuple(data["players"]),
        position=event.position,
    )


def evolve(request: Request, event: StoredEvent) -> Request:
    """The request after a later event of its stream."""
    request = replace(request, version=event.stream_version)
    if event.event_type == REVIEWED:
        return replace(request, reviewed_by=event.data["reviewed_by"])
    return replace(
        request,
        state=ENDS[event.event_type],
        decided_by=event.provenance.actor,
        decided_at=event.provenance.recorded_at,
        decision=event.data["reason"],
    )
