"""The office's page of a scoreboard: its list, its seasons side by side, the leaders as a plot."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Count, F, Window
from django.db.models.functions import RowNumber
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.floor.players import player_names
from casino.floor.players.player_names import public_names
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.gaming_day import A_DAY
from casino.kit.web.api.houses import OVERSEEING
from casino.kit.web.listings.listing import API, FOR_PROGRAMS, Column, Listing, TextFilter, filters
from casino.kit.web.listings.pages import page_with_list
from casino.kit.web.pages import office
from casino.kit.web.plots.charts import Axis, table_of
from casino.kit.web.plots.lines import Line, Plot, Point, plot
from casino.play.core import scoreboards
from casino.play.core.scoreboards import Rank
from casino.play.settlement.models import PrizeIssued, Season, Tally
from casino.play.settlement.scoreboard import as_json, rank
from casino.words.languages import locales
from casino.words.presenters import TITLES
from casino.words.presenters.rounds import missing_words, prize_words
from games.reporting import exactly

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from django.http import HttpResponse
    from django.utils.safestring import SafeString

    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.listing import Viewer
    from casino.kit.web.pages import Page
    from casino.play.core.scoreboards import Board, NextPrize
    from casino.play.settlement.scoreboard import Award


# The list of a scoreboard: its page, files and API, with names, for the house's people.


SEASON: Final = "[0-9]{1,9}"
FOUND_MOST: Final = 100  # players of a name's beginning


@dataclass(frozen=True, slots=True, kw_only=True)
class RankItem:
    """
    A line with the player's name. :param public: as public screens name them.
    :param url: address of the player's page; "" if the viewer may not open it.
    :param ahead: points that are foreseen: recorded, but not booked yet.
    """

    row: Rank
    name: str
    public: str
    url: str
    ahead: Fraction = Fraction()

    @property
    def points(self) -> str:
        return exactly(self.row.points + self.ahead)

    @property
    def booked(self) -> str:
        """The points that are booked; "" if that is all of them."""
        return exactly(self.row.points) if self.ahead else ""

    @property
    def today(self) -> str:
        """The points of this gaming day, as +2; "" without any."""
        return f"+{exactly(self.row.today)}" if self.row.today else ""

    @property
    def places_lost(self) -> int:
        return -(self.row.rise or 0)

    @property
    def next_words(self) -> str:
        prize = self.row.next
        if prize is None:
            return ""
        name = prize_words(prize.prize, prize.amount)
        return missing_words(name, prize.missing - self.ahead, self.ahead)

    @property
    def won_words(self) -> str:
        return prizes_in_words(self.row.wins)


def game_and_season(viewer: Viewer) -> tuple[str, int | None]:
    """The game and the season that the address names; without a game, the house's first board."""
    match = viewer.request.resolver_match
    game = match.kwargs.get("game", "") if match else ""
    number = season_number(viewer.request.GET.get("season", ""))
    return game or next(iter(scoreboards.games(viewer.house)), ""), number


def season_number(text: str) -> int | None:
    return int(text) if re.fullmatch(SEASON, text) else None


def ranks(viewer: Viewer) -> Sequence[Rank]:
    """:raises Http404: if the address names a game or a season that there is not."""
    game, number = game_and_season(viewer)
    board = scoreboards.read(viewer.house, game, timezone.now(), number=number)
    if board is None and (number is not None or game not in {"", *TITLES}):
        raise Http404("There is no such board, or it has no such season.")
    return board.ranks if board else ()


def items(viewer: Viewer, rows: Sequence[Rank]) -> list[RankItem]:
    players = {each.player for each in rows}
    names = tokens.names(viewer.house.pk, players)
    public = public_names(viewer.house, players) if viewer.surface == "api" else {}
    oversees = any(viewer.may(act) for act in OVERSEEING)
    return [
        RankItem(
            row=row,
            name=names.get(row.player, row.player),
            public=public.get(row.player, ""),
            url=reverse("player", args=[row.player]) if oversees else "",
        )
        for row in rows
    ]


class NamedFilter(TextFilter):
    """Keeps players by the first letters of a name."""

    def filter(self, rows: Any, value: Any) -> Any:
        if not value:
            return rows
        found = dict(player_names.names_beginning_with(self.parent.house.pk, value, FOUND_MOST))
        return [row for row in rows if row.player in found]


