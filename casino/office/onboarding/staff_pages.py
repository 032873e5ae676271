"""Set-up page of the staff: invites people, each by a link (D1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid5

from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.attendants.models import Employment, Role
from casino.kit.web.forms import ActForm
from casino.kit.web.pages import Page, office
from casino.office.onboarding import csv_lists
from casino.office.onboarding import operations as onboarding
from casino.office.onboarding.frame import SECTION, step
from casino.settings.staff import invitations
from casino.settings.staff.invitation_pages import NAME_MOST, link_of
from games.refusals import Refused

if TYPE_CHECKING:
    from django.http import HttpResponse

PEOPLE_MOST = 60


class StaffStep(ActForm):
    people = forms.CharField(
        label=gettext_lazy("Names and roles, one a line"),
        widget=forms.Textarea(attrs={"rows": 6, "placeholder": "Mira Solano, attendant"}),
        help_text=gettext_lazy(
            "Roles: attendant, supervisor, manager, auditor. Everybody gets a link by which they"
            " set name and password themselves."
        ),
    )

    def clean_people(self) -> list[tuple[str, Role]]:
        lines = self.cleaned_data["people"].splitlines()
        found = [_read(number, line) for number, line in enumerate(lines, 1) if line.strip()]
        if len(found) > PEOPLE_MOST:
            raise ValidationError(_("At most %(most)s at once.") % {"most": PEOPLE_MOST})
        return found


def _read(number: int, line: str) -> tuple[str, Role]:
    """
    The name and the role of a line.

    :raises ValidationError: if the line is not valid; the message names it.
    """
    name, _comma, written = line.rpartition(",")
    name, role = name.strip(), csv_lists.role(written.strip())
    if role is None or not name:
        raise ValidationError(
            _("Line %(line)s: a name, a comma and a role, as Mira Solano, attendant.")
            % {"line": number}
        )
    if len(name) > NAME_MOST:
        raise ValidationError(
            _("Line %(line)s: a name has at most %(most)s letters.")
            % {"line": number, "most": NAME_MOST}
        )
    return name, role


@office("configure", section=SECTION)
def staff(page: Page) -> HttpResponse:
    """Invite people; their links are shown with the answer, and never again (D1)."""
    form = StaffStep(page.sent)
    links = []
    if form.is_valid():
        try:
            links = _invitations(page, form)
        except Refused as refused:
            form.refuse(page.why(refused))
        else:
            onboarding.record_step(page.house, "staff")
            form = StaffStep()
    people = Employment.objects.filter(establishment=page.house, until__isnull=True)
    context = {"form": form, "links": links, "people": people.select_related("attendant")}
    return step(page, "staff", context)


@transaction.atomic
def _invitations(page: Page, form: StaffStep) -> list[dict[str, Any]]:
    """Make all invitations or none, because a link that is never shown is useless."""
    made = []
    for number, (name, role) in enumerate(form.cleaned_data["people"]):
        _offer, secret = invitations.invite(
            house=page.house,
            name=name,
            role=role,
            by=page.person,
            now=page.now,
            key=uuid5(form.act_id, str(number)),
        )
        made.append({"name": name, "role": role.label, "link": link_of(page, secret)})
    return made
