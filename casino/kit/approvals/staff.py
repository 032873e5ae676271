"""Which people at a house could approve a request, and which would be paid by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.house.acts.game_streams.loading import load_all
from casino.house.attendants import permissions
from casino.house.attendants.models import Employment
from casino.kit.approvals import requests
from ledger import journal, recent

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.attendants.permissions import Act
    from casino.house.establishments.models import Establishment
    from casino.kit.approvals.models import RequestRow
    from casino.kit.approvals.requests import Request

EMPLOYMENTS = "record/employment"
"""The stream with the history of employments: somebody who has left approves nothing (D1)."""


def version(establishment: UUID) -> dict[str, int]:
    """A guard for an append: nobody may be employed or leave between reading and appending."""
    return journal.versions(establishment=establishment, streams=[EMPLOYMENTS])


def able(establishment: UUID, act: Act) -> QuerySet[Employment]:
    """Employees of the house whose role allows the act; a superuser has no role (D1b)."""
    return Employment.objects.filter(
        establishment_id=establishment,
        until__isnull=True,
        role__in=permissions.ALLOWED[act],
        attendant__is_active=True,
        attendant__is_superuser=False,
    )


def others(establishment: UUID, act: Act, but: Collection[str]) -> bool:
    """Whether anybody except these people, by id, could do the act at the house."""
    return able(establishment, act).exclude(attendant_id__in=list(but)).exists()


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
    streams = {requests.stream_of(row.id): row for row in listed if not row.game}
    events = recent.after(house.pk, dict.fromkeys(streams, 0))
    folded = {streams[name].id: requests.fold(house, came) for name, came in events.items()}
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
