"""The page of a practice game: begun, played and ended in the session of whoever practises."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from casino.floor.tables import practice_game
from casino.floor.tables.board import posted
from casino.floor.tables.practice_game import Practice
from casino.house.acts.game_streams import catalogue
from casino.house.attendants import permissions
from casino.house.establishments.clock import show_times_of
from casino.kit.web.current_house import house_of
from casino.words.languages.messages import translate as in_words
from casino.words.presenters import TITLES
from casino.words.presenters.opening import forms_of_games
from games.refusals import Malformed, Refused

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from casino.house.establishments.models import Establishment

KEPT: Final = "practice"
"""The session's key. It goes when the practice ends, and with the session at the latest."""


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest) -> HttpResponse:
    """Choose a game, play it, end it. Nothing of it is recorded anywhere."""
    house = house_of(request)
    permissions.require(request.user, "record", house)
    show_times_of(house)
    if request.method != "POST":
        return _page(request, house)
    if "end" in request.POST:
        request.session.pop(KEPT, None)
        messages.success(request, _("The practice is over, and nothing of it is left."))
        return redirect("set-up" if house.setting_up else "floor")
    try:
        further = _further(request)
    except (Malformed, Refused) as refused:
        return _page(request, house, refused=str(refused))
    request.session[KEPT] = further.as_json()
    return redirect("floor-practice")


def _further(request: HttpRequest) -> Practice:
    """
    The game after what was sent: begun, or one command further.

    :raises Malformed, Refused: if it cannot be done.
    """
    if "begin" in request.POST:
        return practice_game.begin(house_of(request), request.POST["begin"])
    going = _going(request)
    if going is None:
        raise Malformed("No game is practised now: begin one.")
    raw = {
        name: each for name, each in posted.command(request.POST).items() if name != "command_id"
    }
    return going.then(raw)


def _going(request: HttpRequest) -> Practice | None:
    """The game that is practised; None if none is, or its rules are other ones by now."""
    kept = request.session.get(KEPT)
    if not kept or kept["game"] not in {form.game for form in forms_of_games()}:
        return None
    going = Practice(kept["game"], tuple(kept["commands"]))
    try:
        going.facts()
    except (Malformed, Refused):
        return None
    return going


def _page(request: HttpRequest, house: Establishment, *, refused: str = "") -> HttpResponse:
    going = _going(request)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    context: dict[str, Any] = {
        "house": house,
        "refused": {"sentence": in_words(refused)} if refused else None,
    }
    if going is None:
        games = [
            {"id": form.game, "title": TITLES[form.game], "line": form.line,
             "sample_dice": form.sample_dice, "owned": form.owned}
            for form in forms_of_games()
        ]  # fmt: skip
        return render(request, "tables/practise.html", {**context, "games": games}, status=status)
    board = practice_game.board(house, going)
    facts = list(enumerate(going.facts(), 1))
    view = catalogue.current(going.game).view(facts)
    more = {"board": board, "guide": practice_game.steps(view)}
    return render(request, "tables/practice.html", {**context, **more}, status=status)
