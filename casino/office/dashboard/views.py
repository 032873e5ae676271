"""The views of the start page, and of choosing a house."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from casino.house.attendants import permissions
from casino.house.establishments.models import Establishment
from casino.kit.web.current_house import choose
from casino.kit.web.pages import Page, office

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
@office("look", section="today", from_replica=True)
def start(page: Page) -> HttpResponse:
    """The start page. A poll gets only its parts, or 304 if nothing has changed."""
    # Imported here, because the redirect of people who are not signed in does not need it.
    from casino.kit.web import etags  # noqa: PLC0415 - as said
    from casino.office.dashboard import page as today  # noqa: PLC0415 - as said

    etag = today.mark(page)
    asks_itself = page.request.headers.get("HX-Request") == "true"
    if asks_itself and (same := etags.not_modified(page.request, etag)):
        return same
    template = "office/dashboard/_parts.html" if asks_itself else "office/dashboard/index.html"
    answer = page.show(template, {**today.page_context(page), "etag": etag})
    if asks_itself:
        answer.headers["ETag"] = etag
    return answer


@login_required
@require_POST
def choose_house(request: HttpRequest) -> HttpResponse:
    """Switch to another of the houses that employ this person."""
    mine = Establishment.objects.filter(pk__in=permissions.houses(request.user))
    chosen = next((house for house in mine if str(house.pk) == request.POST.get("house")), None)
    if chosen is None:
        raise Http404("There is no such house of yours.")
    choose(request, chosen)
    return redirect("start")
