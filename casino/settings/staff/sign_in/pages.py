"""The pages of signing in: name and password, then the second factor if there is one (D1, D2)."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from casino.house.attendants import (
    assurance,
    factors,
    known_browsers,
    lockout,
    passkeys,
    passwords,
    permissions,
    signins,
)
from casino.house.attendants.backend import end_of_lock, lock_sentence, welcome
from casino.house.attendants.models import Attendant, Factor
from casino.house.establishments.clock import show_times_of
from casino.kit.web.current_house import NoHouse, house_of
from casino.settings.staff import tablets
from casino.settings.staff.sign_in import demo_staff as staff
from casino.settings.staff.sign_in import middleware
from casino.words.languages import reader
from casino.words.languages.locales import moment
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.contrib.sessions.backends.base import SessionBase
    from django.http import HttpRequest, HttpResponse

What = signins.What

BACKEND: Final = "casino.house.attendants.backend.StaffBackend"
PENDING: Final = "pending"
"""Session key: the person who gave name and password, and not yet the second factor."""
HOLDS: Final = timedelta(minutes=10)
CHOOSING: Final = "choosing"
"""Session key: the person who gave a first password, and has not yet chosen their own."""
SESSION_ID: Final = "sitting"
"""Session key: an id of the session that stays the same when Django changes its key."""
CHALLENGE: Final = "passkey"
"""Session key: the challenge that a passkey has to sign; it is used once."""


class SignInForm(AuthenticationForm):
    """Django's form, with a message for a name that is locked out."""

    error_messages = {
        "invalid_login": _("No attendant has this name and password."),
        "inactive": _("No attendant has this name and password."),
    }

    def get_invalid_login_error(self) -> forms.ValidationError:
        now, place = timezone.now(), signins.where(self.request)
        name = self.cleaned_data.get("username", "")
        until = end_of_lock(name, place, now)
        if until is None:
            return super().get_invalid_login_error()
        return forms.ValidationError(lock_sentence(until, now), code="locked_out")


class SignIn(LoginView):
    template_name = "settings/sign_in/login.html"
    authentication_form = SignInForm

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Let a session by PIN open the sign-in page: here it becomes a full session."""
        self.redirect_authenticated_user = not middleware.on_the_floor(request)
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        tablet = tablets.tablet_of_cookie(self.request.COOKIES.get(tablets.COOKIE, ""))
        if tablet is not None:
            show_times_of(tablet.establishment)
        language = reader.language_asked_for(self.request)
        more = {
            "tablet": tablet,
            "requested_language": language,
            "coming": staff.COMING.is_set(),
            "past": staff.PAST,
        }
        return {**super().get_context_data(**kwargs), **more}

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        person, to = form.get_user(), self.get_success_url()
        assert isinstance(person, Attendant)  # noqa: S101 - of our own backend
        keep_language(person, reader.language_asked_for(self.request))
        if passwords.is_first(person):
            wait(self.request, person, to, under=CHOOSING)
            return redirect("first-password")
        if permissions.has_factor(person):
            wait_for_second_factor(self.request, person, to)
            return redirect("second-factor")
        enter(self.request, person, way="password")
        if permissions.second_factor_required() and permissions.approves_somewhere(person):
            return redirect(f"{reverse('me-factors')}?{urlencode({'next': to})}")
        return redirect(to)


def keep_language(person: Attendant, language: str) -> bool:
    """Set a person's language; False if there is no such language."""
    chosen = reader.code_if_spoken(language)
    if chosen:
        Attendant.objects.filter(pk=person.pk).update(language=chosen)
        person.language = chosen
    return bool(chosen)


