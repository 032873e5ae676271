"""The office's page of a scoreboard: its list, its seasons side by side, the leaders as a plot."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Count, F, Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext as _

from casino.floor.players.scoreboard_list import SCOREBOARD, season_number
from casino.house.establishments.gaming_day import A_DAY
from casino.house.pseudonyms import tokens
from casino.kit.web.listings.pages import page_with_list
from casino.kit.web.pages import office
from casino.kit.web.plots.axes import Axis
from casino.kit.web.plots.charts import table_of
from casino.kit.web.plots.lines import Line, Plot, Point, plot
from casino.play.core import scoreboards
from casino.play.settlement.models import PrizeIssued, Season, Tally
from casino.play.settlement.scoreboard import rank
from casino.words.languages import locales
from casino.words.presenters import TITLES
from games.reporting import exactly

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from django.http import HttpResponse
    from django.utils.safestring import SafeString

    from casino.house.establishments.models import Establishment
    from casino.kit.web.pages import Page
    from casino.play.core.scoreboards import Board

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
        page, SCOREBOARD if runs else FINAL_TABLE, "players/scoreboard.html", context
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
