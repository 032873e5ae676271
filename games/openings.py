"""The command that opens a game: the fields that all games share."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from games.seats import Seat


@dataclass(frozen=True, slots=True)
class Opening:
    """
    The opening of a game. The house fills in the fields from `stake_min` on: the table's limits
    (G10), the table, the dice set on it, and the time in seconds since 1970.

    :param stake: the stake of every player who names none of their own.
    """

    players: tuple[Seat, ...]
    stake: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    first: str | None = None
    fee: Mapping[str, Any] | None = None
    stake_min: int | None = None
    stake_max: int | None = None
    table: str = ""
    dice_set: str = ""
    at: int | None = None
