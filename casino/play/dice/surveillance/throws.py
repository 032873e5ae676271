"""
Read the raw throws of every game from its events, before any dice are kept (control F2).

Each game registers a reader for each type of event that shows dice. A reader gets the event alone,
so voided throws count like all others. docs/explanation/surveillance.md says for each game what
counts as a throw of a fair die.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from casino.play.dice.surveillance.e_values import NoSuchFace
from casino.words.presenters.registered import games
from casino.words.presenters.registration import Die, RecordedDice

__all__ = ["Die", "RecordedDice", "Throw", "read"]

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.words.presenters.registration import Reader
    from ledger.wire import StoredEvent

DIE_SIZES: Final = (4, 6, 8, 10, 12)
PLACE_FIELD: Final = "place"  # of an event's data: the table and the dice set


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """A throw: its dice, its table, its dice set, and the attendant who recorded it."""

    recorded: RecordedDice
    table: str
    dice_set: str
    attendant: str

    @property
    def faces(self) -> dict[int, list[int]]:
        """The faces on record, by size."""
        by_size: dict[int, list[int]] = {}
        for die in self.recorded.dice:
            if die.face is not None:
                by_size.setdefault(die.sides, []).append(die.face)
        return by_size

    @property
    def unseen(self) -> dict[int, int]:
        """The number of dice without a face on record, by size."""
        by_size: dict[int, int] = {}
        for die in self.recorded.dice:
            if die.face is None:
                by_size[die.sides] = by_size.get(die.sides, 0) + 1
        return by_size


def read(event: StoredEvent) -> Throw | None:
    """
    Read the throw that an event records; None if it records none.

    :raises NoSuchFace: if a die does not have the recorded face.
    """
    reader = readers().get(event.event_type)
    recorded = reader(event.data) if reader else None
    if recorded is None:
        return None
    for die in recorded.dice:
        if die.face is not None and not 1 <= die.face <= die.sides:
            raise NoSuchFace(f"{die.face} is no face of a d{die.sides}.")
    place = event.data[PLACE_FIELD]
    return Throw(
        recorded=recorded,
        table=place["table"],
        dice_set=place["dice_set"],
        attendant=event.provenance.actor,
    )


@cache
def readers() -> Mapping[str, Reader]:
    """The readers of all registered games, by event type."""
    return {name: each for game in games().values() for name, each in game.shows().items()}


@cache
def not_fair() -> frozenset[str]:
    """The kinds of throws that say nothing about fairness, by the names their games use."""
    return frozenset().union(*(game.not_fair for game in games().values()))
