"""Changes of configuration as a kind of request for approval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy as _

from casino.house.acts import changes
from casino.kit.approvals import kinds
from casino.kit.approvals.kinds import Kind
from casino.settings.configuration import descriptions
from casino.settings.configuration import operations as configuration

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from casino.kit.approvals.requests import Request


def refusals(requests: Sequence[Request]) -> list[str]:
    """Why each requested change can be made no longer, because a value has changed since; or ""."""
    house = requests[0].house.pk
    ids: dict[str, set[str]] = {}
    for each in (each for request in requests for each in request.subject["changes"]):
        if not each["created"]:
            ids.setdefault(each["thing"], set()).add(each["id"])
    rows = {
        (thing, str(row.pk)): changes.state_of(row)
        for thing, known in ids.items()
        for row in changes.rows_at(house, configuration.THINGS[thing]).filter(pk__in=known)
    }
    return [_describe_move(request, rows) for request in requests]


def _describe_move(request: Request, rows: Mapping[tuple[str, str], Mapping[str, Any]]) -> str:
    for each in request.subject["changes"]:
        try:
            if not each["created"]:
                configuration.check_unmoved(each, rows[each["thing"], each["id"]])
        except configuration.ChangedMeanwhile as refused:
            return str(refused)
    return ""


REQUESTS: Final = {
    configuration.KIND: Kind(
        title=_("Configuration"),
        act="configure",
        carry_out=configuration.carry_out,
        rows=True,
        tells=kinds.each(descriptions.request),
        address=descriptions.address,
        refusals=refusals,
    ),
}
