"""Finds the house that an address names, for people who work there and may see the content."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from django.shortcuts import get_object_or_404

from casino.engine.scale.replicas import place as replicas
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.clock import show_times_of
from casino.house.establishments.models import Establishment
from casino.kit.web.api import params

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from uuid import UUID

    from rest_framework.request import Request

Answer = TypeVar("Answer")
OVERSEEING: tuple[permissions.Act, ...] = ("approve", "audit")
"""Supervisors, managers and auditors, for `own`."""


def own(request: Request, establishment: UUID, *sees: permissions.Act) -> Establishment:
    """
    The house, if the person works there; 404 if not. What the answer says to people it says by the
    house's clock and in its coin.

    :param sees: people who may do one of these acts there may look; without any, all its staff.
    :raises NotYours: if the person's role there permits none of them.
    """
    roles = permissions.roles(params.person(request))
    house = get_object_or_404(Establishment, pk=establishment, pk__in=roles)
    if sees and not any(roles[house.pk] in permissions.ALLOWED[act] for act in sees):
        raise permissions.NotYours(f"Your role at {house} does not let you see this. D1")
    show_times_of(house)
    return house


def from_replica(get: Callable[..., Answer]) -> Callable[..., Answer]:
    """
    Decorate a `get` about a house that decides and writes nothing: a replica may be read for it
    (`casino.engine.scale.replicas`). At which houses the person works, the primary has said before.
    """

    @wraps(get)
    def method(
        view: Any, request: Request, establishment: UUID, *args: Any, **named: Any
    ) -> Answer:
        person = params.person(request)
        permissions.roles(person)

        def answer() -> Answer:
            return get(view, request, establishment, *args, **named)

        return replicas.page(answer, house=establishment, person=person.pk)

    return method


def role_at(request: Request, house: Establishment) -> str:
    """The person's role at a house that they work for."""
    return permissions.roles(params.person(request))[house.pk]


def with_names(
    house: Establishment, rows: Iterable[Mapping[str, Any]], *names: str
) -> list[dict[str, Any]]:
    """The rows with names and texts instead of the tokens in these fields, all read at once."""
    items = [dict(row) for row in rows]
    texts = tokens.resolve(house.pk, [[row[name] for name in names] for row in items])
    return [
        {**row, **dict(zip(names, found, strict=True))}
        for row, found in zip(items, texts, strict=True)
    ]
