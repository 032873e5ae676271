"""Choosing one's language: one tap, stored with the person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.http import HttpResponseBadRequest
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from casino.house.attendants.models import Attendant
from casino.settings.staff.sign_in.pages import keep_language, next_of
from casino.words.languages import reader

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@login_required
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Set the person's language, on every device from the next page on; a PIN session may do it."""
    assert isinstance(request.user, Attendant)  # noqa: S101 - signed in, by login_required
    if not keep_language(request.user, request.POST.get(reader.LANGUAGE_FIELD, "")):
        return HttpResponseBadRequest("There is no such language here.")
    return redirect(next_of(request))
