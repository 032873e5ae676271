"""Who puts a command to a game, and what an opening game takes from the house."""

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
    Who asks, from which device, and when the server heard of it.

    :param plays_as: the player whom they are at the house's tables, as a token; "": none.
    :param alone: nobody else at the house could approve what they ask for (D1b).
    :param seen: versions of the house's streams that this rests on: who is alone, which device
        records. Where one has moved, the command is not decided anew.
    :param extra_events: go into the ledger with the command, if the rules take it, in streams of
        `seen`.
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
    """What an opening game takes from the house; all but `seen` stands in the opening event."""

    table: str
    dice_set: str
    stake_min: int | None = None
    stake_max: int | None = None
    home_throw: tuple[int, int, int] | None = None
    home_override: bool = False
    rollover: int = 0
    """Coins of the house's rollover that the game starts with; `awaited`: that arrive later."""
    awaited: int = 0
    seen: Mapping[str, int] = field(default_factory=dict)
    """Versions of the house's streams that this was read from."""
    terms: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the command as the house's rules fill them in; None: the command has none."""
    house_rules: Mapping[str, Any] | None = None
    """The version of the house's rules that the game is played by, as the opening pins it (A4)."""

    @property
    def place(self) -> dict[str, str]:
        return {"table": self.table, "dice_set": self.dice_set}

    def filled(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The command's fields with those that the house's rules fill in."""
        whole = {**fields, **self.terms}
        return {name: value for name, value in whole.items() if value is not None}

    def as_fields(self) -> dict[str, Any]:
        """What the rules hear of it. A home throw that the command names itself stays."""
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
