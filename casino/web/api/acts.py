"""What people do through the API: who, where, with which body; asked in this order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone

from casino.attendants import permissions
from casino.operations import acts
from casino.web.api import bodies, params
from casino.web.api.houses import own

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from rest_framework.request import Request


def begun(
    request: Request, establishment: UUID, may: permissions.Act, description: Mapping[str, Any]
) -> tuple[acts.Act, dict[str, Any]]:
    """
    An act at a house, and what its body says; the operation says what was asked.

    Whoever may not do it is told so, whatever they sent: 404, 403, and only then 400.

    :param may: what it takes; the operation asks again, for it has other callers.
    :param description: as `bodies.described` gives it, and as the API's description shows it.
    :raises Http404: if one does not work there.
    :raises NotYours: if one's role there does not let one.
    :raises Malformed: naming the field.
    """
    house = own(request, establishment)
    permissions.require(params.person(request), may, house)
    said = bodies.read(request, description)
    act = acts.Act(
        house=house,
        by=params.person(request),
        device=params.device(request),
        now=timezone.now(),
        command_id=said["command_id"],
        request={},
    )
    return act, said
