"""
Wall boards: pages for players, without signing in, if a manager has switched them on.

The board of each table and each house has a secret address that stays the same, and shows nothing
while its switch is off. Nothing on it is private: no ids, no staff; names and stakes only if the
house shows them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino.floor.players import waiting, waiting_pages
from casino.floor.players.player_names import public_names, screen_names
from casino.floor.players.scoreboard_pages import RankItem
from casino.floor.tables import news
from casino.house.acts.changes import record_stream
from casino.house.acts.game_streams import occupancy
from casino.house.acts.game_streams.catalogue import HOUSE_RULES
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.clock import show_times_of
from casino.house.establishments.models import Establishment, HouseRules, Table
from casino.house.establishments.table_names import in_list_order
from casino.house.home_throws import house_rules
from casino.house.home_throws import operations as home_throws
from casino.kit.web import etags
from casino.play.core import queries, scoreboards
from casino.play.dice.odds.queries import home_throw_of, options_of
from casino.play.exclusions import operations as exclusions
from casino.play.settlement import rollovers
from casino.words.languages import reader, spelled
from casino.words.presenters import PRESENTERS, TITLES, opening_forms, words
from casino.words.presenters.opening_forms import UNIT
from casino.words.presenters.presenter import account
from casino.words.presenters.registered import OPENINGS
from casino.words.presenters.rounds import figures
from games import stone
from games.messages import house_seats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from django.http import HttpRequest

    from casino.floor.players.waiting_pages import Line
    from casino.house.acts.game_streams.loading import Loaded
    from casino.play.core.scoreboards import Board
    from casino.words.presenters.opening_forms import Option
    from casino.words.presenters.presenter import Presenter

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
    loaded = queries.games_at(house.pk, [table]).get(table.pk)
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
    game = describe_game(house, loaded)
    lines = waiting_pages.public_lines(house, timezone.now(), loaded.ruleset.id)
    context = {
        "table": table,
        "house": house,
        "game": game,
        "lines": lines,
        "calls": calls(lines),
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
            "parts": in_turn(Now(house, now, lines), tables=free is None, only=only),
            "calls": calls(lines),
        }
        return render_to_string("floor/wall/_house.html", context)

    drawn = news.draw_once(ticket, draw, "wall", title, only, reader.language_and_locale())
    return _wall_board(house, title, ticket, drawn)


def _only(request: HttpRequest) -> str:
    """The one part that a screen of the house shows, as ``?part=scoreboards``; "": all in turn."""
    asked = request.GET.get("part", "")
    return asked if asked in {each.name for each in PARTS} else ""


def _wall_board(
    house: Establishment, title: str, ticket: news.Ticket | None, drawn: tuple[str, str]
) -> WallBoard:
    """A board whose ETag is another one, too, where its page is."""
    text, etag = drawn
    return WallBoard(house, title, ticket, text, f'{etag.rstrip(chr(34))}-{_frame(house)}"')


# The content of a wall board: only what everybody at the table sees, and nothing about staff; and
# how a house plays a game now: its home throw with the story, its options and fee in words.


PLAYER: Final = re.compile(r"\bp-[a-z2-9]{12}(\d?)")
"""A player's token; a digit after the token is the number of a die named after the player."""


def describe_game(house: Establishment, loaded: Loaded) -> dict[str, Any]:
    """The content about a game; players are named only if the house allows it."""
    presenter, view = PRESENTERS[loaded.ruleset.id], loaded.view
    content = {
        "title": str(TITLES[loaded.ruleset.id]),
        "round": view["round"],
        "over": loaded.closed,
        "sentence": sentence(loaded, presenter),
        "figures": figures(presenter, loaded),
        "sizes": list(presenter.SIZES),
        "home_throws": view["home_throws"],
        "seats": seats(house, loaded, presenter),
        "to_beat": to_beat(loaded, presenter),
        "auction": presenter.auction(loaded),
        "last": last_result(loaded, presenter),
        "rules": list(rules(loaded, presenter)),
    }
    resolved: dict[str, Any] = put_labels(content, names(house, loaded))
    waiting = rollovers.read(house.pk, loaded.ruleset.id).waiting
    return {
        **resolved,
        "currency": house.currency_symbol,
        "rolled_over": rollovers.total(waiting),
        "on_the_wall": on_the_wall(house, loaded),
        "story": story(house, loaded),
    }


