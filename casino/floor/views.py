"""The floor: pick a table, open a game, record what happens. Forms over the same operations."""

from __future__ import annotations

import uuid
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from casino.attendants import permissions
from casino.attendants.houses import house_of
from casino.cash import floats
from casino.establishments.clock import show_times_of
from casino.establishments.days import current
from casino.establishments.models import Establishment, Table
from casino.floor import beside, boards, posted, stories
from casino.floor.boards import Seen
from casino.floor.opening import said, shown
from casino.play import operations, queries, settled
from casino.play.cards import table_card
from casino.play.loading import load
from casino.players import veil
from games.refusals import Malformed, NoGame
from ledger.journal import CommandReused, StreamMoved

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest

    from casino.play.core import Answer

OK, UNFIT, CONFLICT = HTTPStatus.OK, HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.CONFLICT
DEVICE = "floor"
DEVICE_COOKIE = "device"


@require_safe
@never_cache
def tables(request: HttpRequest) -> HttpResponse:
    """Every table of the house, free or with its running game. The page asks for it again."""
    if not request.user.is_authenticated:
        signed_out = redirect_to_login(request.get_full_path())
        return HttpResponse(status=401) if is_fragment(request) else signed_out
    house = house_of(request)
    shown = [_card(table) for table in house.tables.filter(in_use=True)]
    context = {
        **_about(house),
        "tables": shown,
        "opens_admin": permissions.may(request.user, "configure", house.pk),
    }
    return render(request, "floor/tables.html", context)


def _card(table: Table) -> dict[str, Any]:
    card = table_card(table)
    game = card["game"]
    address = reverse("floor-game", args=[game["id"]]) if game else None
    return {**card, "url": address or reverse("floor-open", args=[table.pk])}


@login_required
@never_cache
def open_at(request: HttpRequest, table: UUID) -> HttpResponse:
    """The form that opens a game at a table; where one is open already, that game."""
    here = _table(request, table)
    permissions.require(request.user, "record", here.establishment)
    if "choose" in request.POST:  # the same people, another game
        form = shown.changed(here, request.POST, request.POST["choose"])
        return _opening_page(request, here, form)
    if request.method == "POST":
        return _open(request, here)
    running = queries.running_game(here)
    if running is not None:
        return redirect("floor-game", game=running)
    return _opening_page(request, here, shown.blank(here, request.GET.get("game", "")))


def _open(request: HttpRequest, table: Table) -> HttpResponse:
    try:
        answer = operations.open_game(
            by=permissions.person_of(request),
            table=table,
            raw=said.command(request.POST, shown.rules_of(table, request.POST.get("game", ""))),
            now=timezone.now(),
            device=_device(request),
        )
    except (Malformed, CommandReused, StreamMoved) as refused:
        sentence = str(refused)
    else:
        if answer.refusal is None:
            return redirect("floor-game", game=answer.key.game)
        sentence = veil.unveil(table.establishment_id, answer.refusal.detail)
    return _opening_page(request, table, shown.returned(table, request.POST), sentence)


def _opening_page(
    request: HttpRequest, table: Table, form: dict[str, Any], refused: str = ""
) -> HttpResponse:
    context = {
        **_about(table.establishment),
        "table": {"id": str(table.pk), "name": table.name},
        "form": form,
        "refused": {"sentence": refused} if refused else None,
        "no_float": floats.why_not(table.establishment, table),
        "urls": {
            "open": reverse("floor-open", args=[table.pk]),
            "cash": reverse("cash-table", args=[table.pk]),
        },
    }
    return render(request, "floor/open.html", context, status=UNFIT if refused else OK)


@login_required
@require_safe
@never_cache
def game(request: HttpRequest, game: UUID) -> HttpResponse:
    """The page of one game, in the attendant's hands."""
    return _page(request, _marked(_seen(request, game)), "floor/table.html")


@require_safe
@never_cache
def board(request: HttpRequest, game: UUID) -> HttpResponse:
    """The board alone, each second; 304 costs next to nothing where nothing happened."""
    if not request.user.is_authenticated:
        return HttpResponse(status=401)
    seen = _marked(_seen(request, game))
    if request.headers.get("If-None-Match") == seen.etag:
        return HttpResponseNotModified(headers={"ETag": seen.etag})
    return _page(request, seen, "floor/_board.html")


@login_required
@require_safe
@never_cache
def log(request: HttpRequest, game: UUID) -> HttpResponse:
    """Everything that was recorded of a game, also what the board no longer shows."""
    seen = _seen(request, game)
    context = {**_about(seen.house), "story": stories.whole(seen)}
    return render(request, "floor/log.html", context)


