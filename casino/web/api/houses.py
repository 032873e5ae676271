"""The house that an address names, for whoever works there and may look at what lies behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404

from casino.attendants import permissions
from casino.establishments.models import Establishment
from casino.platform import logs
from casino.pseudonyms import tokens
from casino.web.api import params

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from uuid import UUID

    from rest_framework.request import Request

OVERSEEING: tuple[permissions.Act, ...] = ("approve", "audit")
"""Supervisors, managers and auditors, for `own`."""


def own(request: Request, establishment: UUID, *sees: permissions.Act) -> Establishment:
    """
    The house, if one works there; 404 if not.

    :param sees: whoever may do one of these there may look; without any, all its staff.
    :raises NotYours: if one's role there lets one do none of them.
    """
    roles = permissions.roles(params.person(request))
    house = get_object_or_404(Establishment, pk=establishment, pk__in=roles)
    if sees and not any(roles[house.pk] in permissions.ALLOWED[act] for act in sees):
        raise permissions.NotYours(f"Your role at {house} does not let you see this. D1")
    logs.at_house(house.pk)
    return house


def role_at(request: Request, house: Establishment) -> str:
    """One's role at a house that one works for."""
    return permissions.roles(params.person(request))[house.pk]


def resolved(
    house: Establishment, rows: Iterable[Mapping[str, Any]], *names: str
) -> list[dict[str, Any]]:
    """The rows, with names and texts for the tokens in these fields: all of them read at once."""
    items = [dict(row) for row in rows]
    texts = tokens.resolve(house.pk, [[row[name] for name in names] for row in items])
    return [
        {**row, **dict(zip(names, found, strict=True))}
        for row, found in zip(items, texts, strict=True)
    ]