def sentence(loaded: Loaded, presenter: Presenter) -> str:
    if loaded.state.paused and not loaded.closed:
        return _("The table is paused")
    return str(presenter.upcoming(loaded, loaded.view)["sentence"])


def seats(house: Establishment, loaded: Loaded, presenter: Presenter) -> list[dict[str, Any]]:
    """The seats in order: what lies before each, and its stake if the house shows stakes."""
    view = loaded.view
    money = presenter.for_money(loaded) and house.wall_stakes
    houses = house_seats(loaded.live)
    return [
        {
            "number": number,
            "name": player,
            "house": player in houses,
            "turn": player in view["next"]["players"],
            "stake": stake if money else None,
            "drinks": view["drinks"].get(player),
            "points": view["points"].get(player),
            "owner": None,
            "owners": None,
            "sides": None,
            "marks": None,
            **_before(presenter.hand_of(loaded, view, player), money=money),
        }
        for number, (player, stake) in enumerate(view["stakes"].items(), 1)
    ]


def _before(standing: Any, *, money: bool) -> dict[str, Any]:
    """What lies before a seat. Coins in a pocket are shown only if stakes are."""
    return {name: each for name, each in standing.items() if money or name != "pocket"}


def last_result(loaded: Loaded, presenter: Presenter) -> dict[str, Any] | None:
    """How the last round ended, and who paid whom; None if no round has ended yet."""
    ended = next((fact for _number, fact in reversed(loaded.live) if fact.ends_round), None)
    if ended is None:
        return None
    line = presenter.describe(loaded, ended, {})
    return {
        "sentence": line["sentence"] if line else "",
        "payments": [
            {
                "from": account(payment.payer, presenter),
                "to": account(payment.payee, presenter),
                "amount": payment.amount,
            }
            for payment in ended.payments
        ],
    }


def rules(loaded: Loaded, presenter: Presenter) -> Iterator[str]:
    """The agreed rules in words: the fee, main options, and options that are not the default."""
    agreed: Mapping[str, Any] = loaded.opening.data.get("options") or {}
    fee, paid = presenter.terms(loaded)["fee"], presenter.for_money(loaded)
    return terms(loaded.ruleset.id, agreed, fee=fee, paid=paid)


def to_beat(loaded: Loaded, presenter: Presenter) -> dict[str, Any] | None:
    """Who would win or pay if the round ended now, and with what; None if nobody would."""
    lead = loaded.ruleset.leaders(loaded.state.inner)
    if loaded.closed or not lead.players:
        return None
    held = presenter.hand_of(loaded, loaded.view, lead.players[0])
    said = held.get("words") or (words.hand(held["hand"], held["score"]) if held["hand"] else "")
    return {
        "label": _("Would pay now") if lead.pays else _("To beat"),
        "names": words.names(lead.players),
        "hand": said,
    }


def on_the_wall(house: Establishment, loaded: Loaded) -> str:
    """The house's notice to its players, from the house rules that this game pinned."""
    pinned = loaded.opening.data.get(HOUSE_RULES)
    if not pinned:
        return ""
    text = HouseRules.objects.filter(establishment=house, pk=pinned["id"])
    token = text.values_list("text", flat=True).first()
    return str(tokens.resolve(house.pk, token)) if token else ""


def story(house: Establishment, loaded: Loaded) -> str:
    """The story behind the house's home throw, if that is the one that is played."""
    throw = home_throws.in_force(establishment=house, at=timezone.now(), game=loaded.ruleset.id)
    if throw is None or not throw.story or list(throw.faces) not in loaded.view["home_throws"]:
        return ""
    return str(tokens.resolve(house.pk, throw.story))


def names(house: Establishment, loaded: Loaded) -> dict[str, str]:
    """What screens call the players, by token: a name as they allow, or the seat's number."""
    seats = {token: _("Seat %(number)s") % {"number": number}
             for number, token in enumerate(loaded.stakes, 1)}  # fmt: skip
    return {**seats, **screen_names(house, seats)}


