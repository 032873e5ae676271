"""How a game is opened and played at random, in the demo house and in tests of whole games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    import random

Opening = dict[str, Any]
Row = dict[str, Any]

NO_MONEY: Final = 1 / 5  # the share of games without money, if a game can be played so
STAKES: Final = (5, 8, 20)
RAKE: Final = {"kind": "rake", "percent": 10, "cap": 3}
SEAT_FEE: Final = {"kind": "seat", "amount": 1}
TIME_CHARGE: Final = {"kind": "time", "amount": 1, "minutes": 1}
FEES: Final = (None, None, RAKE, SEAT_FEE, TIME_CHARGE)


class Somebody(Protocol):
    """
    Somebody who acts at a table (`casino.demo.acts.Somebody`).

    state: the game as the API shows it.
    """

    @property
    def state(self) -> Mapping[str, Any]: ...

    @property
    def chance(self) -> random.Random: ...

    def rolled(self, count: int, sides: int) -> list[int]:
        """The faces of `count` dice thrown at random."""

    def thrown(self, row: Row) -> Row:
        """The fields of a throw as in most games: the player and the dice."""

    def some(self, dice: Sequence[int]) -> list[int]:
        """One or more of these dice."""

    def little(self, row: Row) -> int:
        """A price that is a little above the lowest possible one."""


Way = Callable[[Any, Row], Row]
"""(somebody, a row of the game's `offers`) -> the fields of the command that the row offers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstrated:
    """
    How the demo plays a game.

    :param opening: chooses the rest of the command `open` at random: options, fee, `stake` of each
        seat; `house_may_sit`: whether the house may hold a seat.
    :param ways: how to perform the acts that only this game has, or that differ from other games.
    :param rules: the house rules of the demo house for the game, as the API takes them.
    :param coming: a home throw of the game that the demo house has announced.
    :param prizes: what the demo house's scoreboard of the game is worth, as the API takes it; where
        it is worth something, its seasons are weeks.
    :param for_points: the options with which it is played for points of the house's scoreboard.
    """

    opening: Callable[[random.Random], Opening]
    ways: Mapping[str, Way] = field(default_factory=dict)
    rules: Mapping[str, Any]
    coming: Mapping[str, Any] | None = None
    prizes: Sequence[Mapping[str, Any]] = ()
    for_points: Mapping[str, Any] | None = None


def opening_without_none(fields: Opening) -> Opening:
    """The fields without those that are None."""
    return {name: value for name, value in fields.items() if value is not None}
