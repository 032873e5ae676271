"""The start page: today's figures, the worker's life, what runs and what was paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from casino.approvals import queries as approvals
from casino.attendants import permissions
from casino.attendants.houses import choose
from casino.backoffice import today
from casino.backoffice.pages import Page, office
from casino.establishments.models import Establishment

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
@office("look", section="today")
def start(page: Page) -> HttpResponse:
    context = {
        **today.shown(page.house, page.day, page.now),
        "second_people": approvals.second_people(page.house),
        "proof": today.proof(page.house, page.now) if page.may("audit") else None,
    }
    return page.show("backoffice/start.html", context)


@login_required
@require_POST
def choose_house(request: HttpRequest) -> HttpResponse:
    """Look at another of the houses that employ this person."""
    mine = Establishment.objects.filter(pk__in=permissions.houses(request.user))
    chosen = next((house for house in mine if str(house.pk) == request.POST.get("house")), None)
    if chosen is None:
        raise Http404("There is no such house of yours.")
    choose(request, chosen)
    return redirect("start")
