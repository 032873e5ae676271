"""Random openings of each game: options, fees and stakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.presenters.demonstrating import STAKES, named
from casino.presenters.registered import OfEach

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping, Sequence

    from casino.presenters.demonstrating import Opening

HOUSE_SITS: Final = 1 / 4  # share of games with a seat of the house, if it may have one
OPENINGS: Final[Mapping[str, Callable[[random.Random], Opening]]] = OfEach(
    lambda game: game.is_demonstrated().opening, having=lambda game: game.demo
)


def any_opening(game: str, names: Sequence[str], chance: random.Random) -> Opening:
    """
    A random command `open`, without its id, for a game on offer.

    :param names: the people who may sit down; two or more of them do.
    """
    count = chance.randint(2, min(4, len(names)))
    opening = OPENINGS[game](chance)
    house_sits = opening.pop("house_may_sit", False) and chance.random() < HOUSE_SITS
    stake = opening.pop("stake", 0)
    seats = [{"name": name, "stake": stake} for name in chance.sample(list(names), count)]
    if house_sits:
        seats[0]["house"] = True
    return {"do": "open", "game": game, "players": seats, **named(opening)}


def by_the_house(game: str, names: Sequence[str], chance: random.Random) -> Opening:
    """A random command `open` by the published house rules, which add the options and the fee."""
    count = chance.randint(2, min(4, len(names)))
    stake = chance.choice(STAKES)
    seats = [{"name": name, "stake": stake} for name in chance.sample(list(names), count)]
    return {"do": "open", "game": game, "players": seats}
