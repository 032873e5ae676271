"""Streams of throws: read from events, each monitored by its e-process and change detector."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from functools import cache
from math import log10
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from casino.play.dice.surveillance.e_values import (
    CONCENTRATIONS,
    ChangeDetector,
    EProcess,
    NoSuchFace,
)
from casino.play.dice.surveillance.models import CurvePoint, DiceStream
from casino.words.presenters.registered import games
from casino.words.presenters.registration import Die, RecordedDice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from casino.words.presenters.registration import Reader
    from ledger.wire import StoredEvent

CURVE_POINTS_MAX: Final = 64  # of a curve; with enough throws it has at least half as many
CURVE_STEP_MIN: Final = 8  # throws between two points, in the youngest streams
E_THRESHOLDS: Final = (20, 100, 1000)
_LOG10_THRESHOLDS: Final = tuple((f"passed_{level}", log10(level)) for level in E_THRESHOLDS)


class StreamKey(NamedTuple):
    """The key of a stream within its house."""

    kind: str
    name: str
    sides: int


@dataclass(slots=True)
class StreamMonitor:
    """
    A stream and the state of its statistics.

    :param new_points: points of the curve that are not stored yet.
    :param thinned_to_step: of the stored points only those stay whose mark is a multiple of this;
        0 if all stay.
    """

    row: DiceStream
    e_process: EProcess
    detector: ChangeDetector
    new_points: list[CurvePoint] = field(default_factory=list)
    thinned_to_step: int = 0
    changed: bool = False

    @classmethod
    def new(cls, establishment: UUID, key: StreamKey) -> StreamMonitor:
        zeros = [0] * key.sides
        row = DiceStream(
            establishment_id=establishment,
            **key._asdict(),
            counts=zeros,
            before=list(zeros),
            last_position=-1,
        )
        return cls(row, EProcess(key.sides), ChangeDetector(key.sides))

    @classmethod
    def from_row(cls, row: DiceStream) -> StreamMonitor:
        state = array("d")
        state.frombytes(bytes(row.state))
        logs, sums = list(state[: len(CONCENTRATIONS)]), list(state[len(CONCENTRATIONS) :])
        return cls(
            row,
            EProcess.restore(row.counts, logs),
            ChangeDetector.restore(row.sides, row.change, sums),
        )

    @property
    def key(self) -> StreamKey:
        return StreamKey(self.row.kind, self.row.name, self.row.sides)

    @property
    def alarm_figures(self) -> dict[str, Any]:
        """The figures of the current count, for the event of an alarm."""
        return {
            "throws": self.row.throws,
            "counts": list(self.e_process.counts),
            "log10": f"{self.row.log10:.6f}",
            "change": f"{self.row.change:.6g}",
        }

    def update(self, faces: Sequence[int], position: int) -> None:
        """Take the dice of one event into account; thresholds are checked after all of them."""
        self.e_process.update(faces)
        self.detector.update(faces)
        row = self.row
        before, row.throws = row.throws, row.throws + len(faces)
        row.log10, row.change = self.e_process.log10, self.detector.value
        row.highest = max(row.highest, row.log10)
        for name, level in _LOG10_THRESHOLDS:
            if row.log10 >= level and getattr(row, name) is None:
                setattr(row, name, row.throws)
        row.last_position = position
        self.changed = True
        self._add_curve_point(before, position)

    def add_missing(self, dice: int) -> None:
        """Add dice without a face on record; a number below 0 takes them away."""
        self.row.missing += dice
        self.changed = True

    def reset(self) -> None:
        """Begin a new count, because the alarm was acknowledged; `before` keeps the old counts."""
        row = self.row
        row.before = [
            then + now for then, now in zip(row.before, self.e_process.counts, strict=True)
        ]
        self.e_process, self.detector = EProcess(row.sides), ChangeDetector(row.sides)
        row.log10 = row.change = 0.0
        row.alarm = None
        self.changed = True

    def to_row(self) -> DiceStream:
        """The row with the whole state, ready to be saved."""
        self.row.counts = list(self.e_process.counts)
        self.row.state = array("d", [*self.e_process.log_e_values, *self.detector.sums]).tobytes()
        return self.row

    def _add_curve_point(self, before: int, position: int) -> None:
        """
        Add a point of the curve, and thin the curve out when the step doubles.

        Each point has a mark: of the numbers of this event's throws the one with most factors of 2.
        A point stays as long as its mark is a multiple of the step.
        """
        row = self.row
        step = curve_step(row.throws)
        mark = row.throws >> (shift := (before ^ row.throws).bit_length() - 1) << shift
        mark = mark if before else 0  # the first point always stays
        if step != curve_step(before):
            self.thinned_to_step = step
            self.new_points = [each for each in self.new_points if each.mark % step == 0]
        if mark % step:
            return
        self.new_points.append(
            CurvePoint(
                establishment_id=row.establishment_id,
                **self.key._asdict(),
                mark=mark,
                throws=row.throws,
                position=position,
                log10=row.log10,
                change=row.change,
            )
        )


def curve_step(throws: int) -> int:
    """The number of throws between two points of the curve: a power of two."""
    step = CURVE_STEP_MIN
    while throws // step >= CURVE_POINTS_MAX:
        step *= 2
    return step


# Read the raw throws of every game from its events, before any dice are kept (control F2).
# Each game registers a reader for each type of event that shows dice. A reader gets the event
# alone, so voided throws count like all others. docs/explanation/surveillance.md says for each game
# what counts as a throw of a fair die.


__all__ = ["Die", "RecordedDice", "StreamKey", "StreamMonitor", "Throw", "read_throws"]

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


def read_throws(event: StoredEvent) -> Throw | None:
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