class SignOut(LogoutView):
    def post(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(request.user, Attendant):
            floor = request.session.get(assurance.FLOOR)
            signins.note(
                What.SIGNED_OUT,
                at=timezone.now(),
                place=signins.where(request),
                person=request.user,
                house=UUID(floor["house"]) if floor else None,
            )
        return super().post(request, *args, **kwargs)

    def get_default_redirect_url(self) -> str:
        """The page after signing out: on a shared tablet the one for the next attendant's PIN."""
        shared = tablets.tablet_of_cookie(self.request.COOKIES.get(tablets.COOKIE, ""))
        return reverse("floor-attendant") if shared else super().get_default_redirect_url()


def tell_what_came_since(request: HttpRequest, person: Attendant) -> None:
    """Show a person who signs in what happened to their sign-in since the last time."""
    now, address = timezone.now(), signins.where(request).address
    rows = signins.last_signed_in(person, now, address)
    if not rows:
        return
    with suppress(NoHouse):
        show_times_of(house_of(request))
    listed = "; ".join(f"{row.get_what_display()}, {moment(row.at)}" for row in rows)
    sentence = _("Since you last came: %(told)s. If that was not you, tell a manager. D2")
    messages.warning(request, sentence % {"told": listed})


def enter(request: HttpRequest, person: Attendant, *, way: str, second_factor: str = "") -> None:
    """Begin a full session. It replaces any session in this browser, by PIN or in full."""
    request.session.flush()
    login(request, person, backend=BACKEND)
    assurance.begin_session(request.session, timezone.now(), idles=True)
    known_browsers.remember(request, person)
    tell_what_came_since(request, person)
    forget_wrong_pins(request, person)
    if second_factor:
        request.session[assurance.FACTOR] = second_factor
    signins.note(
        What.SIGNED_IN,
        at=timezone.now(),
        place=signins.where(request),
        person=person,
        way=second_factor or way,
    )


def forget_wrong_pins(request: HttpRequest, person: Attendant) -> None:
    """Unlock a person's PIN on this tablet, because they have signed in in full (D3)."""
    tablet = tablets.tablet_of_cookie(request.COOKIES.get(tablets.COOKIE, ""))
    if person.pin and tablet is not None:
        lockout.forget(lockout.pin(person, tablet.pk))


def session_id(session: SessionBase) -> str:
    """An id of the session that stays the same when Django changes the session's key."""
    return str(session.setdefault(SESSION_ID, token_hex(8)))


def wait_for_second_factor(request: HttpRequest, person: Attendant, to: str) -> None:
    """Store who gave the right name and password, and wait for the second factor."""
    wait(request, person, to, under=PENDING)


def wait(request: HttpRequest, person: Attendant, to: str, *, under: str) -> None:
    request.session.flush()
    request.session[under] = {
        "person": str(person.pk),
        "hash": person.get_session_auth_hash(),
        "until": (timezone.now() + HOLDS).isoformat(),
        "to": to,
    }


@dataclass(frozen=True, slots=True)
class Owed:
    """A person who has to give one more proof, and the page to which they go after it."""

    person: Attendant
    to: str
    entering: bool
    """Whether the proof begins a session; if not, it strengthens the present session."""


def sign_in_to_finish(request: HttpRequest) -> Owed | None:
    if request.session.get(PENDING):
        return waiting(request, PENDING)
    if isinstance(request.user, Attendant) and not middleware.on_the_floor(request):
        return Owed(request.user, next_of(request), entering=False)
    return None


def waiting(request: HttpRequest, under: str) -> Owed | None:
    """The person who gave the right password a short time ago and has not been cut off since."""
    pending = request.session.get(under)
    if not pending or datetime.fromisoformat(pending["until"]) <= timezone.now():
        return None
    person = Attendant.objects.filter(pk=pending["person"]).first()
    going_on = person and welcome(person) and _is_unchanged(person, pending)
    return Owed(person, pending["to"], entering=True) if person and going_on else None


def _is_unchanged(person: Attendant, pending: Mapping[str, str]) -> bool:
    """Whether neither the password nor the sign-in epoch has changed since it was given."""
    return constant_time_compare(pending.get("hash", ""), person.get_session_auth_hash())


def next_of(request: HttpRequest, otherwise: str = "start") -> str:
    """The page to go to next, from the request's ``next``, if it is one of our pages."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()})
    return wanted if wanted and ours else reverse(otherwise)


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def second_factor(request: HttpRequest) -> HttpResponse:
    """Ask for a code or a passkey: after the password, or before an act that needs it."""
    owes = sign_in_to_finish(request)
    if owes is None:
        return redirect("sign-in")
    if not permissions.has_factor(owes.person):
        return redirect(f"{reverse('me-factors')}?{urlencode({'next': owes.to})}")
    if request.method != "POST":
        return _challenge_page(request, owes)
    try:
        way = _proven_by(request, owes.person)
    except Refused as refused:
        return _challenge_page(request, owes, str(refused))
    if owes.entering:
        enter(request, owes.person, way=way, second_factor=way)
    else:
        request.session.cycle_key()
        request.session[assurance.FACTOR] = way
    return redirect(owes.to)


def _proven_by(request: HttpRequest, person: Attendant) -> str:
    """
    Check the second factor that was sent; returns its way: passkey, app or recovery.

    :raises Refused: if it is not valid.
    """
    now, place = timezone.now(), signins.where(request)
    if answer := request.POST.get("credential"):
        passkeys.take(
            person=person,
            host=request.get_host(),
            state=request.session.pop(CHALLENGE, None),
            answer=answer,
            place=place,
            now=now,
        )
        return "passkey"
    code = request.POST.get("code", "")
    return factors.take_code(person=person, code=code, place=place, now=now)


def _challenge_page(request: HttpRequest, owes: Owed, refused: str = "") -> HttpResponse:
    kinds = set(factors.of(owes.person).values_list("kind", flat=True))
    challenge = passkeys.begin_showing(owes.person, request.get_host())
    if challenge is not None:
        request.session[CHALLENGE] = challenge[1]
    context = {
        "person": owes.person,
        "app": Factor.Kind.APP in kinds,
        "passkey": json.dumps(challenge[0]) if challenge else "",
        "next": owes.to,
        "refused": refused,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return render(request, "settings/sign_in/second_factor.html", context, status=status)


# Choosing one's language: one tap, stored with the person.


@login_required
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Set the person's language, on every device from the next page on; a PIN session may do it."""
    assert isinstance(request.user, Attendant)  # noqa: S101 - signed in, by login_required
    if not keep_language(request.user, request.POST.get(reader.LANGUAGE_FIELD, "")):
        return HttpResponseBadRequest("There is no such language here.")
    return redirect(next_of(request))
