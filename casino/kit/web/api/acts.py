"""Starts an act through the API: checks the house, then the permission, then the body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone

from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.kit.web.api import bodies, params
from casino.kit.web.api.houses import own

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from rest_framework.request import Request


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
