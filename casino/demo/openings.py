"""Random openings of each game: options, fees and stakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from casino.words.presenters.demonstrating import STAKES, opening_without_none
from casino.words.presenters.registered import OfEach

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping, Sequence

    from casino.words.presenters.demonstrating import Opening

HOUSE_SITS: Final = 1 / 4  # share of games with a seat of the house, if it may have one
OPENINGS: Final[Mapping[str, Callable[[random.Random], Opening]]] = OfEach(
    lambda game: game.is_demonstrated().opening, having=lambda game: game.demo
)


FOR_POINTS: Final[Mapping[str, Mapping[str, Any] | None]] = OfEach(
    lambda game: game.is_demonstrated().for_points, having=lambda game: game.demo
)
SEATS_MOST: Final = 4


def any_opening(
    game: str, names: Sequence[str], chance: random.Random, *, first: Sequence[str] = ()
) -> Opening:
    """
    A random command `open`, without its id, for a game on offer.

    :param names: the people who may sit down; two or more of them do.
    :param first: people who sit down before others.
    """
    count = chance.randint(2, min(SEATS_MOST, len(names)))
    opening = OPENINGS[game](chance)
    house_sits = opening.pop("house_may_sit", False) and chance.random() < HOUSE_SITS
    stake = opening.pop("stake", 0)
    seats = _seats(names, chance, count, first, stake)
    if house_sits:
        seats[0]["house"] = True
    return {"do": "open", "game": game, "players": seats, **opening_without_none(opening)}


def by_the_house(
    game: str, names: Sequence[str], chance: random.Random, *, first: Sequence[str] = ()
) -> Opening:
    """A random command `open` by the published house rules, which add the options and the fee."""
    count = chance.randint(2, min(SEATS_MOST, len(names)))
    stake = chance.choice(STAKES)
    seats = _seats(names, chance, count, first, stake)
    return {"do": "open", "game": game, "players": seats}


def for_points(
    game: str, names: Sequence[str], chance: random.Random, *, first: Sequence[str] = ()
) -> Opening:
    """A command `open` for points of the house's scoreboard, of a game that can give them."""
    seats = _seats(names, chance, SEATS_MOST, first, 0)
    return {"do": "open", "game": game, "players": seats, "options": dict(FOR_POINTS[game] or {})}


def _seats(
    names: Sequence[str], chance: random.Random, count: int, first: Sequence[str], stake: int
) -> list[dict[str, Any]]:
    others = [name for name in chance.sample(list(names), count) if name not in first]
    people = [*first[:SEATS_MOST], *others][: max(count, min(len(first), SEATS_MOST))]
    return [{"name": name, "stake": stake} for name in people]
