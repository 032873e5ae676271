"""People of a house: who works there, as what, and who is invited (D1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.attendants import lockout, permissions
from casino.attendants.models import Role
from casino.platform import lookalikes
from casino.pseudonyms import tokens as pseudonyms
from casino.staff import access, appointments, invitations
from casino.web.pages import Page, office

if TYPE_CHECKING:
    from django.http import HttpResponse

    from casino.approvals.models import RequestRow

SECTION: Final = "people"


@office("audit", section=SECTION)
def people(page: Page) -> HttpResponse:
    now = page.now
    staff = [each for each in access.listing(page.house, now) if each.role]
    players = pseudonyms.resolve(page.house.pk, [each.employment.player for each in staff])
    invited = list(invitations.open_at(page.house, now))
    asked = list(appointments.waiting(page.house, appointments.INVITATION))
    tokens = [[row.name for row in invited], [row.subject["name"] for row in asked]]
    invited_names, asked_names = pseudonyms.resolve(page.house.pk, tokens)
    locked = lockout.locked(now)
    context = {
        "staff": [
            {
                "access": each,
                "role": Role(each.role).label,
                "approves": each.role in permissions.ALLOWED["approve"],
                "locked": each.person.pk in locked,
                "player": player,
                "own": each.person.pk == page.person.pk,
            }
            for each, player in zip(staff, players, strict=True)
        ],
        "invitations": [
            {"row": row, "name": name} for row, name in zip(invited, invited_names, strict=True)
        ],
        "asked": [
            {"id": row.id, "name": name, "role": role_asked_for(row)}
            for row, name in zip(asked, asked_names, strict=True)
        ],
        "alike": lookalikes.namesakes({each.person.pk: str(each.person) for each in staff}),
        "managers": sum(each.role == Role.MANAGER for each in staff),
        "offered": not permissions.second_factor_required(),
        "acts": page.may("configure"),
    }
    return page.show("staff/people.html", context)


def role_asked_for(row: RequestRow) -> str:
    """The role that a request would give, as pages call it."""
    return str(Role(row.subject.get("after") or row.subject["role"]).label)
