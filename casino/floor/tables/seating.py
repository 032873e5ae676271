"""Suggests people for seats: by a few letters, who sat there lately, and the last game's seats."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.http import Http404, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino.floor.players import player_names, waiting
from casino.house.acts.game_streams import occupancy
from casino.house.acts.game_streams.loading import GameKey, load
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.gaming_day import current
from casino.house.establishments.models import Table
from casino.play.core import queries
from casino.play.core.consequences import house_seats
from casino.play.exclusions import operations as exclusions
from casino.words.presenters import PRESENTERS
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from django.http import HttpRequest

    from casino.house.acts.game_streams.loading import Loaded

LETTERS_MOST: Final = 80  # as many as a name may have
TYPED: Final = ""
"""In place of a token: the name as far as it is typed."""


@require_safe
@never_cache
def players(request: HttpRequest, table: UUID) -> HttpResponse:
    """
    At most eight players as
    ``{"players": [{"name": "Ada", "lately": true, "waits": "", "warning": ""}]}``.

    `letters` is what was typed; with fewer than two letters only people who sat at this table
    lately are named; `waits` says of who waits for the game here that they do. People who are
    excluded today are left out (P1), and so are those who sit
    there now. Who may be an excluded person under another spelling is not left out: `warning` says
    so of each, and beside `players` of what was typed. 401 if signed out, 403 if the person records
    nothing at the house, 404 if there is no such table.
    """
    if not request.user.is_authenticated:
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
    mine = Table.objects.filter(establishment__in=permissions.houses(request.user))
    here = mine.select_related("establishment").filter(pk=table).first()
    if here is None:
        raise Http404("There is no such table at your houses.")
    permissions.require(request.user, "record", here.establishment)
    letters = request.GET.get("letters", "")[:LETTERS_MOST]
    now = timezone.now()
    playing = running(here)
    waiting = waiting_for(playing, now)
    found = suggest(here, letters, now=now, playing=playing, first=waiting)
    names = {TYPED: letters} | {each.token: each.name for each in found}
    day = current(here.establishment, now)
    perhaps = exclusions.spellings_of_exclusions(here.establishment_id, names, day)
    players = [
        {
            "name": each.name,
            "lately": each.lately,
            "waits": _("waits") if each.token in waiting else "",
            "warning": _warning(perhaps.get(each.token, ())),
        }
        for each in found
    ]
    return JsonResponse({"players": players, "warning": _warning(perhaps.get(TYPED, ()))})


def _warning(excluded: Collection[str]) -> str:
    if not excluded:
        return ""
    words = _("May be the same person as %(names)s, who is excluded: ask who it is. P1")
    return words % {"names": ", ".join(excluded)}


# People to seat at a table: those who sat there lately; the last game's seats, to take again.


GAMES_LOOKED_AT: Final = 8


@dataclass(frozen=True, slots=True)
class Seats:
    """
    Seats in the order of play, with players' present names.

    :param stake: the stake, if it was the same for all.
    :param house: whether the last seat is the house's own (G8).
    """

    names: tuple[str, ...]
    game: str
    stake: int | None
    house: bool


def running(table: Table) -> Loaded | None:
    """The game that runs at a table; None if it is free."""
    game = queries.running_game(table)
    return load(GameKey(table.establishment_id, game)) if game else None


def suggest(
    table: Table,
    letters: str,
    *,
    now: datetime,
    playing: Loaded | None,
    first: Sequence[str] = (),
) -> list[player_names.Regular]:
    """
    Players whose names fit a few letters; without letters, those who sat here lately.

    :param playing: the game that runs there: whoever sits at it is not offered.
    :param first: tokens of players who come before those, as who waits for the game.
    """
    return player_names.suggest(
        table.establishment_id,
        letters,
        lately=list(dict.fromkeys([*first, *recent_players(table)])),
        seated=_players_at(playing) if playing else (),
        day=current(table.establishment, now),
    )


def waiting_for(playing: Loaded | None, now: datetime) -> list[str]:
    """Tokens of those who wait for a game that runs, in order."""
    if playing is None:
        return []
    entries = waiting.read_list(playing.key.establishment, now).entries
    return [each.player for each in entries if each.game == playing.ruleset.id]


def recent_players(table: Table) -> list[str]:
    """Tokens of the players of a table's last games, in seat order; the last game comes first."""
    seats = [row["name"] for opening in _openings(table) for row in opening.data["players"]]
    return [token for token in dict.fromkeys(seats) if tokens.is_token(token)]


def again(table: Table, *, now: datetime) -> Seats | None:
    """
    The seats of a table's last game, without players who have left or may not be seated today.

    None if fewer than two are left: then there is nothing to take again.
    """
    games = _games(table)
    if not games:
        return None
    loaded = load(GameKey(table.establishment_id, games[0]))
    stayed = [player for player in loaded.stakes if not _has_left(loaded, player)]
    day = current(table.establishment, now)
    barred = {hit.named for hit in exclusions.hits(table.establishment_id, stayed, day)[0]}
    seats = [player for player in stayed if player not in barred]
    houses = house_seats(loaded)
    seats.sort(key=lambda player: player in houses)  # the house holds the last seat
    names = tokens.resolve(table.establishment_id, seats)
    called = tuple(
        name for token, name in zip(seats, names, strict=True) if name != token
    )  # a player whose name was erased has none to be seated by
    if len(called) < 2:  # noqa: PLR2004 - a game is between people
        return None
    return Seats(
        names=called,
        game=loaded.ruleset.id,
        stake=_stake(loaded),
        house=bool(houses & set(seats)),
    )


def _stake(loaded: Loaded) -> int | None:
    stakes = {row["stake"] for row in loaded.opening.data["players"] if not row.get("house")}
    return stakes.pop() or None if len(stakes) == 1 else None


def _has_left(loaded: Loaded, player: str) -> bool:
    presenter = PRESENTERS[loaded.ruleset.id]
    standing: dict[str, Any] = dict(presenter.hand_of(loaded, loaded.view, player))
    return bool(standing["state"] == "left")


def _players_at(loaded: Loaded) -> list[str]:
    """The players who sit at a game now, without those who have left and may be seated again."""
    return [player for player in loaded.stakes if not _has_left(loaded, player)]


def _games(table: Table) -> list[UUID]:
    """The last games of a table, the latest first, from the stream of the table itself."""
    house, stream = table.establishment_id, occupancy.table_stream(str(table.pk))
    last = journal.last(establishment=house, stream=stream)
    if last is None:
        return []
    # A game leaves two events there: its opening and its end.
    after = max(0, last.stream_version - 2 * GAMES_LOOKED_AT)
    events = journal.stream(establishment=house, stream=stream, after_version=after)
    return [UUID(game) for game in dict.fromkeys(each.data["game"] for each in reversed(events))]


def _openings(table: Table) -> list[Any]:
    streams = [f"game/{game}" for game in _games(table)]
    return journal.firsts(establishment=table.establishment_id, streams=streams) if streams else []
