"""The home throws in a question about the odds of a game of three d8."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.words.presenters.odds.params import Faces, Field, Flag, Query
from games import stone
from games.homes import home

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.dice import Dice

EXAMPLE: Final = (1, 3, 6)
FIELDS: Final = (
    Field(
        "home_throw",
        Faces((stone.SIDES,) * stone.DICE, least=stone.DICE, none=True),
        (EXAMPLE,),
        "Home throws in force, or none; several where players have their own.",
        several=True,
    ),
    Field(
        "home_override",
        Flag(),
        default=False,
        description="Whether the house lets a home throw be another scoring throw (H1).",
        minor=True,
    ),
)


def in_force(query: Query, allowed: Callable[[Dice], bool]) -> tuple[Dice, ...]:
    """
    The different home throws of a question.

    :param allowed: whether sorted faces may be a home throw without an override.
    :raises HomeThrowScores: if a home throw is not allowed.
    """
    override = query["home_override"]
    faces = (home(each, lambda dice: override or allowed(dice)) for each in query["home_throw"])
    return tuple(dict.fromkeys(faces))


def spoken(homes: tuple[Dice, ...]) -> str:
    return ", ".join("-".join(map(str, each)) for each in homes) or "none"
