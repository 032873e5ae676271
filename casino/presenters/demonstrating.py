"""How a game is opened and played by chance: in the demo house, and in tests of whole games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    import random

Opening = dict[str, Any]
Row = dict[str, Any]

NO_MONEY: Final = 1 / 5  # of the games that can be played for points or drinks are
STAKES: Final = (5, 8, 20)
RAKE: Final = {"kind": "rake", "percent": 10, "cap": 3}
SEAT_FEE: Final = {"kind": "seat", "amount": 1}
TIME_CHARGE: Final = {"kind": "time", "amount": 1, "minutes": 1}
FEES: Final = (None, None, RAKE, SEAT_FEE, TIME_CHARGE)


class Somebody(Protocol):
    """
    Who acts at a table: `casino.demo.acts.Somebody`.

    state: the game as the API shows it.
    """

    @property
    def state(self) -> Mapping[str, Any]: ...

    @property
    def chance(self) -> random.Random: ...

    def rolled(self, count: int, sides: int) -> list[int]:
        """So many dice thrown."""

    def thrown(self, row: Row) -> Row:
        """A throw as most games have it: the player and the dice."""

    def some(self, dice: Sequence[int]) -> list[int]:
        """One of these dice or more."""

    def little(self, row: Row) -> int:
        """A price, little above the least that will do."""


Way = Callable[[Any, Row], Row]
"""Somebody, and a row of the game's `offers` -> the fields of a command that the row means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstrated:
    """
    :param opening: the rest of the command `open`, by chance: options, fee, `stake` of each seat;
        `house_may_sit`: whether the house may hold one.
    :param ways: how acts are done that only this game has, or has otherwise than others.
    :param rules: the rules of the demo house for it, as the API takes them.
    :param coming: a home throw of it that the demo house has announced.
    """

    opening: Callable[[random.Random], Opening]
    ways: Mapping[str, Way] = field(default_factory=dict)
    rules: Mapping[str, Any]
    coming: Mapping[str, Any] | None = None


def named(fields: Opening) -> Opening:
    """What is said at all."""
    return {name: value for name, value in fields.items() if value is not None}
