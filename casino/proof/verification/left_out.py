"""
Selects the rows of games whose package is not installed here: they cannot be made again or
compared.

Rows that are made without the rules of a game (cash, accounts, dice, requests, the search for
events) are compared for these games too. Rows that need the rules are left out one by one: a
package that was removed is not a forgery, and must not hide one in the rows of another game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from casino.house.acts.game_streams import missing
from casino.house.acts.game_streams.missing import SETTLEMENT, Missing
from casino.play.core.models import DayFigures, GameCard, QuarterFigures
from casino.play.core.round_models import GameSpan, RoundRow
from casino.play.dice.surveillance.models import (
    CurvePoint,
    DiceStream,
    EntryRow,
    LeadRow,
    SealedHand,
)
from casino.play.settlement.models import Payout
from casino.proof.disputes.models import DisputeRow, Seated
from casino.proof.search.models import RoundAmount, RoundLine, RoundPerson
from casino.proof.verification.shadow import EVENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from uuid import UUID

    from django.db.models import Model

    from casino.proof.verification.shadow import Shadows

NEAR_AN_ALARM: Final = 1.0
"""
Evidence, as its logarithm. Whether a stream of dice above this value is called unfair depends on
all other streams, so such streams are left out as well.
"""

GAME: Final = "'game/' || {game} IN ({games})"
POSITION: Final = "position IN (SELECT position FROM {events} AND {theirs})"
DAY: Final = "gaming_day IN (SELECT gaming_day FROM {events} AND {theirs})"
THROWN: Final = "kind = 'house' OR name IN ({names})"
ROWS: Final[Mapping[type[Model], str]] = {
    GameCard: GAME,
    GameSpan: GAME,
    RoundRow: GAME,
    Payout: GAME,
    DayFigures: DAY,
    QuarterFigures: DAY,
    DisputeRow: GAME,
    Seated: GAME,
    RoundLine: GAME,
    RoundPerson: POSITION,
    RoundAmount: POSITION,
    SealedHand: GAME,
    LeadRow: "game IN ({ids})",
    EntryRow: THROWN,
    CurvePoint: THROWN,
    DiceStream: f"highest >= {NEAR_AN_ALARM} OR {THROWN}",
}
"""The rows of a table that need the rules of a game, as an SQL condition. Other tables: none."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """
    What is left out, because the package of a game is missing.

    :param streams: the streams of these games and of their settlement; their events are not
        replayed.
    :param names: the owners of streams of dice (people, tables, sets, …) that may contain throws of
        these games.
    """

    missing: Missing
    streams: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    def rows(self, model: type[Model], made: Shadows) -> str:
        """An SQL condition for the rows of a table that are not compared; "": all are compared."""
        if not self.missing or model not in ROWS:
            return ""
        events = f"{made.real[EVENTS]} WHERE establishment = '{made.house.hex}'"
        games = (
            f"SELECT stream FROM {events} AND stream_version = 1"  # noqa: S608 - our own names
            f" AND event_type IN ({as_sql_list(self.missing.openings)})"
        )
        theirs = (
            f"(stream IN ({games}) OR stream LIKE '{SETTLEMENT}%'"
            f" AND 'game/' || substr(stream, {len(SETTLEMENT) + 1}) IN ({games}))"
        )
        return ROWS[model].format(
            game=made.vendor.spelt("game"), games=games, events=events, theirs=theirs,
            ids=as_sql_list(self.missing.games), names=as_sql_list(self.names),
        )  # fmt: skip


def nothing(establishment: UUID) -> LeftOut:
    """Leave nothing out: for a subscriber that does not need the rules of games."""
    return LeftOut(Missing(establishment))


def of(establishment: UUID) -> LeftOut:
    """What must be left out in a house: the streams and rows of games without a package."""
    games = missing.of(establishment)
    return LeftOut(games, games.streams(), frozenset(_met(games)))


def rows_alone(establishment: UUID) -> LeftOut:
    """Leave out rows only: for a subscriber that reads all events, and needs rules for few rows."""
    return LeftOut(missing.of(establishment))


def _met(games: Missing) -> Iterator[str]:
    for actor, data in games.events():
        yield actor
        yield from (str(data[each]) for each in ("table", "dice_set", "player") if data.get(each))
        yield from data.get("place", {}).values()


def as_sql_list(texts: Iterable[str]) -> str:
    """Texts as a list in SQL; NULL, which matches nothing, if there are none."""
    quoted = sorted("'" + each.replace("'", "''") + "'" for each in texts)
    return ", ".join(quoted) or "NULL"
