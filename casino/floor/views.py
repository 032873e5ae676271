"""The floor: pick a table, open a game, record what happens. Forms over the same operations."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from casino.attendants import permissions
from casino.attendants.houses import house_of
from casino.establishments.clock import show_times_of
from casino.establishments.days import gaming_day
from casino.establishments.models import Establishment, Table
from casino.floor import boards, forms
from casino.play import operations, queries
from casino.play.loading import Loaded
from casino.players import veil
from games.refusals import Malformed, NoGame
from ledger.journal import CommandReused, StreamMoved

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest

    from casino.play.core import Answer

DEVICE = "floor"
DEVICE_COOKIE = "device"


@login_required
@require_safe
@never_cache
def tables(request: HttpRequest) -> HttpResponse:
    """Every table of the house, free or with its running game."""
    house = house_of(request)
    shown = [boards.table_card(table) for table in house.tables.filter(in_use=True)]
    return render(request, "floor/tables.html", {**_about(house), "tables": shown})


@login_required
@never_cache
def open_at(request: HttpRequest, table: UUID) -> HttpResponse:
    """The form that opens a game at a table; where one is open already, that game."""
    here = _table(request, table)
    permissions.require(request.user, "record", here.establishment)
    if request.method == "POST":
        return _open(request, here)
    running = queries.running_game(here)
    if running is not None:
        return redirect("floor-game", game=running)
    return _opening_page(request, here, forms.blank(here))


def _open(request: HttpRequest, table: Table) -> HttpResponse:
    try:
        answer = operations.open_game(
            by=request.user,
            table=table,
            raw=forms.opening_command(request.POST),
            now=timezone.now(),
            device=_device(request),
        )
    except Malformed as malformed:
        said = str(malformed)
    else:
        if answer.refusal is None:
            return redirect("floor-game", game=answer.key.game)
        said = veil.unveil(table.establishment_id, answer.refusal.detail)
    return _opening_page(request, table, forms.returned(table, request.POST), said)


def _opening_page(
    request: HttpRequest, table: Table, form: dict[str, Any], refused: str = ""
) -> HttpResponse:
    context = {
        **_about(table.establishment),
        "table": {"id": str(table.pk), "name": table.name},
        "form": form,
        "refused": {"sentence": refused} if refused else None,
        "urls": {"open": reverse("floor-open", args=[table.pk])},
    }
    return render(request, "floor/open.html", context, status=422 if refused else 200)


@login_required
@require_safe
@never_cache
def game(request: HttpRequest, game: UUID) -> HttpResponse:
    """The page of one game, in the attendant's hands."""
    return _page(request, _loaded(request, game), "floor/table.html")


@require_safe
@never_cache
def board(request: HttpRequest, game: UUID) -> HttpResponse:
    """The board alone, each second; 304 costs next to nothing where nothing happened."""
    if not request.user.is_authenticated:
        return HttpResponse(status=401)
    loaded = _loaded(request, game)
    if request.headers.get("If-None-Match") == boards.etag(loaded):
        return HttpResponseNotModified(headers={"ETag": boards.etag(loaded)})
    return _page(request, loaded, "floor/_board.html")


@require_POST
@never_cache
def command(request: HttpRequest, game: UUID) -> HttpResponse:
    """One command to the game; the answer is the board as it is then."""
    if not request.user.is_authenticated:
        return HttpResponse(status=401)
    loaded = _loaded(request, game)
    status, said = _put(request, loaded)
    if status == 200 and not request.htmx:  # noqa: PLR2004 - HTTP
        return redirect("floor-game", game=game)
    template = "floor/_board.html" if request.htmx else "floor/table.html"
    return _page(request, _loaded(request, game), template, said, status)


def _put(request: HttpRequest, loaded: Loaded) -> tuple[int, str]:
    """The command carried out or not: HTTP status, and the sentence why not."""
    house = Establishment.objects.get(pk=loaded.key.establishment)
    try:
        answer = operations.command(
            by=request.user,
            house=house,
            game=loaded.key.game,
            raw=forms.command(request.POST),
            now=timezone.now(),
            device=_device(request),
        )
    except Malformed as malformed:
        return 422, str(malformed)
    except (CommandReused, StreamMoved) as moved:
        return 409, str(moved)
    return _told(house, answer)


def _told(house: Establishment, answer: Answer) -> tuple[int, str]:
    if answer.refusal is None:
        return 200, ""
    return 422, veil.unveil(house.pk, answer.refusal.detail)


def _page(
    request: HttpRequest, loaded: Loaded, template: str, refused: str = "", status: int = 200
) -> HttpResponse:
    house = Establishment.objects.get(pk=loaded.key.establishment)
    context = {
        **_about(house),
        "board": boards.board(loaded, house, request.user),
        "refused": {"sentence": refused} if refused else None,
    }
    response = render(request, template, context, status=status)
    response["ETag"] = boards.etag(loaded)
    if DEVICE_COOKIE not in request.COOKIES:
        response.set_cookie(
            DEVICE_COOKIE, f"{DEVICE}-{uuid.uuid4().hex[:12]}", max_age=10**8, httponly=True,
            samesite="Lax", secure=request.is_secure(),
        )
    return response


def _loaded(request: HttpRequest, game: UUID) -> Loaded:
    try:
        return queries.find(permissions.houses(request.user), game)
    except NoGame as missing:
        raise Http404(str(missing)) from None


def _table(request: HttpRequest, table: UUID) -> Table:
    mine = Table.objects.filter(establishment__in=permissions.houses(request.user))
    found = mine.select_related("establishment").filter(pk=table).first()
    if found is None:
        raise Http404("There is no such table at your houses.")
    return found


def _about(house: Establishment) -> dict[str, Any]:
    show_times_of(house)
    return {"house": house, "gaming_day": gaming_day(house, timezone.now())}


def _device(request: HttpRequest) -> str:
    """Which tablet or desk: a random name kept in a cookie, so that its entries can be told."""
    given = request.COOKIES.get(DEVICE_COOKIE, "")
    return given if given.startswith(DEVICE) and given.isascii() and len(given) <= 40 else DEVICE  # noqa: PLR2004
