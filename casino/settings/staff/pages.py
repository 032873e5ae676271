"""The page of the people of a house: who works there, in which role, and who is invited (D1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from django import forms
from django.contrib.auth.password_validation import validate_password

from casino.house.acts import changes
from casino.house.attendants import permissions
from casino.house.attendants.models import Attendant, Employment, Role
from casino.house.attendants.pseudonyms import tokens
from casino.kit.web.listings.pages import page_with_list
from casino.kit.web.pages import Page, office
from casino.settings.staff import appointments, invitations
from casino.settings.staff.listings import PEOPLE

if TYPE_CHECKING:
    from django.http import HttpResponse

    from casino.house.establishments.models import Establishment
    from casino.kit.approvals.models import RequestRow

SECTION: Final = "people"


@office("audit", section=SECTION)
def people(page: Page) -> HttpResponse:
    """Who works here, and who is invited."""
    return page_with_list(page, PEOPLE, "settings/staff/people.html", lambda: _context(page))


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


# The form with which somebody is hired.


class HireForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs alone
    """Hires a new person with a first password, or somebody who already signs in elsewhere."""

    username = forms.CharField(
        max_length=150, help_text="What they sign in with. Somebody who has one keeps it."
    )
    first_name = forms.CharField(max_length=150, required=False)
    last_name = forms.CharField(max_length=150, required=False)
    password = forms.CharField(
        widget=forms.PasswordInput(render_value=False),
        required=False,
        label="First password",
        help_text="For somebody new; they change it themselves.",
    )

    class Meta:
        model = Employment
        fields: ClassVar = ["establishment", "role"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        username, house = cleaned.get("username", ""), cleaned.get("establishment")
        if house and changes.wants_two(house):
            self.add_error(None, "A second person approves who is taken on: invite them. C1")
        self.known = Attendant.objects.filter(username=username).first()
        if self.known is None and username:
            person = Attendant(username=username)
            self._check("password", lambda: validate_password(cleaned["password"], person))
            self._check("username", lambda: person.clean_fields(exclude=["password"]))
        elif self.known and self._is_employed(self.known, house):
            self.add_error("username", "They work at this house already: change their role there.")
        return cleaned

    def _check(self, field: str, check: Any) -> None:
        try:
            check()
        except forms.ValidationError as invalid:
            self.add_error(field, invalid.messages)

    @staticmethod
    def _is_employed(person: Attendant, establishment: Establishment | None) -> bool:
        here = Employment.objects.filter(establishment=establishment, until__isnull=True)
        return here.filter(attendant=person).exists()
