"""First passwords: a person who was given one can only choose a password of their own (D2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.hashers import check_password
from django.core.exceptions import ValidationError
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from casino.house.attendants import permissions, signins
from casino.kit.web.forms import status_of
from casino.settings.staff.sign_in.invited import PASSWORD_HELP
from casino.settings.staff.sign_in.pages import CHOOSING, enter, wait_for_second_factor, waiting

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from casino.house.attendants.models import Attendant


class OwnPasswordForm(SetPasswordForm):  # type: ignore[type-arg]  # generic in the stubs alone
    """Django's form for a new password, which refuses the first password."""

    def __init__(self, person: Attendant, *args: object) -> None:
        super().__init__(person, *args)
        self.fields["new_password1"].help_text = PASSWORD_HELP
        self._first = person.password

    def clean_new_password1(self) -> str:
        chosen: str = self.cleaned_data["new_password1"]
        if check_password(chosen, self._first):
            raise ValidationError(_("This is the first one: choose another. D2"))
        return chosen


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def first_password(request: HttpRequest) -> HttpResponse:
    owes = waiting(request, CHOOSING)
    if owes is None:
        return redirect("sign-in")
    person = owes.person
    form = OwnPasswordForm(person, request.POST if request.method == "POST" else None)
    if not form.is_valid():
        context = {"form": form, "person": person}
        return render(
            request, "settings/sign_in/first_password.html", context, status=status_of(form)
        )
    form.save()
    now, place = timezone.now(), signins.where(request)
    signins.note(signins.What.PASSWORD_CHANGED, at=now, place=place, person=person)
    if permissions.has_factor(person):
        wait_for_second_factor(request, person, owes.to)
        return redirect("second-factor")
    enter(request, person, way="password")
    return redirect(owes.to)
