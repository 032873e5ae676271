"""
The pages of wall boards, for players, without signing in, if a manager has switched them on.

The board of each table and each house has a secret address that stays the same, and shows nothing
while its switch is off. Nothing on it is private: no ids, no staff; names and stakes only if the
house shows them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino.establishments.clock import show_times_of
from casino.establishments.models import Establishment, Table
from casino.establishments.order import listed
from casino.exclusions import operations as exclusions
from casino.game_streams import occupancy
from casino.languages import reader
from casino.operations.changes import record_stream
from casino.platform import spelled
from casino.play import cards, queries
from casino.players import waiting, waiting_shown
from casino.presenters import PRESENTERS, TITLES
from casino.presenters.figures import figures
from casino.pseudonyms import tokens
from casino.rollovers import operations as rollovers
from casino.tables import news
from casino.wall import content
from casino.web import etags

if TYPE_CHECKING:
    from django.http import HttpRequest

SEEN_BY_NONE: Final = {"X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "no-referrer"}
FIGURES: Final = 2
"""The number of figures of each table on the board of the house, the pot first."""
FEW, SOME = 4, 7
"""Up to `FEW` seats or tables are shown as large as possible, up to `SOME` a little smaller."""


@require_safe
@never_cache
def page(request: HttpRequest, key: str) -> HttpResponse:
    """The page of a board; ``?light`` and ``?dark`` choose the colours."""
    wall_board = _board(request, key)
    context = {
        "house": wall_board.house,
        "title": wall_board.title,
        "key": key,
        "board": wall_board.drawn,
        "etag": wall_board.etag,
        "colours": next((each for each in ("light", "dark") if each in request.GET), "auto"),
        "guests_qr": _guests_qr(request, wall_board.house),
    }
    return hide_from_search(render(request, "wall/page.html", context))


@require_safe
@never_cache
def board(request: HttpRequest, key: str) -> HttpResponse:
    """Only the content of a board, which the page polls every second; see `news`."""
    wall_board = _board(request, key)
    news.leave(request, wall_board.etag, wall_board.ticket)
    same = etags.not_modified(request, wall_board.etag)
    return hide_from_search(
        same or HttpResponse(wall_board.drawn, headers={"ETag": wall_board.etag})
    )


def _guests_qr(request: HttpRequest, house: Establishment) -> str:
    """The address of the guests' page as a QR code; "" while it is switched off."""
    if not house.guests:
        return ""
    from casino.payouts import receipt_slips  # noqa: PLC0415 - most houses' boards draw no code

    address = reverse("guests", args=[spelled.compact(house.pk)])
    return receipt_slips.qr(request.build_absolute_uri(address))


def hide_from_search(answer: HttpResponse) -> HttpResponse:
    """Say that no search engine lists a page, and that no other site learns its address."""
    for name, value in SEEN_BY_NONE.items():
        answer.headers[name] = value
    return answer


@dataclass(frozen=True, slots=True)
class WallBoard:
    """The content of a board as it is sent."""

    house: Establishment
    title: str
    ticket: news.Ticket | None
    drawn: str
    etag: str


def _board(request: HttpRequest, key: str) -> WallBoard:
    """:raises Http404: if no board has this address, or it is switched off."""
    at, board = spelled.read(key[: spelled.LENGTH]), key[spelled.LENGTH :]
    if at is not None and board:
        tables = Table.objects.select_related("establishment")
        table = tables.filter(establishment=at, wall_key=board, wall=True, in_use=True).first()
        if table is not None:
            return _of_table(request, table)
    house = Establishment.objects.filter(wall_key=key, wall=True).first()
    if house is None:
        raise Http404("There is no wall board at this address, or it is switched off.")
    return _of_house(request, house)


def _of_table(request: HttpRequest, table: Table) -> WallBoard:
    house = table.establishment
    show_times_of(house)
    position = news.since(house.pk)
    loaded = cards.games_at(house.pk, [table]).get(table.pk)
    streams = {
        occupancy.table_stream(str(table.pk)),
        record_stream("table"),
        record_stream("establishment"),
        record_stream("house_rules"),
        waiting.STREAM,
        exclusions.STREAM,
    }
    if loaded is not None:
        streams |= {rollovers.stream_of(loaded.ruleset.id), *queries.marked(loaded)}
        streams |= set(map(tokens.player_stream, loaded.stakes))
    basis = news.Basis(
        house=house.pk,
        position=position,
        streams=frozenset(streams),
        game=str(loaded.key.game) if loaded else "",
    )
    ticket = news.begun(request, basis)
    game = content.game(house, loaded) if loaded else None
    now, kind = timezone.now(), loaded.ruleset.id if loaded else ""
    context = {
        "table": table,
        "game": game,
        "size": _size(len(game["seats"])) if game else "few",
        "lines": waiting_shown.public_lines(house, now, kind) if kind else [],
    }
    drawn = news.drawn(None, lambda: render_to_string("wall/_table.html", context))
    return WallBoard(house, table.name, ticket, *drawn)


def _of_house(request: HttpRequest, house: Establishment) -> WallBoard:
    show_times_of(house)
    basis = news.Basis(house=house.pk, position=news.since(house.pk), streams=None)
    ticket = news.begun(request, basis)
    drawn = news.drawn(ticket, lambda: _tables(house), "wall", reader.language_and_locale())
    return WallBoard(house, house.name, ticket, *drawn)


def _tables(house: Establishment) -> str:
    tables = listed(house.tables.filter(in_use=True, wall=True))
    games = cards.games_at(house.pk, tables)
    lines = [_line(house, table, games.get(table.pk)) for table in tables]
    context = {
        "house": house,
        "tables": [each for each in lines if each["game"]],
        "free": [each["name"] for each in lines if not each["game"]],
        "rolled_over": rolled_over(house),
        "lines": waiting_shown.public_lines(house, timezone.now()),
        "size": _size(sum(each["game"] is not None for each in lines)),
    }
    return render_to_string("wall/_house.html", context)


def _line(house: Establishment, table: Table, loaded: Any) -> dict[str, Any]:
    running = cards.running(house, loaded)
    if running is None:
        return {"name": table.name, "game": None}
    line = {name: running[name] for name in ("title", "round")}
    line["sentence"] = content.sentence(loaded, PRESENTERS[loaded.ruleset.id])
    called = content.called(line, content.names(house, loaded))
    called["figures"] = figures(PRESENTERS[loaded.ruleset.id], loaded)[:FIGURES]
    return {"name": table.name, "game": {**called, "currency": house.currency_symbol}}


def rolled_over(house: Establishment) -> list[dict[str, Any]]:
    """The rollovers that wait for the next game of each kind, which are players' money (A6)."""
    found = []
    for kind in rollovers.kinds(house.pk):
        if coins := rollovers.total(rollovers.read(house.pk, kind).waiting):
            words = _("Waits for the next %(game)s") % {"game": TITLES.get(kind, kind)}
            found.append({"words": words, "amount": coins})
    return found


def _size(count: int) -> str:
    if count <= FEW:
        return "few"
    return "some" if count <= SOME else "many"
