"""
What an event shows of dice: the raw throws of every game, before anything is kept (control F2).

One reader for each kind of event that shows dice; what is read is the event alone, so that voided
throws count like all others. What counts as a throw of a fair die, and what does not, is told in
docs/explanation/surveillance.md, game by game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from casino.surveillance.evidence import NoFace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ledger.wire import StoredEvent

SIZES: Final = (4, 6, 8, 10, 12)
PLACE: Final = "place"  # of a throw's data: where it was thrown, and with which dice


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it came to rest; None: the record does not say on which face."""

    sides: int
    face: int | None


@dataclass(frozen=True, slots=True)
class Shown:
    """
    The dice that one event shows.

    :param player: token of the thrower; empty where the attendant throws for all.
    :param seals: these dice lie sealed: their faces may be shown later, or never.
    :param opens: dice that were sealed are shown.
    """

    dice: tuple[Die, ...]
    player: str = ""
    seals: bool = False
    opens: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """What was thrown, where, with which set, and who recorded it."""

    shown: Shown
    table: str
    dice_set: str
    attendant: str

    @property
    def faces(self) -> dict[int, list[int]]:
        """The faces on record, by size."""
        found: dict[int, list[int]] = {}
        for die in self.shown.dice:
            if die.face is not None:
                found.setdefault(die.sides, []).append(die.face)
        return found

    @property
    def unseen(self) -> dict[int, int]:
        """How many dice have no face on record, by size."""
        found: dict[int, int] = {}
        for die in self.shown.dice:
            if die.face is None:
                found[die.sides] = found.get(die.sides, 0) + 1
        return found


def read(event: StoredEvent) -> Throw | None:
    """
    The throw that an event records; None: it is none.

    :raises NoFace: for a face that the die does not have.
    """
    reader = READERS.get(event.event_type)
    shown = reader(event.data) if reader else None
    if shown is None:
        return None
    for die in shown.dice:
        if die.face is not None and not 1 <= die.face <= die.sides:
            raise NoFace(f"{die.face} is no face of a d{die.sides}.")
    place = event.data[PLACE]
    return Throw(
        shown=shown,
        table=place["table"],
        dice_set=place["dice_set"],
        attendant=event.provenance.actor,
    )


def _all_of(sides: int) -> Callable[[Mapping[str, Any]], Shown]:
    def shown(data: Mapping[str, Any]) -> Shown:
        dice = tuple(Die(sides, face) for face in data["dice"])
        return Shown(dice, player=data.get("player", ""))

    return shown


def _one_of_each(data: Mapping[str, Any]) -> tuple[Die, ...]:
    return tuple(Die(sides, face) for sides, face in zip(SIZES, data["dice"], strict=True))


def _offered(data: Mapping[str, Any]) -> Shown:
    return Shown(_one_of_each(data))


def _sealed(data: Mapping[str, Any]) -> Shown:
    return Shown(tuple(Die(sides, None) for sides in SIZES), player=data["player"], seals=True)


def _revealed(data: Mapping[str, Any]) -> Shown:
    return Shown(_one_of_each(data), player=data["player"], opens=True)


def _die(data: Mapping[str, Any]) -> Shown | None:
    """The die that was thrown; those it hit are no throws (DB2), nor is one caught in mid-air."""
    if data["lies"] == "caught":
        return None
    return Shown((Die(6, data["value"]),), player=data["player"])


READERS: Final[Mapping[str, Callable[[Mapping[str, Any]], Shown | None]]] = {
    "stone_hand.home_dice_thrown": _all_of(8),
    "stone_hand.dice_thrown": _all_of(8),
    "cinnabar_gate.home_dice_thrown": _all_of(8),
    "cinnabar_gate.dice_thrown": _all_of(8),
    "river.dice_offered": _offered,
    "river.dice_sealed": _sealed,
    "river.dice_revealed": _revealed,
    "river.die_thrown": _all_of(12),
    "threes_away.dice_thrown": _all_of(6),
    "dice_breaker.die_thrown": _die,
}
NOT_FAIR: Final = frozenset({"dice_breaker.start_broken"})
"""
Throws, as their games call them, of which nobody knows what a fair die would do: the starting die
lies on 6 and is hit by another (DB1).
"""
