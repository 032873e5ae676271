"""A person's first password: chosen by an invitation, or instead of one that was given (D1, D2)."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.hashers import check_password
from django.core.exceptions import ValidationError
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from casino.house.attendants import passwords, permissions, signins
from casino.house.attendants.models import Attendant
from casino.house.attendants.pseudonyms import tokens
from casino.kit.web.current_house import choose
from casino.kit.web.forms import blame, status_of
from casino.settings.staff import invitations
from casino.settings.staff.sign_in import middleware
from casino.settings.staff.sign_in.pages import CHOOSING, enter, wait_for_second_factor, waiting
from games.refusals import Refused

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from casino.house.attendants.models import Employment, Invitation


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


# The page that the link of an invitation opens (D1).


PASSWORD_HELP = gettext_lazy(
    "At least 12 characters, of any kind; no common password, and not like your name."
)
"""What AUTH_PASSWORD_VALIDATORS check, in one sentence."""


class NewcomerForm(forms.Form):
    """A new sign-in: the person chooses user name and password."""

    username = forms.CharField(
        label=gettext_lazy("Name to sign in with"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )
    first_name = forms.CharField(label=gettext_lazy("First name"), max_length=150)
    last_name = forms.CharField(label=gettext_lazy("Last name"), max_length=150, required=False)
    password = forms.CharField(
        label=gettext_lazy("Password"),
        max_length=passwords.MOST,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=PASSWORD_HELP,
    )
    again = forms.CharField(
        label=gettext_lazy("Password, once more"),
        max_length=passwords.MOST,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("password") and cleaned.get("password") != cleaned.get("again"):
            self.add_error("again", _("The two are not the same."))
        return cleaned


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def accept_invitation(request: HttpRequest) -> HttpResponse:
    """Accept an invitation. Its key is in the query: paths are logged, queries are not."""
    key = request.GET.get("key", "")
    try:
        invitation = invitations.find(key, timezone.now())
        known = isinstance(request.user, Attendant) and not middleware.on_the_floor(request)
        if request.method == "POST" and known:
            return _accept(request, key)
        form = NewcomerForm(
            request.POST if request.method == "POST" else None,
            initial={"first_name": _name(invitation)},
        )
        if form.is_valid():
            return _sign_up(request, key, invitation, form)
    except Refused as refused:
        context = {"refused": str(refused)}
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return render(request, "settings/sign_in/invitation.html", context, status=status)
    return _form_page(request, invitation, form, known=known)


def _accept(request: HttpRequest, key: str) -> HttpResponse:
    person = permissions.person_of(request)
    return _welcome(request, invitations.accept(secret=key, person=person, now=timezone.now()))


def _sign_up(
    request: HttpRequest, key: str, invitation: Invitation, form: NewcomerForm
) -> HttpResponse:
    wanted = {name: value for name, value in form.cleaned_data.items() if name != "again"}
    try:
        employment = invitations.accept_as_new(secret=key, now=timezone.now(), **wanted)
    except forms.ValidationError as error:
        blame(form, error, "password")
        return _form_page(request, invitation, form, known=False)
    enter(request, employment.attendant, way="password")
    return _welcome(request, employment)


def _welcome(request: HttpRequest, employment: Employment) -> HttpResponse:
    choose(request, employment.establishment)
    house = {"house": employment.establishment}
    messages.success(request, _("You work at %(house)s now.") % house)
    person = employment.attendant
    if employment.role in permissions.ALLOWED["approve"] and not permissions.has_factor(person):
        return redirect("me-factors")
    return redirect("start")


def _name(invitation: Invitation) -> str:
    return str(tokens.resolve(invitation.establishment_id, invitation.name))


def _form_page(
    request: HttpRequest, invitation: Invitation, form: NewcomerForm, *, known: bool
) -> HttpResponse:
    context = {
        "invitation": invitation,
        "name": _name(invitation),
        "form": form,
        "known": known,
        "sign_in": f"{reverse('sign-in')}?{urlencode({'next': request.get_full_path()})}",
    }
    return render(request, "settings/sign_in/invitation.html", context, status=status_of(form))
