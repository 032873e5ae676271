"""Histories of games, read from their streams without keeping the games in memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from casino.house.acts.game_streams import catalogue
from casino.house.acts.game_streams.catalogue import GameNotInstalled
from casino.house.acts.game_streams.loading import GameKey
from ledger import recent

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping, Sequence
    from uuid import UUID

    from games.game import History, Ruleset
    from games.messages import Fact

AT_ONCE: Final = 10  # games in one query, and so in memory at the same time


@dataclass(frozen=True)
class GameHistory:
    """:param positions: the positions of the game's events in the house's ledger."""

    key: GameKey
    ruleset: Ruleset
    positions: Sequence[int]
    facts: Sequence[Fact]

    @cached_property
    def history(self) -> History:
        return tuple(enumerate(self.facts, start=1))


def histories(
    establishment: UUID,
    games: Sequence[UUID],
    through: int,
    missing: MutableMapping[UUID, GameNotInstalled],
) -> Iterator[GameHistory]:
    """
    The histories of games up to a position of the house's ledger; nothing is kept in memory.

    A game that had not begun by then is left out. A game whose rules are not installed is left out
    too, and put into `missing`.
    """
    for start in range(0, len(games), AT_ONCE):
        keys = [GameKey(establishment, game) for game in games[start : start + AT_ONCE]]
        contents = recent.contents(establishment, [key.stream for key in keys], through)
        for key in keys:
            if events := contents.pop(key.stream, None):
                try:
                    ruleset = catalogue.ruleset_of(events[0])
                except GameNotInstalled as not_here:
                    missing[key.game] = not_here
                    continue
                facts = tuple(catalogue.fact_of_event(ruleset, event) for event in events)
                yield GameHistory(key, ruleset, [event.position for event in events], facts)