def prizes_in_words(wins: Iterable[Award]) -> str:
    return ", ".join(prize_words(each.prize, each.amount) for each in wins)


SCOREBOARD: Final = Listing[Rank, RankItem](
    name="scoreboard",
    title=gettext_lazy("Scoreboard"),
    about=gettext_lazy("A season of a game's scoreboard: places, points, what is next to win."),
    rows=ranks,
    items=items,
    order=("place", "player"),
    filters=filters(
        season=TextFilter(pattern=SEASON, keep=lambda rows, _number: rows,
                          about="By its number; absent: the one that runs, or else the last."),
        name=NamedFilter(title=gettext_lazy("Player"), about="By the beginning of a name."),
    ),
    columns=(
        Column(name="place", title=gettext_lazy("Rank"), kind="number", order=("place",),
               value=lambda item: item.row.place),
        Column(name="name", title=gettext_lazy("Player"), style="row-name",
               link=lambda item: item.url),
        Column(name="player", title=gettext_lazy("Id in the ledger"), on=FOR_PROGRAMS,
               value=lambda item: item.row.player),
        Column(name="public", on=API),
        Column(name="points", title=gettext_lazy("Points"), style="num", order=("-points",),
               value=lambda item: as_json(item.row.points),
               display=lambda item: item.points),
        Column(name="rounds", title=gettext_lazy("Rounds"), kind="number",
               style="wide", order=("-rounds",), value=lambda item: item.row.rounds),
        Column(name="today", title=gettext_lazy("Today"), style="num wide",
               value=lambda item: as_json(item.row.today),
               display=lambda item: f"+{exactly(item.row.today)}" if item.row.today else ""),
        Column(name="trend", title=gettext_lazy("Trend"), template="floor/players/_trend.html",
               value=lambda item: item.row.trend, display=lambda item: trend_words(item.row)),
        Column(name="rise", on=API, value=lambda item: item.row.rise),
        Column(name="next", title=gettext_lazy("Next to win"), style="because",
               value=lambda item: _prize(item.row.next),
               display=lambda item: item.next_words),
        Column(name="wins", title=gettext_lazy("For the place"), style="because",
               value=lambda item: [_award(each) for each in item.row.wins],
               display=lambda item: item.won_words),
    ),
    empty=gettext_lazy("Nobody has a point yet. Who scores stands here at once."),
    none_such=gettext_lazy("Nobody of that name has a point in this season."),
    from_replica=True,
)  # fmt: skip


def trend_words(row: Rank) -> str:
    """The trend in words, for files and for who hears the page."""
    match row.trend:
        case "new":
            return _("new")
        case "same":
            return ""
        case "up":
            return _("up %(places)s") % {"places": row.rise}
        case _:
            return _("down %(places)s") % {"places": -(row.rise or 0)}


def _prize(prize: NextPrize | None) -> dict[str, Any] | None:
    if prize is None:
        return None
    return {
        "prize": prize.prize, "amount": prize.amount, "missing": as_json(prize.missing),
    }  # fmt: skip


def _award(award: Award) -> dict[str, Any]:
    return {"prize": award.prize, "amount": award.amount}


LATEST: Final = 12  # seasons side by side
BEST, LOOKED_AT = 3, 20
"""Places of each season that are shown, and the lines of which they are made."""
LEADERS: Final = 4
WHILE_IT_RUNS: Final = {"today", "trend", "rise", "next"}
FINAL_TABLE: Final = replace(
    SCOREBOARD, columns=tuple(each for each in SCOREBOARD.columns if each.name not in WHILE_IT_RUNS)
)
"""The list of a season that is over: nothing moves in it, and nothing is next to win."""
DAYS_MOST: Final = 92
"""Gaming days of the plot: a quarter of a year. A longer season is shown from there on."""


@office("look", section="scoreboards", from_replica=True)
def scoreboard(page: Page, game: str = "") -> HttpResponse:
    """A board of the house; without a game in the address, the first one."""
    known = scoreboards.games(page.house)
    game = game or next(iter(known), "")
    chosen = season_number(page.request.GET.get("season", ""))

    def context() -> dict[str, Any]:
        board = scoreboards.read(page.house, game, page.now, number=chosen) if game else None
        return {
            "board": board,
            "game": game,
            "title": TITLES.get(game, game),
            "games": [(each, TITLES.get(each, each)) for each in known],
            "plot": leaders_plot(page.house, board, page.day) if board and board.ranks else "",
            "seasons": side_by_side(page.house, game),
            "audits": page.may("audit"),
        }

    season = scoreboards.season_of(page.house, game, chosen)
    runs = season is None or season.state == Season.State.OPEN
    return page_with_list(
        page, SCOREBOARD if runs else FINAL_TABLE, "floor/players/scoreboard.html", context
    )


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """
    A season beside the others.

    :param best: place, names and points of the first ones.
    """

    season: Season
    players: int
    prizes: int
    best: tuple[tuple[int, str, str], ...]


