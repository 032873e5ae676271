"""The form with which somebody is hired."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib.auth.password_validation import validate_password

from casino.house.acts import changes
from casino.house.attendants.models import Attendant, Employment

if TYPE_CHECKING:
    from casino.house.establishments.models import Establishment


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
