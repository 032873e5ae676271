"""Suggests players for a seat from a few letters; the name fields of seats ask for it."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from django.http import Http404, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino.floor.tables.opening import people
from casino.house.attendants import permissions
from casino.house.establishments.gaming_day import current
from casino.house.establishments.models import Table
from casino.play.exclusions import operations as exclusions

if TYPE_CHECKING:
    from collections.abc import Collection
    from uuid import UUID

    from django.http import HttpRequest

LETTERS_MOST: Final = 80  # as many as a name may have
TYPED: Final = ""
"""In place of a token: the name as far as it is typed."""


@require_safe
@never_cache
def players(request: HttpRequest, table: UUID) -> HttpResponse:
    """
    At most eight players as
    ``{"players": [{"name": "Ada", "lately": true, "waits": "", "warning": ""}]}``.

    `letters` is what was typed; with fewer than two letters only people who sat at this table
    lately are named; `waits` says of who waits for the game here that they do. People who are
    excluded today are left out (P1), and so are those who sit
    there now. Who may be an excluded person under another spelling is not left out: `warning` says
    so of each, and beside `players` of what was typed. 401 if signed out, 403 if the person records
    nothing at the house, 404 if there is no such table.
    """
    if not request.user.is_authenticated:
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
    mine = Table.objects.filter(establishment__in=permissions.houses(request.user))
    here = mine.select_related("establishment").filter(pk=table).first()
    if here is None:
        raise Http404("There is no such table at your houses.")
    permissions.require(request.user, "record", here.establishment)
    letters = request.GET.get("letters", "")[:LETTERS_MOST]
    now = timezone.now()
    playing = people.running(here)
    waiting = people.waiting_for(playing, now)
    found = people.suggest(here, letters, now=now, playing=playing, first=waiting)
    names = {TYPED: letters} | {each.token: each.name for each in found}
    day = current(here.establishment, now)
    perhaps = exclusions.spellings_of_exclusions(here.establishment_id, names, day)
    players = [
        {
            "name": each.name,
            "lately": each.lately,
            "waits": _("waits") if each.token in waiting else "",
            "warning": _warning(perhaps.get(each.token, ())),
        }
        for each in found
    ]
    return JsonResponse({"players": players, "warning": _warning(perhaps.get(TYPED, ()))})


def _warning(excluded: Collection[str]) -> str:
    if not excluded:
        return ""
    words = _("May be the same person as %(names)s, who is excluded: ask who it is. P1")
    return words % {"names": ", ".join(excluded)}
