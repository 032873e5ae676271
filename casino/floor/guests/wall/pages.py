"""
The pages of wall boards, for players, without signing in, if a manager has switched them on.

The board of each table and each house has a secret address that stays the same, and shows nothing
while its switch is off. Nothing on it is private: no ids, no staff; names and stakes only if the
house shows them.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino.floor.guests.wall import content
from casino.floor.players import waiting, waiting_pages
from casino.floor.tables import news
from casino.house.acts.changes import record_stream
from casino.house.acts.game_streams import occupancy
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.clock import show_times_of
from casino.house.establishments.models import Establishment, Table
from casino.kit.web import etags
from casino.play.core import cards, queries
from casino.play.exclusions import operations as exclusions
from casino.play.settlement.rollovers import operations as rollovers
from casino.words.languages import reader
from casino.words.languages.text import spelled

if TYPE_CHECKING:
    from django.http import HttpRequest

SEEN_BY_NONE: Final = {"X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "no-referrer"}
FRAME: Final = "Home-Throw-Frame"
"""The header by which a board's content says to which page it belongs."""
COLOURS: Final = ("dark", "light", "auto")


@require_safe
@never_cache
def page(request: HttpRequest, key: str) -> HttpResponse:
    """
    The page of a board: dark, as the rooms are in which dice are played by night.

    ``?light`` after the address is for a bright room, ``?auto`` for what the screen prefers;
    ``?part=scoreboards`` is for a screen of the house that shows this part alone.
    """
    wall_board = _board(request, key)
    context = {
        "house": wall_board.house,
        "title": wall_board.title,
        "key": key,
        "board": wall_board.drawn,
        "etag": wall_board.etag,
        "frame": _frame(wall_board.house),
        "only": _only(request),
        "colours": next((each for each in COLOURS if each in request.GET), COLOURS[0]),
        "guests_qr": _guests_qr(request, wall_board.house),
    }
    return hide_from_search(render(request, "floor/wall/page.html", context))


@require_safe
@never_cache
def board(request: HttpRequest, key: str) -> HttpResponse:
    """Only the content of a board, which the page polls every second; see `news`."""
    wall_board = _board(request, key)
    news.leave(request, wall_board.etag, wall_board.ticket)
    answer = etags.not_modified(request, wall_board.etag) or HttpResponse(
        wall_board.drawn, headers={"ETag": wall_board.etag}
    )
    answer.headers[FRAME] = _frame(wall_board.house)
    return hide_from_search(answer)


def _frame(house: Establishment) -> str:
    """What the page around a board depends on; screens load the page again where it differs."""
    looks = (static("css/wall.css"), static("js/wall.js"), str(house.guests))
    return blake2b(" ".join(looks).encode(), digest_size=6).hexdigest()


def _guests_qr(request: HttpRequest, house: Establishment) -> str:
    """The address of the guests' page as a QR code; "" while it is switched off."""
    if not house.guests:
        return ""
    from casino.money.payouts import receipts  # noqa: PLC0415 - most houses' boards draw no code

    address = reverse("guests", args=[spelled.compact(house.pk)])
    return receipts.qr(request.build_absolute_uri(address))


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
    if loaded is None:
        return _of_house(request, house, table)
    streams = {
        occupancy.table_stream(str(table.pk)),
        *map(record_stream, ("table", "establishment", "house_rules", "home_throw")),
        waiting.STREAM,
        exclusions.STREAM,
        rollovers.stream_of(loaded.ruleset.id),
        *queries.streams_of_state(loaded),
        *map(tokens.player_stream, loaded.stakes),
    }
    basis = news.Basis(
        house=house.pk,
        position=position,
        streams=frozenset(streams),
        game=str(loaded.key.game),
    )
    ticket = news.begin_ticket(request, basis)
    game = content.game(house, loaded)
    lines = waiting_pages.public_lines(house, timezone.now(), loaded.ruleset.id)
    context = {
        "table": table,
        "house": house,
        "game": game,
        "lines": lines,
        "calls": content.calls(lines),
    }
    drawn = news.draw_once(None, lambda: render_to_string("floor/wall/_table.html", context))
    return _wall_board(house, table.name, ticket, drawn)


def _of_house(request: HttpRequest, house: Establishment, free: Table | None = None) -> WallBoard:
    """The board of the house. :param free: for the screen of a table where nothing is played."""
    show_times_of(house)
    basis = news.Basis(house=house.pk, position=news.since(house.pk), streams=None)
    ticket = news.begin_ticket(request, basis)
    title = free.name if free else house.name
    only = _only(request)

    def draw() -> str:
        now = timezone.now()
        lines = waiting_pages.public_lines(house, now)
        context = {
            "house": house,
            "title": title,
            "free": free,
            "parts": content.in_turn(
                content.Now(house, now, lines), tables=free is None, only=only
            ),
            "calls": content.calls(lines),
        }
        return render_to_string("floor/wall/_house.html", context)

    drawn = news.draw_once(ticket, draw, "wall", title, only, reader.language_and_locale())
    return _wall_board(house, title, ticket, drawn)


def _only(request: HttpRequest) -> str:
    """The one part that a screen of the house shows, as ``?part=scoreboards``; "": all in turn."""
    asked = request.GET.get("part", "")
    return asked if asked in {each.name for each in content.PARTS} else ""


def _wall_board(
    house: Establishment, title: str, ticket: news.Ticket | None, drawn: tuple[str, str]
) -> WallBoard:
    """A board whose ETag is another one, too, where its page is."""
    text, etag = drawn
    return WallBoard(house, title, ticket, text, f'{etag.rstrip(chr(34))}-{_frame(house)}"')
