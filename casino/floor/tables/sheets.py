"""
Sheets over the board: things to do at a table without leaving the round.

Each sheet is a part of a page that a script fetches and lays over the table; without scripts the
same address answers with a page of its own. A sheet's command goes to the board's own addresses.
Only a supervisor's answer is handled here, because it is the act of another person than the one
signed in.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from casino.floor.tables import correcting, supervising, table_events, views
from casino.house.attendants import permissions
from games import voids
from games.refusals import Malformed, Refused
from ledger.journal import CommandReused, StreamMoved

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from django.http import HttpRequest

    from casino.floor.board.boards import Seen

UNFIT: Final = HTTPStatus.UNPROCESSABLE_ENTITY
CONFLICT: Final = HTTPStatus.CONFLICT
DIGITS_MOST: Final = 9  # of an event's number in an address


@require_safe
@never_cache
def void(request: HttpRequest, game: UUID) -> HttpResponse:
    """The sheet to void from a log entry: what is cancelled, and why; `?event=` is its number."""
    return of_an_event(request, game, "void", supervising.void_page)


@require_safe
@never_cache
def change(request: HttpRequest, game: UUID) -> HttpResponse:
    """The sheet to change an entry in place; `?event=` is its number, `instead.…` the form."""
    return of_an_event(
        request, game, "change", lambda seen, event: correcting.page(seen, event, request.GET)
    )


def of_an_event(
    request: HttpRequest, game: UUID, part: str, page: Callable[[Seen, int], dict[str, Any]]
) -> HttpResponse:
    """A sheet about one entry of the log; where the rules refuse it, with their sentence."""
    if not request.user.is_authenticated:
        return answer_signed_out(request)
    seen = recorder(request, game)
    try:
        context = page(seen, event_number(request))
    except Refused as refused:
        context = {**supervising.about(seen), "refused": str(refused)}
    return sheet(request, seen, part, context)


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def supervisor(request: HttpRequest, game: UUID) -> HttpResponse:
    """The sheet on which a supervisor answers a request to void on this device; no sign-in."""
    if not request.user.is_authenticated:
        return answer_signed_out(request)
    seen = recorder(request, game)
    try:
        requested = voids.pending(_number(request), seen.loaded.state)
    except voids.NoSuchRequest:
        context = {**supervising.about(seen), "refused": _("This request waits no longer. G4")}
        return sheet(request, seen, "supervisor", context)
    status, sentence = HTTPStatus.OK, ""
    if request.method == "POST":
        try:
            supervising.answer(
                request, seen, requested, now=timezone.now(), device=views.device_of(request)
            )
        except (Refused, Malformed, permissions.NotYours) as refused:
            status, sentence = UNFIT, str(refused)
        except (StreamMoved, CommandReused) as moved:
            status, sentence = CONFLICT, str(moved)
        else:
            return end_sheet(request, seen)
    if status == CONFLICT:
        seen = recorder(request, game)
    context = {**supervising.answer_page(request, seen, requested), "refused": sentence}
    return sheet(request, seen, "supervisor", context, status)


def event_number(request: HttpRequest) -> int:
    """:raises Http404: if the address names no event."""
    written = request.GET.get("event", "")
    if not (written.isascii() and written.isdigit() and len(written) <= DIGITS_MOST):
        raise Http404("An event is named by its number.")
    return int(written)


def _number(request: HttpRequest) -> int:
    """The event number of the request; 0, which no event has, if it is no number."""
    written = request.POST.get("request", request.GET.get("request", ""))
    return int(written) if written.isascii() and written.isdigit() else 0


@require_safe
@never_cache
def table_events_sheet(request: HttpRequest, game: UUID) -> HttpResponse:
    """The sheet of things beside the play: handover, dice, witness, dispute; `?part=` names one."""
    if not request.user.is_authenticated:
        return answer_signed_out(request)
    seen = recorder(request, game)
    context = table_events.page(seen)
    part = request.GET.get("part", "")
    if not views.is_fragment(request):
        return render(request, "tables/table_events.html", {**views.about(seen.house), **context})
    if part not in table_events.PARTS:
        raise Http404("There is no such part.")
    return sheet(request, seen, part, context)


# --- Shared by all sheets -------------------------------------------------------------------------


def recorder(request: HttpRequest, game: UUID) -> Seen:
    """
    The game, for a person who records at its house.

    :raises NotYours: if they may only look.
    """
    seen = views.load_for(request, game)
    permissions.require(request.user, "record", seen.house)
    return seen


def answer_signed_out(request: HttpRequest) -> HttpResponse:
    if views.is_fragment(request):
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
    return redirect_to_login(request.get_full_path())


def sheet(
    request: HttpRequest,
    seen: Seen,
    part: str,
    context: dict[str, Any],
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    """Render a sheet: alone for a script, within a page otherwise."""
    content = {**views.about(seen.house), **context, "part": f"tables/sheets/_{part}.html"}
    template = content["part"] if views.is_fragment(request) else "tables/sheets/page.html"
    return render(request, template, content, status=status)


def end_sheet(request: HttpRequest, seen: Seen) -> HttpResponse:
    """End a sheet: a script loads the board again, other browsers are redirected to it."""
    if views.is_fragment(request):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return redirect("floor-game", game=seen.loaded.key.game)
