"""The games whose odds are known, and the answer to a query."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from casino.presenters.odds import params
from casino.presenters.odds.answers import Answer
from casino.presenters.registered import OfEach
from casino.presenters.registration import Game
from games.refusals import UnknownGame

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.presenters.odds.params import Raw
    from casino.presenters.odds.subject import Subject


KEPT: Final = 32  # answers that a process remembers

GAMES: Final[Mapping[str, Subject]] = OfEach(Game.has_odds, having=lambda game: game.odds)


def find(game: str) -> Subject:
    """:raises UnknownGame: naming the games there are."""
    if game not in GAMES:
        raise UnknownGame(f"game: no odds are known of {game!r}; of {', '.join(GAMES)} they are.")
    return GAMES[game]


def answer(game: str, raw: Raw) -> Answer:
    """
    The odds of a game, for a query.

    :param raw: field -> texts, as a query string has them; what is absent has its default.
    :raises Malformed: for a field that there is not, or of a wrong shape.
    :raises Refused: for what cannot be meant: an unknown game, option value or face, too many dice.
    """
    return _answer(game, tuple(sorted((name, tuple(texts)) for name, texts in raw.items())))


@lru_cache(maxsize=KEPT)
def _answer(game: str, raw: tuple[tuple[str, tuple[str, ...]], ...]) -> Answer:
    """The answer follows from the question alone, so that it may be given again."""
    of = find(game)
    query = params.read(dict(raw), of.fields, of.options, game=of.title.lower(), ranges=of.ranges)
    return Answer(
        game=game,
        title=of.title,
        options=asdict(query.options),
        query=query.values,
        unmoved={field.name: field.unmoved for field in of.fields if field.unmoved},
        tables=tuple(of.tables(query)),
        notes=tuple(of.notes(query)),
    )
