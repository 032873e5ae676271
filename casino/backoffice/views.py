"""The start page: today's figures, the worker's life, what runs and what was paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from casino.attendants import permissions
from casino.attendants.houses import choose, house_of
from casino.backoffice import today
from casino.establishments.clock import show_times_of
from casino.establishments.days import gaming_day
from casino.establishments.models import Establishment

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@login_required
@require_safe
@never_cache
def start(request: HttpRequest) -> HttpResponse:
    house = house_of(request)
    show_times_of(house)
    now = timezone.now()
    day = gaming_day(house, now)
    context = {
        "house": house,
        "houses": Establishment.objects.filter(pk__in=permissions.houses(request.user)),
        "gaming_day": day,
        "section": "today",
        "opens_admin": permissions.may(request.user, "audit", house.pk),
        "currency": house.currency_symbol,
        **today.shown(house, day, now),
    }
    return render(request, "backoffice/start.html", context)


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
