"""`Who` puts a command to a game, and the `Surroundings` that an opening game gets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from ledger.journal import NewEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """
    Who sends a command, from which device, and when the server received it.

    :param plays_as: the token under which this person plays at the house's tables; "": none.
    :param alone: nobody else at the house could approve what they ask for (D1b).
    :param seen: versions of the house's streams that the command depends on: who is alone, which
        device records. If one of them has moved, the command is not decided again.
    :param extra_events: events that are appended with the command if the rules allow it, to streams
        of `seen`.
    """

    attendant: str
    device: str
    now: datetime
    plays_as: str
    alone: bool = False
    seen: Mapping[str, int] = field(default_factory=dict)
    extra_events: tuple[NewEvent, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What an opening game takes from the house; the opening event contains all but `seen`."""

    table: str
    dice_set: str
    stake_min: int | None = None
    stake_max: int | None = None
    home_throw: tuple[int, int, int] | None = None
    home_override: bool = False
    rollover: int = 0
    """Coins of the house's rollover that the game starts with."""
    awaited: int = 0
    seen: Mapping[str, int] = field(default_factory=dict)
    """Versions of the house's streams that these values were read from."""
    terms: Mapping[str, Any] = field(default_factory=dict)
    """Fields that the house's rules fill in; None removes the field from the command."""
    house_rules: Mapping[str, Any] | None = None
    """The version of the house's rules that the game is played by, as the opening pins it (A4)."""

    @property
    def place(self) -> dict[str, str]:
        return {"table": self.table, "dice_set": self.dice_set}

    def fill_in(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The command's fields with those that the house's rules fill in."""
        whole = {**fields, **self.terms}
        return {name: value for name, value in whole.items() if value is not None}

    def as_fields(self) -> dict[str, Any]:
        """The fields that the rules get; without a home throw here, the command's own stays."""
        fields = {
            "table": self.table,
            "dice_set": self.dice_set,
            "stake_min": self.stake_min,
            "stake_max": self.stake_max,
            "home_override": self.home_override,
            "rollover": self.rollover,
            "awaited": self.awaited,
        }
        return fields | ({"home_throw": self.home_throw} if self.home_throw else {})