def put_labels(value: Any, by: Mapping[str, str]) -> Any:
    """A value with labels instead of tokens; a token without a label becomes "a player"."""

    def name(found: re.Match[str]) -> str:
        token, die = found[0].removesuffix(found[1]), found[1]
        who = by.get(token, _("a player"))
        return _("%(name)s, die %(number)s") % {"name": who, "number": die} if die else who

    match value:
        case str():
            return PLAYER.sub(name, value)
        case dict():
            return {key: put_labels(each, by) for key, each in value.items()}
        case list() | tuple():
            return [put_labels(each, by) for each in value]
        case _:
            return value


@dataclass(frozen=True, slots=True)
class HomeShown:
    """
    The home throw of a game, and who names it.

    :param source: as `HouseRules.HomeThrows` has it; `label`: in words.
    :param story: the story behind the house's own; "" without one.
    """

    source: str
    label: str
    faces: tuple[int, ...]
    story: str

    sides: int = stone.SIDES


def home_of(
    house: Establishment, game: str, rules: HouseRules | None, now: datetime
) -> HomeShown | None:
    """None if the game has no home throw here."""
    if not OPENINGS[game].homes:
        return None
    source = rules.home_throws if rules else HouseRules.HomeThrows.HOUSE
    throw = home_throw_of(house, game, source, now)
    if throw is None and source in {HouseRules.HomeThrows.NONE, HouseRules.HomeThrows.HOUSE}:
        return None
    faces = (throw.low, throw.middle, throw.high) if throw else ()
    story = str(tokens.resolve(house.pk, throw.story)) if throw and throw.story else ""
    return HomeShown(source, str(HouseRules.HomeThrows(source).label), faces, story)


def terms(game: str, chosen: Mapping[str, Any], *, fee: str, paid: bool) -> Iterator[str]:
    """The fee, main options, and options that are not the rules' default, in words."""
    if fee:
        yield _("Fee: %(fee)s") % {"fee": fee}
    for option in OPENINGS[game].options:
        if option.name == UNIT and not paid:
            continue
        value = chosen.get(option.name, option.default)
        if option.main or value != option.default:
            yield f"{option.label}: {_in_words(option, value, paid=paid)} ({option.rule})"


def _in_words(option: Option, value: object, *, paid: bool) -> str:
    """A value with what it counts, such as "2 points", where it is a number and no amount."""
    said, numbers = opening_forms.value_in_words(option, value, paid=paid), option.numbers
    if numbers is None or said != str(value):
        return said
    return f"{numbers.label}: {said}" if numbers.label else f"{said} {numbers.help}".strip()


# The parts that a board shows in turn, each for the house's seconds: its tables, and each game.
#
# A new part is a line in `PARTS` and a template ``wall/_<name>.html``, which has each of its pages
# as `page`. Who is called from the waiting list stands below all of them.


FIGURES: Final = 2
"""The number of figures of each table on the board of the house, the pot first."""
RANKS_MOST, PRIZES_MOST, WINNERS = 8, 3, 3
"""Lines of a scoreboard, prizes of a kind beside them, and lines of the season before."""


@dataclass(frozen=True, slots=True)
class Now:
    """What the parts of a board are made from; `lines`: who waits, by game."""

    house: Establishment
    at: datetime
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class Part:
    """
    A part of a board.

    :param pages: its pages, each as its template shows it; none: the part is left out.
    """

    name: str
    pages: Callable[[Now], Sequence[Any]]


def in_turn(now: Now, *, tables: bool, only: str = "") -> list[dict[str, Any]]:
    """
    The pages of the parts, in order. :param tables: whether the house's tables are among them.
    :param only: the name of the one part that a screen shows; "": all.
    """
    return [
        {"name": part.name, "template": f"floor/wall/_{part.name}.html", "page": page}
        for part in PARTS
        if only in {"", part.name} and (tables or part.name != "tables")
        for page in part.pages(now)
    ]


def tables(now: Now) -> list[dict[str, Any]]:
    """The running games of the tables that have a board, the free tables, and the rollovers."""
    rows = in_list_order(now.house.tables.filter(in_use=True, wall=True))
    games = queries.games_at(now.house.pk, rows)
    lines = [_line(now.house, table, games.get(table.pk)) for table in rows]
    free = [each["name"] for each in lines if not each["game"]]
    page = {
        "tables": [each for each in lines if each["game"]],
        "free": free,
        "lots": waiting_rollovers(now.house),
        "lines": [each for each in now.lines if each.waiting],
    }
    return [page] if lines or page["lots"] else []


