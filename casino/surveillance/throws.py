"""
What an event shows of dice: the raw throws of every game, before anything is kept (control F2).

Each game has a reader for each kind of its events that show dice; what is read is the event alone,
so that voided throws count like all others. What counts as a throw of a fair die, and what does
not, is told in docs/explanation/surveillance.md, game by game.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from casino.presenters.raw_throws import Die, RecordedDice
from casino.presenters.registered import games
from casino.surveillance.evidence import NoFace

__all__ = ["Die", "RecordedDice", "Throw", "read"]

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.presenters.raw_throws import Reader
    from ledger.wire import StoredEvent

SIZES: Final = (4, 6, 8, 10, 12)
PLACE: Final = "place"  # of a throw's data: where it was thrown, and with which dice


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """What was thrown, where, with which set, and who recorded it."""

    shown: RecordedDice
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
    reader = readers().get(event.event_type)
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


@cache
def readers() -> Mapping[str, Reader]:
    """By types of events."""
    return {name: each for game in games().values() for name, each in game.shows().items()}


@cache
def not_fair() -> frozenset[str]:
    """Throws, as their games call them, of which nobody knows what a fair die would do."""
    return frozenset().union(*(game.not_fair for game in games().values()))
