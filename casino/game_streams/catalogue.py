"""
Every game on offer, by version, and how its events stand in the ledger.

A version of rules once released stays here for ever: a game is folded by the rules that its
opening event names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from casino.presenters.registered import games
from games.refusals import Refused, UnknownGame

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.game import Ruleset
    from games.messages import Fact
    from ledger.wire import EventContent, StoredEvent

RULESETS: Final[tuple[Ruleset, ...]] = tuple(
    ruleset for game in games().values() for ruleset in game.all_rulesets()
)

# What an opening says beside the game's own data: the version of the house's rules it is played by.
HOUSE_RULES: Final = "house_rules"
# Above how many coins a payout of the game needs a witness (A7), as the house had it then.
LARGE_PRIZE: Final = "large_prize"

# What a throw event says beside the game's own data: where it was thrown and with which dice.
PLACE: Final = "place"

SHARED: Final = "game"  # what the types of events begin with that all games share

PINNED: Final = frozenset({PLACE, HOUSE_RULES, LARGE_PRIZE})

_BY_VERSION: Final = {
    (ruleset.id.replace("-", "_"), ruleset.version): ruleset for ruleset in RULESETS
}
_CURRENT: Final = {ruleset.id: ruleset for ruleset in RULESETS}


class GameNotInstalled(Refused, LookupError):  # noqa: N818 - a refusal, as those of games
    """A game is on record and its rules are not here: its package was taken away."""

    code = "game_not_installed"

    def __init__(self, sentence: str, *, game: str) -> None:
        super().__init__(sentence)
        self.game = game


def current(game: str) -> Ruleset:
    """
    The newest rules of a game.

    :raises UnknownGame: naming the games there are.
    """
    if game not in _CURRENT:
        raise UnknownGame(f"game: {game!r} is not played here; {', '.join(_CURRENT)} is.")
    return _CURRENT[game]


def is_installed(family: str) -> bool:
    """:param family: what the types of a game's own events begin with."""
    return any(name == family for name, _version in _BY_VERSION)


def is_missing(event: StoredEvent) -> bool:
    """Whether an event is one of a game's own, and no rules of the game are here."""
    family = event.event_type.partition(".")[0]
    return event.stream.startswith("game/") and family != SHARED and not is_installed(family)


def not_installed(event: StoredEvent) -> GameNotInstalled:
    """What is to be raised for it."""
    game = event.event_type.partition(".")[0].replace("_", "-")
    return GameNotInstalled(f"The rules of {game} are not installed here.", game=game)


def pinned(opening: StoredEvent | EventContent) -> Ruleset:
    """
    The rules a game was opened under, as its opening event names them.

    :raises GameNotInstalled: if they are not here.
    """
    family, version = opening.event_type.partition(".")[0], opening.data["rules_version"]
    if (family, version) not in _BY_VERSION:
        game = family.replace("_", "-")
        raise GameNotInstalled(
            f"The rules of {game}, version {version}, are not installed here.", game=game
        )
    return _BY_VERSION[family, version]


def stored(ruleset: Ruleset, fact: Fact, place: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """
    A fact as event type and data, a throw with its place.

    :raises ValueError: if the game calls something of its own so; it would be lost.
    """
    event_type, data = ruleset.encode(fact)
    if PLACE in data:
        raise ValueError(f"{event_type} has a field {PLACE}: that is the word for table and dice.")
    return event_type, {**data, PLACE: dict(place)} if fact.is_throw else data


def recalled(ruleset: Ruleset, event: StoredEvent | EventContent) -> Fact:
    """The fact that a stored event holds."""
    own = {name: value for name, value in event.data.items() if name not in PINNED}
    return ruleset.decode(event.event_type, own)
