"""The list of a scoreboard: its page, files and API, with names, for the house's people."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from casino.floor.players import regulars
from casino.floor.players.public_names import public_names
from casino.house.pseudonyms import tokens
from casino.kit.web.api.houses import OVERSEEING
from casino.kit.web.listings.columns import API, FOR_PROGRAMS, Column
from casino.kit.web.listings.filters import TextFilter, filters
from casino.kit.web.listings.listing import Listing
from casino.play.core import scoreboards
from casino.play.core.scoreboards import Rank
from casino.play.settlement.scoreboard import as_json
from casino.words.languages.amounts import money
from casino.words.presenters import TITLES
from games.reporting import exactly

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from casino.kit.web.listings.listing import Viewer
    from casino.play.core.scoreboards import NextPrize
    from casino.play.settlement.scoreboard import Award

SEASON: Final = "[0-9]{1,9}"
FOUND_MOST: Final = 100  # players of a name's beginning


@dataclass(frozen=True, slots=True, kw_only=True)
class RankItem:
    """
    A line with the player's name. :param public: as public screens name them.
    :param url: address of the player's page; "" if the viewer may not open it.
    """

    row: Rank
    name: str
    public: str
    url: str

    @property
    def points(self) -> str:
        return exactly(self.row.points)

    @property
    def today(self) -> str:
        """The points of this gaming day, as +2; "" without any."""
        return f"+{exactly(self.row.today)}" if self.row.today else ""

    @property
    def places_lost(self) -> int:
        return -(self.row.rise or 0)

    @property
    def next_words(self) -> str:
        return missing_words(self.row.next)

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
        found = dict(regulars.names_beginning_with(self.parent.house.pk, value, FOUND_MOST))
        return [row for row in rows if row.player in found]


def missing_words(prize: NextPrize | None) -> str:
    """What somebody wins next, and with how many points more."""
    if prize is None:
        return ""
    name = prize_words(prize.prize, prize.amount)
    if not prize.missing:
        return _("%(prize)s: with the next point") % {"prize": name}
    more = ngettext("%(prize)s: %(points)s more", "%(prize)s: %(points)s more",
                    int(prize.missing))  # fmt: skip
    return more % {"prize": name, "points": exactly(prize.missing)}


def prize_words(prize: str, amount: int) -> str:
    return f"{prize} ({money(amount)})" if amount else prize


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
        Column(name="trend", title=gettext_lazy("Trend"), template="players/_trend.html",
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