def side_by_side(house: Establishment, game: str) -> list[SeasonLine]:
    """The latest seasons of a board, the newest first, with the first places of each."""
    seasons = list(
        Season.objects.filter(establishment=house, ruleset=game).order_by("-number")[:LATEST]
    )
    numbers = [each.number for each in seasons]
    rows = Tally.objects.filter(establishment=house, ruleset=game, season__in=numbers)
    some = rows.annotate(
        nth=Window(
            RowNumber(), partition_by=F("season"), order_by=(F("points").desc(), F("player"))
        )
    ).filter(nth__lte=LOOKED_AT)
    points: dict[int, dict[str, Fraction]] = {}
    for each in some:
        points.setdefault(each.season, {})[each.player] = each.exact
    scored = rows.exclude(points=0, share="0").order_by()
    many = dict(scored.values_list("season").annotate(Count("player")))
    won = PrizeIssued.objects.filter(establishment=house, ruleset=game, season__in=numbers)
    prizes = dict(won.order_by().values_list("season").annotate(Count("player")))
    places = {
        number: [each for each in rank(found, "") if each[0] <= BEST]
        for number, found in points.items()
    }
    shown = {player for found in places.values() for _place, equals in found for player in equals}
    names = tokens.names(house.pk, shown)
    return [
        SeasonLine(
            each,
            many.get(each.number, 0),
            prizes.get(each.number, 0),
            tuple(
                (place, _line_of_names(equals, names), exactly(points[each.number][equals[0]]))
                for place, equals in places.get(each.number, ())
            ),
        )
        for each in seasons
    ]


def _line_of_names(players: Sequence[str], names: dict[str, str]) -> str:
    named = [names.get(each, each) for each in players]
    if len(named) <= BEST:
        return ", ".join(named)
    more = _("and %(more)s more") % {"more": len(named) - BEST}
    return f"{', '.join(named[:BEST])} {more}"


def leaders_plot(house: Establishment, board: Board, today: date) -> SafeString:
    """The points of the first ones at the end of each gaming day of the season."""
    leaders = board.ranks[:LEADERS]
    season = board.season
    last = min(today, season.last_day or today)
    earliest = last - timedelta(days=DAYS_MOST - 1)
    since = max(season.first_day or earliest, earliest)
    days: dict[date, dict[str, Fraction]] = {since - A_DAY: {}}
    for day, points in scoreboards.points_by_round(house, season.ruleset, since, last):
        of_day = days.setdefault(day, {})
        for each in leaders:
            if each.player in points:
                won = of_day.get(each.player, Fraction()) + Fraction(points[each.player])
                of_day[each.player] = won
    names = tokens.names(house.pk, {each.player for each in leaders})
    order = sorted(days)
    ticks = tuple((float(day.toordinal()), locales.day_of_year(day)) for day in order)
    lines, columns = [], []
    for each in leaders:
        name = names.get(each.player, each.player)
        stood = each.points - sum(
            (of.get(each.player, Fraction()) for of in days.values()), Fraction()
        )
        found, figures = [], []
        for day in order:
            stood += days[day].get(each.player, Fraction())
            figures.append(exactly(stood))
            told = _("%(name)s: %(points)s") % {"name": name, "points": figures[-1]}
            found.append(Point(float(day.toordinal()), float(stood), told))
        columns.append(figures)
        lines.append(Line(name, tuple(found)))
    heads = [_("Gaming day"), *(line.title for line in lines)]
    rows = [[text, *(column[at] for column in columns)] for at, (_x, text) in enumerate(ticks)]
    label = _("Points of the first ones at the end of each gaming day")
    return plot(
        Plot(label, tuple(lines), x=Axis(ticks=ticks), y=Axis(title=_("Points"), whole=True),
             table=table_of(heads, rows), name="leaders")
    )  # fmt: skip
