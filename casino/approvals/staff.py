"""Who at a house could approve, and who would be paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.attendants import permissions
from casino.attendants.models import Employment
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Collection
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.approvals.requests import Request
    from casino.attendants.permissions import Act

EMPLOYMENTS = "record/employment"
"""The stream in which who works here leaves its history: a leaver approves nothing (D1)."""


def version(establishment: UUID) -> dict[str, int]:
    """A guard: whoever is taken on or let go meanwhile must not be missed."""
    return journal.versions(establishment=establishment, streams=[EMPLOYMENTS])


def able(establishment: UUID, act: Act) -> QuerySet[Employment]:
    """Who works at the house in a role that allows the act; a superuser has none (D1b)."""
    return Employment.objects.filter(
        establishment_id=establishment,
        until__isnull=True,
        role__in=permissions.ALLOWED[act],
        attendant__is_active=True,
        attendant__is_superuser=False,
    )


def others(establishment: UUID, act: Act, but: Collection[str]) -> bool:
    """Whether anybody but these, by id, could do it at the house."""
    return able(establishment, act).exclude(attendant_id__in=list(but)).exists()


def payees(request: Request) -> list[str]:
    """The attendants who would be paid, by id: as told, and those who are players to be paid."""
    return sorted({*request.beneficiaries, *who_play(request.house.pk, request.players)})


def who_play(establishment: UUID, players: Collection[str]) -> set[str]:
    """The people who work at a house and are one of these players there, by token (D1b)."""
    if not players:
        return set()
    employed = Employment.objects.filter(
        establishment_id=establishment, until__isnull=True, player__in=players
    )
    return {str(person) for person in employed.values_list("attendant_id", flat=True)}