def _line(house: Establishment, table: Table, loaded: Any) -> dict[str, Any]:
    running = queries.running(house, loaded)
    if running is None:
        return {"name": table.name, "game": None}
    presenter = PRESENTERS[loaded.ruleset.id]
    line = {name: running[name] for name in ("title", "round")}
    line["sentence"] = sentence(loaded, presenter)
    line["to_beat"] = to_beat(loaded, presenter)
    line["auction"] = presenter.auction(loaded)
    line["seats"] = seats(house, loaded, presenter)
    called = put_labels(line, names(house, loaded))
    called["figures"] = figures(presenter, loaded)[:FIGURES]
    return {"name": table.name, "game": called}


def waiting_rollovers(house: Establishment) -> list[dict[str, Any]]:
    """The rollovers that wait for the next game of each kind, which are players' money (A6)."""
    found = []
    for kind in rollovers.kinds(house.pk):
        if coins := rollovers.total(rollovers.read(house.pk, kind).waiting):
            words = _("Waits for the next %(game)s") % {"game": TITLES.get(kind, kind)}
            found.append({"game": kind, "words": words, "amount": coins})
    return found


def games(now: Now) -> list[dict[str, Any]]:
    """Each game that the house plays: its home throw and the story, the rules in force."""
    rules = house_rules.all_in_force(now.house, now.at)
    played = house_rules.games_offered(now.house, now.at)
    lots = {each["game"]: each for each in waiting_rollovers(now.house)}
    return [
        {**_game(now, game, rules.get(game)), "lot": lots.get(game)}
        for game in OPENINGS
        if game in played
    ]


def _game(now: Now, game: str, rules: HouseRules | None) -> dict[str, Any]:
    form, chosen = OPENINGS[game], options_of(now.house, game, rules)
    paid = opening_forms.is_for_money(form, chosen)
    fee = house_rules.fee_text(rules.fee) if rules and rules.fee and paid else ""
    return {
        "title": TITLES[game],
        "line": form.line,
        "dice": form.sample_dice,
        "lines": [each for each in now.lines if each.game == game],
        "home": home_of(now.house, game, rules, now.at),
        "terms": list(terms(game, chosen, fee=fee, paid=paid)),
        "text": str(tokens.resolve(now.house.pk, rules.text)) if rules and rules.text else "",
    }


def boards(now: Now) -> list[dict[str, Any]]:
    """The first ones of each scoreboard whose season runs, as they may be named, and its prizes."""
    found = (scoreboards.read(now.house, game, now.at, most=RANKS_MOST)
             for game in scoreboards.games(now.house))  # fmt: skip
    running = [
        (board, _season_before(now, board))
        for board in found
        if board and board.runs and board.ranks
    ]
    ranks = [each for pair in running for board in pair if board for each in board.ranks]
    names = public_names(now.house, {each.player for each in ranks})

    def lines(board: Board) -> list[RankItem]:
        return [
            RankItem(row=each, name=names[each.player], public="", url="") for each in board.ranks
        ]

    return [
        {
            "game": board.game,
            "title": board.title,
            "season": board.season,
            "lines": lines(board),
            "before": {"season": before.season, "lines": lines(before)} if before else None,
            "thresholds": board.thresholds[:PRIZES_MOST],
            "places": board.places[:PRIZES_MOST],
        }
        for board, before in running
    ]


def _season_before(now: Now, board: Board) -> Board | None:
    """The season before, while the one that runs leaves room for its first ones and a heading."""
    number = board.season.number - 1
    if not number or len(board.ranks) + 1 + WINNERS > RANKS_MOST:
        return None
    before = scoreboards.read(now.house, board.game, now.at, number=number, most=WINNERS)
    return before if before and before.ranks else None


def calls(lines: Sequence[Line]) -> dict[str, list[str]]:
    """Who is called, by the name of the table; "" is the desk."""
    found: dict[str, list[str]] = {}
    for place in (each for line in lines for each in line.called):
        found.setdefault(place.table, []).append(place.public)
    return found


PARTS: Final = (
    Part("tables", tables),
    Part("scoreboards", boards),
    Part("games", games),
)
"""The parts in their order."""