@login_required
@require_safe
@never_cache
def beside_play(request: HttpRequest, game: UUID) -> HttpResponse:
    """What is done beside the play: handover, other dice, witness, dispute."""
    seen = _seen(request, game)
    permissions.require(request.user, "record", seen.house)
    return render(request, "floor/beside.html", {**_about(seen.house), **beside.page(seen)})


@login_required
@require_safe
@never_cache
def round_(request: HttpRequest, game: UUID, number: int) -> HttpResponse:
    """A round step by step, who pays what and why; with `step`, the table as it stood then."""
    seen = _seen(request, game)
    step = request.GET.get("step")
    if step is not None and not step.isdecimal():
        raise Http404("A step is the number of an event.")
    story = stories.of_round(seen, number, int(step[:9]) if step else None)
    if story is None:
        raise Http404("There is no round of this number, or no such step in it.")
    return render(request, "floor/round.html", {**_about(seen.house), "story": story})


@require_POST
@never_cache
def command(request: HttpRequest, game: UUID) -> HttpResponse:
    """One command to the game; the answer is the board as it is then."""
    if not request.user.is_authenticated:
        return HttpResponse(status=401)
    seen = _seen(request, game)
    status, sentence = _put(request, seen)
    if status == OK and not is_fragment(request):
        return redirect("floor-game", game=game)
    template = "floor/_board.html" if is_fragment(request) else "floor/table.html"
    return _page(request, _seen_again(seen), template, sentence, status)


def _put(request: HttpRequest, seen: Seen) -> tuple[int, str]:
    """The command carried out or not: HTTP status, and the sentence why not."""
    try:
        answer = operations.command(
            by=permissions.person_of(request),
            house=seen.house,
            game=seen.loaded.key.game,
            raw=posted.command(request.POST),
            now=timezone.now(),
            device=_device(request),
        )
    except Malformed as malformed:
        return UNFIT, str(malformed)
    except (CommandReused, StreamMoved) as moved:
        return CONFLICT, str(moved)
    return _told(seen.house, answer)


def _told(house: Establishment, answer: Answer) -> tuple[int, str]:
    if answer.refusal is None:
        return OK, ""
    return UNFIT, veil.unveil(house.pk, answer.refusal.detail)


def _page(
    request: HttpRequest, seen: Seen, template: str, refused: str = "", status: int = OK
) -> HttpResponse:
    context = {
        **_about(seen.house),
        "board": boards.board(seen),
        "refused": {"sentence": refused} if refused else None,
    }
    response = render(request, template, context, status=status)
    response["ETag"] = seen.etag
    if DEVICE_COOKIE not in request.COOKIES:
        response.set_cookie(
            DEVICE_COOKIE,
            f"{DEVICE}-{uuid.uuid4().hex[:12]}",
            max_age=10**8,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure(),
        )
    return response


def _seen(request: HttpRequest, game: UUID) -> Seen:
    """The game, its house and one's role there, each asked for once."""
    roles = permissions.roles(request.user)
    try:
        loaded = queries.find(roles, game)
    except NoGame as missing:
        raise Http404(str(missing)) from None
    house = loaded.key.establishment
    return Seen(
        loaded=loaded,
        house=Establishment.objects.get(pk=house),
        person=str(request.user.pk),
        role=roles[house],
        through=settled.settled_through(loaded),
    )


def _seen_again(seen: Seen) -> Seen:
    """The same game after a command."""
    loaded = load(seen.loaded.key)
    return _marked(replace(seen, loaded=loaded, through=settled.settled_through(loaded)))


def _marked(seen: Seen) -> Seen:
    """For a board, with what tells whether it has changed since."""
    return replace(seen, mark=queries.mark(seen.loaded, seen.through))


def _table(request: HttpRequest, table: UUID) -> Table:
    mine = Table.objects.filter(establishment__in=permissions.houses(request.user))
    found = mine.select_related("establishment").filter(pk=table).first()
    if found is None:
        raise Http404("There is no such table at your houses.")
    return found


def _about(house: Establishment) -> dict[str, Any]:
    show_times_of(house)
    return {"house": house, "gaming_day": current(house, timezone.now())}


def is_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks, for a part of the page."""
    return request.headers.get("HX-Request") == "true"


def _device(request: HttpRequest) -> str:
    """Which tablet or desk: a random name kept in a cookie, so that its entries can be told."""
    given = request.COOKIES.get(DEVICE_COOKIE, "")
    return given if given.startswith(DEVICE) and given.isascii() and len(given) <= 40 else DEVICE  # noqa: PLR2004
