"""The games whose odds are known, and the answer to a query."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from casino.words.presenters import odds_tables
from casino.words.presenters.odds_tables import Answer
from casino.words.presenters.registered import OfEach
from casino.words.presenters.registration import Game
from games.refusals import UnknownGame

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.words.presenters.odds_tables import Raw, Subject


KEPT: Final = 128  # answers that each process caches; guests of many houses ask for theirs

GAMES: Final[Mapping[str, Subject]] = OfEach(Game.has_odds, having=lambda game: game.odds)


def find(game: str) -> Subject:
    """
    The game of that name, as its odds describe it.

    :raises UnknownGame: if its odds are not known; names the games whose odds are.
    """
    if game not in GAMES:
        raise UnknownGame(f"game: no odds are known of {game!r}; of {', '.join(GAMES)} they are.")
    return GAMES[game]


def answer(game: str, raw: Raw) -> Answer:
    """
    The odds of a game, for a query.

    :param raw: field -> texts, as in a query string; an absent field has its default.
    :raises Malformed: if a field does not exist, or its value has a wrong shape.
    :raises Refused: if a value is not possible: an unknown game, option value or face, too many
        dice.
    """
    return _answer(game, tuple(sorted((name, tuple(texts)) for name, texts in raw.items())))


@lru_cache(maxsize=KEPT)
def _answer(game: str, raw: tuple[tuple[str, tuple[str, ...]], ...]) -> Answer:
    """The answer to a query. It depends only on the query, so it is cached."""
    of = find(game)
    query = odds_tables.read_query(
        dict(raw), of.fields, of.options, game=of.title.lower(), ranges=of.ranges
    )
    return Answer(
        game=game,
        title=of.title,
        options=asdict(query.options),
        query=query.values,
        unmoved={field.name: field.unmoved for field in of.fields if field.unmoved},
        tables=tuple(of.tables(query)),
        notes=tuple(of.notes(query)),
    )
