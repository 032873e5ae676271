"""The sheet of a game's scoreboard at a table: who sits here, who leads, and anybody by name."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from casino.floor.players import regulars
from casino.floor.players.pages import ShownForm
from casino.floor.players.public_names import choose, public_names
from casino.floor.players.scoreboard_list import FOUND_MOST, RankItem
from casino.floor.tables import sheets, views
from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.pseudonyms import tokens
from casino.house.pseudonyms.models import Player
from casino.play.core import scoreboards
from casino.words.presenters import TITLES
from games.refusals import Malformed, Refused
from ledger.journal import CommandReused, StreamMoved

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

    from casino.floor.board.boards import Seen
    from casino.house.establishments.models import Establishment
    from casino.play.core.scoreboards import Board

SHOWN_MOST: Final = 10


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def sheet(request: HttpRequest, game: UUID) -> HttpResponse:
    """The sheet; with ``name`` it shows whom it finds, and how public screens name them."""
    if not request.user.is_authenticated:
        return sheets.answer_signed_out(request)
    seen = sheets.recorder(request, game)
    house, now, refused = seen.house, timezone.now(), ""
    if request.method == "POST":
        try:
            _choose(request, seen, now)
        except (Refused, Malformed, StreamMoved, CommandReused) as why:
            refused = tokens.resolve_text(house.pk, str(why))
    name = (request.POST if request.method == "POST" else request.GET).get("name", "")[:80]
    board = scoreboards.read(house, seen.loaded.ruleset.id, now)
    context = {
        "board": board,
        "title": TITLES[seen.loaded.ruleset.id],
        "name": name,
        "refused": refused,
        "at": now,
        "to": reverse("floor-scoreboard", args=[game]),
        "back": reverse("floor-game", args=[game]),
        **(_lines(house, board, seen, name) if board else {}),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return sheets.sheet(request, seen, "scoreboard", context, status)


def _lines(house: Establishment, board: Board, seen: Seen, name: str) -> dict[str, Any]:
    """Who sits here and who leads; or whom a name finds, each with how screens name them."""
    if not name.strip():
        here = set(seen.loaded.stakes)
        first = {each.player for each in board.ranks[:SHOWN_MOST]}
        names = tokens.names(house.pk, here | first)
        return {
            "here": _items(board, here, names),
            "first": _items(board, first, names),
        }
    names = dict(regulars.names_beginning_with(house.pk, name, FOUND_MOST))
    public = public_names(house, names)
    shown = dict(
        Player.objects.filter(establishment=house, token__in=names).values_list("token", "shown")
    )
    found = _items(board, names, names, public)
    without = names.keys() - {each.row.player for each in found}
    forms = {each: ShownForm(initial={"shown": shown[each]}) for each in names}
    return {
        "found": [(each, forms[each.row.player]) for each in found[:SHOWN_MOST]],
        "without": sorted(names[each] for each in without)[:SHOWN_MOST],
    }


def _items(
    board: Board,
    players: Iterable[str],
    names: Mapping[str, str],
    public: Mapping[str, str] | None = None,
) -> list[RankItem]:
    return [
        RankItem(
            row=each,
            name=names.get(each.player, each.player),
            public=(public or {}).get(each.player, ""),
            url="",
        )
        for each in board.ranks
        if each.player in players
    ]


def _choose(request: HttpRequest, seen: Seen, now: datetime) -> None:
    """:raises Malformed: if the form is none that the sheet sends."""
    form = ShownForm(request.POST)
    if not form.is_valid():
        raise Malformed(str(next(iter(form.errors.values()))[0]))
    act = acts.Act(
        house=seen.house,
        by=permissions.person_of(request),
        device=views.device_of(request),
        now=now,
        command_id=form.act_id,
        request={},
    )
    choose(act, player=request.POST.get("player", ""), shown=form.cleaned_data["shown"])
