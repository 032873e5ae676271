"""The pages that invite people to work at a house, and revoke an invitation (D1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django import forms
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import changes
from casino.house.attendants.models import Invitation, Role
from casino.kit.web.forms import ActForm
from casino.kit.web.pages import REFUSALS, Page, office
from casino.settings.staff import appointments, invitations
from casino.settings.staff.pages import SECTION

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse

NAME_MOST: Final = 80  # letters


class InviteForm(ActForm):
    name = forms.CharField(
        label=gettext_lazy("Name, as you know them"),
        max_length=NAME_MOST,
        help_text=gettext_lazy("They choose themselves what they sign in with."),
    )
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role.choices)
    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=200,
        help_text=gettext_lazy("For the second person, who approves it. C1"),
    )

    def __init__(self, *args: Any, two: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not two:
            del self.fields["reason"]


@office("configure", section=SECTION)
def invite(page: Page) -> HttpResponse:
    """Invite somebody; the link is shown with the answer to the form, and never again."""
    two = changes.wants_two(page.house)
    form = InviteForm(page.sent, two=two)
    if not form.is_valid():
        return page.show("settings/staff/invite.html", {"form": form, "two": two})
    given = form.cleaned_data
    try:
        offer = appointments.invite(
            page.act(form.act_id),
            name=given["name"],
            role=Role(given["role"]),
            reason=given.get("reason", ""),
        )
    except REFUSALS as refused:
        return page.refused(refused, "people")
    context = {
        "invitation": offer.invitation,
        "name": given["name"],
        "link": link_of(page, offer.secret),
        "request_id": offer.request,
    }
    return page.show("settings/staff/invited.html", context)


def link_of(page: Page, secret: str) -> str:
    """The address of an invitation, to be given to the person who is invited."""
    key = urlencode({"key": secret})
    return page.request.build_absolute_uri(f"{reverse('invitation')}?{key}")


@office("audit", section=SECTION, post="configure")
def revoke(page: Page, invitation: UUID) -> HttpResponse:
    if not page.posted:
        return redirect("people")
    row = get_object_or_404(Invitation, pk=invitation, establishment=page.house)
    return page.put(
        lambda: invitations.revoke(invitation=row, by=page.person, now=page.now),
        _("The invitation is called back; its link opens nothing."),
        "people",
    )
