"""
Sheets over the board: what is done at a table without leaving the round.

Each is a part of a page, asked for by a script and laid over the table; without scripts the same
address answers with a page of its own. A sheet's command goes to the board's own addresses; only a
supervisor's answer is taken here, for it is another person's act than the rest of the session's.
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

from casino.attendants import permissions
from casino.tables import supervising, table_events, views
from games import voids
from games.refusals import Malformed, Refused
from ledger.journal import CommandReused, StreamMoved

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest

    from casino.board.boards import Seen

UNFIT: Final = HTTPStatus.UNPROCESSABLE_ENTITY
CONFLICT: Final = HTTPStatus.CONFLICT
DIGITS_MOST: Final = 9  # of an event's number in an address


@require_safe
@never_cache
def void(request: HttpRequest, game: UUID) -> HttpResponse:
    """Void from an entry of the log: what goes back, and why; `?event=` is its number."""
    if not request.user.is_authenticated:
        return signed_out(request)
    seen = recorder(request, game)
    written = request.GET.get("event", "")
    if not (written.isascii() and written.isdigit() and len(written) <= DIGITS_MOST):
        raise Http404("An event is named by its number.")
    try:
        context = supervising.void_page(seen, int(written))
    except Refused as refused:
        context = {**supervising.about(seen), "refused": str(refused)}
    return sheet(request, seen, "void", context)


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def supervisor(request: HttpRequest, game: UUID) -> HttpResponse:
    """A supervisor's answer to a request for a void, on this device; nobody is signed in by it."""
    if not request.user.is_authenticated:
        return signed_out(request)
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
            return done(request, seen)
    if status == CONFLICT:
        seen = recorder(request, game)
    context = {**supervising.answer_page(request, seen, requested), "refused": sentence}
    return sheet(request, seen, "supervisor", context, status)


def _number(request: HttpRequest) -> int:
    """Of the request; 0, which none has, if it is no number."""
    written = request.POST.get("request", request.GET.get("request", ""))
    return int(written) if written.isascii() and written.isdigit() else 0


@require_safe
@never_cache
def table_events_sheet(request: HttpRequest, game: UUID) -> HttpResponse:
    """What is done beside the play: handover, other dice, witness, dispute; `?part=` is one."""
    if not request.user.is_authenticated:
        return signed_out(request)
    seen = recorder(request, game)
    context = table_events.page(seen)
    part = request.GET.get("part", "")
    if not views.is_fragment(request):
        return render(request, "tables/table_events.html", {**views.about(seen.house), **context})
    if part not in table_events.PARTS:
        raise Http404("There is no such part.")
    return sheet(request, seen, part, context)


# --- What sheets have in common -------------------------------------------------------------------


def recorder(request: HttpRequest, game: UUID) -> Seen:
    """
    The game, for somebody who records at its house.

    :raises NotYours: if they only look on.
    """
    seen = views.seen_by(request, game)
    permissions.require(request.user, "record", seen.house)
    return seen


def signed_out(request: HttpRequest) -> HttpResponse:
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
    """The part by itself for a script, within a page for everybody else."""
    content = {**views.about(seen.house), **context, "part": f"tables/sheets/_{part}.html"}
    template = content["part"] if views.is_fragment(request) else "tables/sheets/page.html"
    return render(request, template, content, status=status)


def done(request: HttpRequest, seen: Seen) -> HttpResponse:
    """The sheet is done with: the script looks at the board, everybody else is sent there."""
    if views.is_fragment(request):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return redirect("floor-game", game=seen.loaded.key.game)
