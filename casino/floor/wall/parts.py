"""
The parts that a board shows in turn, each for the house's seconds: its tables, and each game.

A new part is a line in `PARTS` and a template ``wall/_<name>.html``, which has each of its pages as
`page`. Who is called from the waiting list stands below all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from casino.floor.players.public_names import public_names
from casino.floor.players.scoreboard_list import RankItem
from casino.floor.wall import content
from casino.floor.wall.content import home_of, terms
from casino.house.establishments.order import in_list_order
from casino.house.house_rules import operations as house_rules
from casino.house.pseudonyms import tokens
from casino.play.core import cards, scoreboards
from casino.play.odds.house_query import options_of
from casino.play.rollovers import operations as rollovers
from casino.words.presenters import PRESENTERS, TITLES
from casino.words.presenters.figures import figures
from casino.words.presenters.opening import OPENINGS, reading

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from casino.floor.players.waiting_shown import Line
    from casino.house.establishments.models import Establishment, HouseRules, Table
    from casino.play.core.scoreboards import Board

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
        {"name": part.name, "template": f"wall/_{part.name}.html", "page": page}
        for part in PARTS
        if only in {"", part.name} and (tables or part.name != "tables")
        for page in part.pages(now)
    ]


def tables(now: Now) -> list[dict[str, Any]]:
    """The running games of the tables that have a board, the free tables, and the rollovers."""
    rows = in_list_order(now.house.tables.filter(in_use=True, wall=True))
    games = cards.games_at(now.house.pk, rows)
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
    running = cards.running(house, loaded)
    if running is None:
        return {"name": table.name, "game": None}
    presenter = PRESENTERS[loaded.ruleset.id]
    line = {name: running[name] for name in ("title", "round")}
    line["sentence"] = content.sentence(loaded, presenter)
    line["to_beat"] = content.to_beat(loaded, presenter)
    line["auction"] = presenter.auction(loaded)
    line["seats"] = content.seats(house, loaded, presenter)
    called = content.put_labels(line, content.names(house, loaded))
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
    paid = reading.is_for_money(form, chosen)
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
        (board, _before(now, board)) for board in found if board and board.runs and board.ranks
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


def _before(now: Now, board: Board) -> Board | None:
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
