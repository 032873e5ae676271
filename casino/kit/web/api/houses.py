"""
The house that an address of the API names: found for people who work there and may see the content,
and acts at it begun: house, then permission, then body are checked.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from django.shortcuts import get_object_or_404
from django.utils import timezone

from casino.engine.scale.replicas import place as replicas
from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.clock import show_times_of
from casino.house.establishments.models import Establishment
from casino.kit.web.api import bodies, params

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


# Starts an act through the API: checks the house, then the permission, then the body.


def begin_act(
    request: Request, establishment: UUID, may: permissions.Act, description: Mapping[str, Any]
) -> tuple[acts.Act, dict[str, Any]]:
    """
    The act of a request at a house, and the fields of its body.

    The act's own `request` is empty: the operation fills it. Errors come in the order 404, 403,
    400, so people without permission learn nothing about what they sent.

    :param may: the permission needed; the operation checks it again, because it has other callers.
    :param description: the body as made by `bodies.describe_body`; the API's description shows it
    too.
    :raises Http404: if the person does not work at the house.
    :raises NotYours: if the person's role there does not permit the act.
    :raises Malformed: naming the field that is not valid.
    """
    house = own(request, establishment)
    permissions.require(params.person(request), may, house)
    body = bodies.read(request, description)
    act = acts.Act(
        house=house,
        by=params.person(request),
        device=params.device(request),
        now=timezone.now(),
        command_id=body["command_id"],
        request={},
    )
    return act, body
