"""The pages of one's own sign-in: second factors, PIN, password (D2, D3)."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import segno
from django import forms
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.db import transaction
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.attendants import (
    assurance,
    factors,
    known_browsers,
    lockout,
    passkeys,
    permissions,
    pins,
    signins,
)
from casino.house.attendants.models import Attendant, SignIn, StraySignIn
from casino.kit.web.listings.pages import of_rows
from casino.kit.web.pages import Page, office
from casino.settings.staff.listings import SIGN_INS
from casino.settings.staff.operations import cut_off, end_tokens
from casino.settings.staff.sign_in.first_password import PASSWORD_HELP
from casino.settings.staff.sign_in.pages import CHALLENGE, enter, next_of, session_id
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from django.db.models import QuerySet
    from django.http import HttpResponse

What = signins.What

ENROLLING: Final = "enrolling"
"""Session key: the secret of an authenticator app that has not shown a code yet."""
UNFIT: Final = HTTPStatus.UNPROCESSABLE_ENTITY
SECTION: Final = "me"


def try_password(page: Page, check: Callable[[], str]) -> str:
    """
    Check the person's own password; tries are limited, as when signing in, and noted (D2).

    :param check: returns the password. :raises ValidationError: if it is wrong, or tries are over.
    """
    tried = lockout.own_password(page.person, session_id(page.request.session))
    place = signins.where(page.request)

    def noted(what: SignIn.What) -> None:
        signins.note(what, at=page.now, place=place, person=page.person, way="password")

    try:
        last = lockout.spend(tried, page.now)
        password = check()
    except lockout.LockedOut as locked:
        noted(What.LOCKED)
        raise forms.ValidationError(f"{locked} D2") from None
    except forms.ValidationError:
        noted(What.WRONG_PASSWORD)
        if last:
            noted(What.LOCKED)
        raise
    lockout.right([tried])
    return password


class PinForm(forms.Form):
    """A new PIN, for whoever knows the password: it also signs for payouts (D3, A7)."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    pin = forms.CharField(
        label=gettext_lazy("PIN, 4 to 8 digits"),
        max_length=pins.MOST,
        widget=forms.PasswordInput(
            attrs={"inputmode": "numeric", "autocomplete": "new-password", "pattern": "[0-9]*"}
        ),
        help_text=gettext_lazy(
            "With it you take over a floor tablet, and sign for what a second person approves."
        ),
    )
    again = forms.CharField(
        label=gettext_lazy("Once more"),
        max_length=pins.MOST,
        widget=forms.PasswordInput(
            attrs={"inputmode": "numeric", "autocomplete": "new-password", "pattern": "[0-9]*"}
        ),
    )

    def __init__(self, page: Page) -> None:
        super().__init__(page.sent)
        self._page = page

    def clean_password(self) -> str:
        return try_password(self._page, self._check)

    def _check(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self._page.person.check_password(password):
            raise forms.ValidationError(_("This is not your password."))
        return password

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "pin" in cleaned and "again" in cleaned and cleaned["pin"] != cleaned["again"]:
            self.add_error("again", _("The two are not the same."))
        return cleaned


class PasswordForm(PasswordChangeForm):
    """Django's form; tries at the old password are limited, as when signing in (D2)."""

    def __init__(self, page: Page) -> None:
        super().__init__(page.person, page.request.POST if page.posted else None)
        self.fields["new_password1"].help_text = PASSWORD_HELP
        self._page = page

    def clean_old_password(self) -> str:
        return try_password(self._page, super().clean_old_password)


@office("look", section=SECTION, oneself=True)
def me(page: Page) -> HttpResponse:
    person = page.person
    mine: QuerySet[Any] = StraySignIn.objects.filter(attendant=person)
    if page.mine:
        mine = SignIn.objects.filter(establishment=page.house, attendant=person)
    context = {
        "factors": factors.of(person),
        "codes_left": factors.codes_left(person),
        "approves": permissions.approves_somewhere(person),
        "records": page.may("record"),
        "sign_ins": of_rows(
            page,
            SIGN_INS,
            mine.select_related("attendant", "by").order_by("-at", "-id")[:10],
            without=("who",),
        ),
    }
    return page.show("settings/sign_in/me.html", context)


# --- Second factors -------------------------------------------------------------------------------


@office("look", section=SECTION, oneself=True)
def me_factors(page: Page) -> HttpResponse:
    """Which second factor to set up: an app or a passkey."""
    context = {
        "next": next_of(page.request, "me"),
        "passkeys": passkeys.possible(page.request.get_host()),
        "port": page.request.get_host().rpartition(":")[2],
        "factors": factors.of(page.person),
        "required": permissions.approves_somewhere(page.person),
    }
    return page.show("settings/sign_in/me_factors.html", context)


def proven(page: Page) -> None:
    """
    Check that a person who has a second factor has shown it, before factors are added or removed.

    :raises SecondFactorNeeded: if they have not shown it in this session.
    """
    proven_by_factor = assurance.FACTOR in page.request.session
    if permissions.has_factor(page.person) and not proven_by_factor:
        raise permissions.SecondFactorNeeded("Show the second factor you have first. D2")


@office("look", section=SECTION, oneself=True)
def me_app(page: Page) -> HttpResponse:
    """Add an authenticator app: shows its secret as a QR code and as text, then takes a code."""
    proven(page)
    session = page.request.session
    secret = session.get(ENROLLING) or factors.new_secret()
    session[ENROLLING] = secret
    refused = ""
    if page.posted:
        try:
            factors.add_app(
                person=page.person,
                secret=secret,
                code=page.request.POST.get("code", ""),
                name=page.request.POST.get("name", "").strip()[:60],
                place=signins.where(page.request),
                now=page.now,
            )
        except Refused as why:
            refused = str(why)
        else:
            del session[ENROLLING]
            return finish_factor(page, "app")
    address = factors.address(secret, page.person)
    picture = segno.make(address, error="m").svg_inline(scale=5, border=2, omitsize=True)
    context = {
        "picture": picture,
        "secret": " ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
        "address": address,
        "next": next_of(page.request, "me"),
        "refused": refused,
    }
    return page.show(
        "settings/sign_in/me_app.html", context, status=UNFIT if refused else HTTPStatus.OK
    )


@office("look", section=SECTION, oneself=True)
def me_passkey(page: Page) -> HttpResponse:
    """Add a passkey: the browser makes it, the house stores its public key."""
    proven(page)
    request, refused = page.request, ""
    if page.posted:
        try:
            passkeys.add(
                person=page.person,
                host=request.get_host(),
                state=request.session.pop(CHALLENGE, None),
                answer=request.POST.get("credential", ""),
                name=request.POST.get("name", "").strip()[:60],
                place=signins.where(request),
                now=page.now,
            )
        except Refused as why:
            refused = str(why)
        else:
            return finish_factor(page, "passkey")
    options, state = passkeys.begin_adding(page.person, request.get_host())
    request.session[CHALLENGE] = state
    context = {
        "options": json.dumps(options),
        "possible": passkeys.possible(request.get_host()),
        "next": next_of(request, "me"),
        "refused": refused,
    }
    return page.show(
        "settings/sign_in/me_passkey.html", context, status=UNFIT if refused else HTTPStatus.OK
    )


def finish_factor(page: Page, way: str) -> HttpResponse:
    """Finish adding a factor: the session counts as proven, and a first factor gives codes."""
    page.request.session.cycle_key()
    page.request.session[assurance.FACTOR] = way
    if factors.codes_left(page.person):
        messages.success(page.request, _("The second factor is set up."))
        return redirect(next_of(page.request, "me"))
    return recovery_codes(page)


def recovery_codes(page: Page) -> HttpResponse:
    codes = factors.new_codes(person=page.person, place=signins.where(page.request), now=page.now)
    return page.show(
        "settings/sign_in/me_codes.html", {"codes": codes, "next": next_of(page.request, "me")}
    )


@office("look", section=SECTION, oneself=True)
def me_codes(page: Page) -> HttpResponse:
    """Make new recovery codes; earlier codes become invalid."""
    proven(page)
    if not page.posted or not permissions.has_factor(page.person):
        return redirect("me")
    return recovery_codes(page)


@office("look", section=SECTION, oneself=True)
def me_remove(page: Page, factor: UUID) -> HttpResponse:
    proven(page)
    if page.posted:
        own = get_object_or_404(factors.of(page.person), pk=factor)
        factors.remove(factor=own, place=signins.where(page.request), now=page.now)
        only_here(page)
        messages.success(page.request, _("%(name)s is taken away.") % {"name": own.name})
    return redirect("me")


# --- PIN, password, everywhere else ---------------------------------------------------------------


@office("look", section=SECTION, post="record")
def me_pin(page: Page) -> HttpResponse:
    form = PinForm(page)
    if form.is_valid():
        try:
            pins.set_pin(
                person=page.person,
                pin=form.cleaned_data["pin"],
                place=signins.where(page.request),
                now=page.now,
            )
        except Refused as why:
            form.add_error("pin", str(why))
        else:
            return page.done(_("Your PIN is set."), "me")
    context = {"form": form, "title": _("PIN for floor tablets"), "button": _("Set the PIN")}
    return page.show("settings/sign_in/me_form.html", context)


@office("look", section=SECTION, oneself=True)
def me_password(page: Page) -> HttpResponse:
    form = PasswordForm(page)
    if form.is_valid():
        with transaction.atomic():
            form.save()
            end_tokens(page.person)
        update_session_auth_hash(page.request, page.person)
        known_browsers.remember(page.request, page.person)
        signins.note(
            What.PASSWORD_CHANGED,
            at=page.now,
            place=signins.where(page.request),
            person=page.person,
        )
        done = _("Your password is changed. Other devices and programs are signed out.")
        return page.done(done, "me")
    context = {"form": form, "title": _("Password"), "button": _("Change the password")}
    return page.show("settings/sign_in/me_form.html", context)


@office("look", section=SECTION, oneself=True)
def me_everywhere(page: Page) -> HttpResponse:
    """Sign out on every other device, and revoke the tokens of programs."""
    if page.posted:
        only_here(page)
        messages.success(page.request, _("You are signed in here and nowhere else."))
    return redirect("me")


def only_here(page: Page) -> None:
    """
    End all sessions and tokens of the person except this session.

    So a factor that was removed has not proven any other session.
    """
    here = page.request.session.get(assurance.FACTOR, "")
    place = signins.where(page.request)
    cut_off(person=page.person, place=place, now=page.now, pin=False)
    again = Attendant.objects.get(pk=page.person.pk)
    enter(page.request, again, way="password", second_factor=here)
