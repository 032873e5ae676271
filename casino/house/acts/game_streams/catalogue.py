"""
The catalogue of games, by version, and how events of games are stored in the ledger.

A released version of rules stays here for ever, because a game is always folded with the version
that its opening event names. A game on record whose package is not installed cannot be computed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from casino.words.presenters.registered import games
from games.refusals import Refused, UnknownGame
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from uuid import UUID

    from django.db.models import QuerySet

    from games.game import Ruleset
    from games.messages import Fact
    from ledger.wire import EventContent, StoredEvent

RULESETS: Final[tuple[Ruleset, ...]] = tuple(
    ruleset for game in games().values() for ruleset in game.all_rulesets()
)

# Field of an opening event, beside the game's own data: the version of the house's rules.
HOUSE_RULES: Final = "house_rules"
# Field of an opening event: above how many coins a payout needs a witness (A7), as set then.
LARGE_PRIZE: Final = "large_prize"

# Field of a throw event, beside the game's own data: the table and the dice set.
PLACE: Final = "place"

SHARED: Final = "game"  # the prefix of event types that all games share

PINNED: Final = frozenset({PLACE, HOUSE_RULES, LARGE_PRIZE})

_BY_VERSION: Final = {
    (ruleset.id.replace("-", "_"), ruleset.version): ruleset for ruleset in RULESETS
}
_CURRENT: Final = {ruleset.id: ruleset for ruleset in RULESETS}


class GameNotInstalled(Refused, LookupError):  # noqa: N818 - a refusal, as those of games
    """A game is on record, but its rules are not installed: its package was removed."""

    code = "game_not_installed"

    def __init__(self, sentence: str, *, game: str) -> None:
        super().__init__(sentence)
        self.game = game


def current(game: str) -> Ruleset:
    """
    The newest rules of a game.

    :raises UnknownGame: if there is no such game; the message names the games on offer.
    """
    if game not in _CURRENT:
        raise UnknownGame(f"game: {game!r} is not played here; {', '.join(_CURRENT)} is.")
    return _CURRENT[game]


def is_installed(family: str) -> bool:
    """:param family: the prefix of the types of a game's own events."""
    return any(name == family for name, _version in _BY_VERSION)


def is_missing(event: StoredEvent) -> bool:
    """Whether an event is a game's own, and the rules of that game are not installed."""
    family = event.event_type.partition(".")[0]
    return event.stream.startswith("game/") and family != SHARED and not is_installed(family)


def not_installed(event: StoredEvent) -> GameNotInstalled:
    """The exception for an event whose game is not installed."""
    game = event.event_type.partition(".")[0].replace("_", "-")
    return GameNotInstalled(f"The rules of {game} are not installed here.", game=game)


def ruleset_of(opening: StoredEvent | EventContent) -> Ruleset:
    """
    The rules with which a game was opened, as its opening event names them.

    :raises GameNotInstalled: if these rules are not installed.
    """
    family, version = opening.event_type.partition(".")[0], opening.data["rules_version"]
    if (family, version) not in _BY_VERSION:
        game = family.replace("_", "-")
        raise GameNotInstalled(
            f"The rules of {game}, version {version}, are not installed here.", game=game
        )
    return _BY_VERSION[family, version]


def event_of_fact(
    ruleset: Ruleset, fact: Fact, place: Mapping[str, str]
) -> tuple[str, dict[str, Any]]:
    """
    A fact as event type and data; a throw with its place.

    :raises ValueError: if the game's own data has a field of a reserved name, which would be lost.
    """
    event_type, data = ruleset.encode(fact)
    if PLACE in data:
        raise ValueError(f"{event_type} has a field {PLACE}: that is the word for table and dice.")
    return event_type, {**data, PLACE: dict(place)} if fact.is_throw else data


def fact_of_event(ruleset: Ruleset, event: StoredEvent | EventContent) -> Fact:
    """The fact that a stored event contains."""
    own = {name: value for name, value in event.data.items() if name not in PINNED}
    return ruleset.decode(event.event_type, own)


# --- Games on record that are not installed -------------------------------------------------------


SETTLEMENT = "settlement/"


@dataclass(frozen=True, slots=True)
class Missing:
    """
    Kinds of games on record that are not installed.

    :param games: their ids, which are the names of their packages' registrations.
    :param openings: the types of the events that opened them.
    """

    establishment: UUID
    games: tuple[str, ...] = ()
    openings: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.games)

    def streams(self) -> frozenset[str]:
        """The streams of these games, and of their settlements."""
        mine = self._opened().values_list("stream", flat=True)
        games = [stream.partition("/")[2] for stream in mine] if self else []
        return frozenset(f"{area}/{game}" for game in games for area in ("game", "settlement"))

    def events(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The events of these games: the actor and the data of each."""
        theirs = Event.objects.filter(
            establishment=self.establishment, stream__in=self._opened().values("stream")
        )
        if self:
            for actor, body in theirs.values_list("actor", "body").iterator():
                yield actor, json.loads(bytes(body))["data"]

    def _opened(self) -> QuerySet[Event]:
        return _openings(self.establishment).filter(event_type__in=self.openings)


def missing_games(establishment: UUID) -> Missing:
    """The games that a house has on record and that are not installed."""
    return _missing(establishment, _openings(establishment))


def missing_among(establishment: UUID, streams: QuerySet[Any]) -> Missing:
    """Like `of`, but only for the games with these streams."""
    return _missing(establishment, _openings(establishment).filter(stream__in=streams))


def _missing(establishment: UUID, openings: QuerySet[Event]) -> Missing:
    types = openings.order_by().values_list("event_type", flat=True).distinct()
    missing = sorted(each for each in types if not is_installed(each.partition(".")[0]))
    games = (each.partition(".")[0].replace("_", "-") for each in missing)
    return Missing(establishment, tuple(dict.fromkeys(games)), tuple(missing))


def _openings(establishment: UUID) -> QuerySet[Event]:
    return Event.objects.filter(
        establishment=establishment, stream__startswith="game/", stream_version=1
    )
