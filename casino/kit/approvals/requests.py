"""
One request for approval, folded from its stream ``request/<uuid>``; and which people at a house
could approve it, or would be paid by it.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from casino.house.acts.game_streams.loading import load_all
from casino.house.attendants import permissions
from casino.house.attendants.models import Employment
from games.refusals import Refused
from ledger import journal, recent

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.attendants.permissions import Act
    from casino.house.establishments.models import Establishment
    from casino.kit.approvals.models import RequestRow
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


# Which people at a house could approve a request, and which would be paid by it.


EMPLOYMENTS = "record/employment"
"""The stream with the history of employments: somebody who has left approves nothing (D1)."""


def employment_guard(establishment: UUID) -> dict[str, int]:
    """A guard for an append: nobody may be employed or leave between reading and appending."""
    return journal.versions(establishment=establishment, streams=[EMPLOYMENTS])


def people_able(establishment: UUID, act: Act) -> QuerySet[Employment]:
    """Employees of the house whose role allows the act; a superuser has no role (D1b)."""
    return Employment.objects.filter(
        establishment_id=establishment,
        until__isnull=True,
        role__in=permissions.ALLOWED[act],
        attendant__is_active=True,
        attendant__is_superuser=False,
    )


def others_able(establishment: UUID, act: Act, but: Collection[str]) -> bool:
    """Whether anybody except these people, by id, could do the act at the house."""
    return people_able(establishment, act).exclude(attendant_id__in=list(but)).exists()


def payees(request: Request) -> list[str]:
    """
    The attendants who would be paid, by id: the named beneficiaries, and staff who are players to
    be paid.
    """
    return sorted({*request.beneficiaries, *who_play(request.house.pk, request.players)})


def people_concerned(house: Establishment, rows: Iterable[RequestRow]) -> dict[UUID, set[str]]:
    """
    Whose money or role each request concerns, from the ledger, as the person who decides is
    checked. Three queries, however many requests.

    :returns: for each request, the attendants by id.
    """
    listed = list(rows)
    games = load_all(house.pk, {row.game for row in listed if row.game})
    streams = {stream_of(row.id): row for row in listed if not row.game}
    events = recent.after(house.pk, dict.fromkeys(streams, 0))
    folded = {streams[name].id: fold(house, came) for name, came in events.items()}
    players = {each.id: set(each.players) for each in folded.values()}
    players |= {row.id: set(games[row.game].stakes) for row in listed if row.game in games}
    people = _people(house.pk, set().union(*players.values()))
    return {
        row.id: {
            *(folded[row.id].beneficiaries if row.id in folded else ()),
            *(person for player in players.get(row.id, ()) for person in people.get(player, ())),
        }
        for row in listed
    }


def who_play(establishment: UUID, players: Collection[str]) -> set[str]:
    """The people who work at a house and are one of these players there, by token (D1b)."""
    return set().union(*_people(establishment, players).values())


def _people(establishment: UUID, players: Collection[str]) -> dict[str, set[str]]:
    """For each of these players who works there, the attendants by id."""
    if not players:
        return {}
    employed = Employment.objects.filter(
        establishment_id=establishment, until__isnull=True, player__in=players
    )
    found: dict[str, set[str]] = {}
    for player, person in employed.values_list("player", "attendant_id"):
        found.setdefault(player, set()).add(str(person))
    return found
