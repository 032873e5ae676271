"""The page of the people of a house: who works there, in which role, and who is invited (D1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from casino.house.attendants import permissions
from casino.house.attendants.models import Employment, Role
from casino.house.attendants.pseudonyms import tokens
from casino.kit.web.listings.pages import page_with_list
from casino.kit.web.pages import Page, office
from casino.settings.staff import appointments, invitations
from casino.settings.staff.listings import PEOPLE

if TYPE_CHECKING:
    from django.http import HttpResponse

    from casino.kit.approvals.models import RequestRow

SECTION: Final = "people"


@office("audit", section=SECTION)
def people(page: Page) -> HttpResponse:
    """Who works here, and who is invited."""
    return page_with_list(page, PEOPLE, "staff/people.html", lambda: _context(page))


def _context(page: Page) -> dict[str, Any]:
    """What the page shows beside its list: who is invited, and what needs attention."""
    invited = list(invitations.open_at(page.house, page.now))
    requested = list(appointments.waiting(page.house, appointments.INVITATION))
    names = [[row.name for row in invited], [row.subject["name"] for row in requested]]
    invited_names, requested_names = tokens.resolve(page.house.pk, names)
    managers = Employment.objects.filter(
        establishment=page.house, role=Role.MANAGER, until__isnull=True
    )
    return {
        "invitations": [
            {"row": row, "name": name} for row, name in zip(invited, invited_names, strict=True)
        ],
        "requested": [
            {"id": row.id, "name": name, "role": role_asked_for(row)}
            for row, name in zip(requested, requested_names, strict=True)
        ],
        "managers": managers.count(),
        "offered": not permissions.second_factor_required(),
        "acts": page.may("configure"),
    }


def role_asked_for(row: RequestRow) -> str:
    """The label of the role that a request would give."""
    return str(Role(row.subject.get("after") or row.subject["role"]).label)
