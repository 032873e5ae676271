"""The page of odds: choose a game, its options and, if dice lie on the table, these dice."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino.house.attendants import permissions
from casino.house.establishments.clock import show_times_of
from casino.house.establishments.gaming_day import current
from casino.house.establishments.models import Establishment
from casino.kit.web.current_house import house_of
from casino.play.dice.odds import forms, translation
from casino.play.dice.odds.house_query import query_of
from casino.play.dice.odds.queries import GAMES, answer
from casino.words.presenters.opening.fields import UNIT
from games.refusals import Malformed, Refused

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@login_required
@require_safe
def first(request: HttpRequest) -> HttpResponse:
    del request
    return redirect("odds-of", next(iter(GAMES)))


@login_required
@require_safe
@never_cache
def odds(request: HttpRequest, game: str) -> HttpResponse:
    """
    The odds of a game for a query; without a query, by the house's own options and home throw.

    Of options beyond those that odds are worked out for the page says so. A point is worth
    what it is at the house, if the query does not say.
    """
    if game not in GAMES:
        raise Http404("No odds are known of such a game.")
    house = house_of(request)
    context = {**about(request, house), "subject": GAMES[game], "games": GAMES.values()}
    usual, is_beyond = query_of(house, game, timezone.now())
    unit = {name: value for name, value in usual.items() if name == UNIT}
    asked = forms.raw(GAMES[game].fields, request.GET)
    raw = {**unit, **(asked or usual)}
    context["is_beyond"] = is_beyond and not asked
    context["form"] = forms.form_context(game, GAMES[game].fields, raw, usual)
    try:
        context["answer"] = translation.answer(answer(game, raw))
    except (Malformed, Refused) as wrong:
        context["refused"] = forms.refusal(game, GAMES[game].fields, str(wrong))
    status = HTTPStatus.UNPROCESSABLE_ENTITY if "refused" in context else HTTPStatus.OK
    return render(request, "odds/index.html", context, status=status)


def about(request: HttpRequest, house: Establishment) -> dict[str, Any]:
    show_times_of(house)
    return {
        "house": house,
        "houses": Establishment.objects.filter(pk__in=permissions.houses(request.user)),
        "gaming_day": current(house, timezone.now()),
        "section": "odds",
        "opens_admin": permissions.may(request.user, "audit", house.pk),
    }
