"""One stream of throws as it goes on: its row, the evidence and the detector that go with it."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from math import log10
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from casino.surveillance.evidence import CONCENTRATIONS, Change, Evidence
from casino.surveillance.models import CurvePoint, DiceStream

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

POINTS_MOST: Final = 64  # of a curve, and half of that at least once throws suffice for them
STEP_LEAST: Final = 8  # throws from one point to the next, of however young a stream
LEVELS: Final = (20, 100, 1000)
_LEVELS_LOG10: Final = tuple((f"passed_{level}", log10(level)) for level in LEVELS)


class Key(NamedTuple):
    """What names a stream within its house."""

    kind: str
    name: str
    sides: int


@dataclass(slots=True)
class Watch:
    """
    :param points: of the curve, not stored yet.
    :param thinned: what becomes of the curve's older points: those stay whose mark this divides.
    """

    row: DiceStream
    evidence: Evidence
    change: Change
    points: list[CurvePoint] = field(default_factory=list)
    thinned: int = 0
    touched: bool = False

    @classmethod
    def new(cls, establishment: UUID, key: Key) -> Watch:
        nothing = [0] * key.sides
        row = DiceStream(
            establishment_id=establishment,
            **key._asdict(),
            counts=nothing,
            before=list(nothing),
            last_position=-1,
        )
        return cls(row, Evidence(key.sides), Change(key.sides))

    @classmethod
    def of(cls, row: DiceStream) -> Watch:
        kept = array("d")
        kept.frombytes(bytes(row.state))
        logs, sums = list(kept[: len(CONCENTRATIONS)]), list(kept[len(CONCENTRATIONS) :])
        return cls(
            row,
            Evidence.restored(row.counts, logs),
            Change.restored(row.sides, row.change, sums),
        )

    @property
    def key(self) -> Key:
        return Key(self.row.kind, self.row.name, self.row.sides)

    @property
    def count(self) -> dict[str, Any]:
        """How the count that runs stands, as an alarm tells it."""
        return {
            "throws": self.row.throws,
            "counts": list(self.evidence.counts),
            "log10": f"{self.row.log10:.6f}",
            "change": f"{self.row.change:.6g}",
        }

    def take(self, faces: Sequence[int], position: int) -> None:
        """The dice of one event. It is looked at behind all of them: they fell at once."""
        self.evidence.take(faces)
        self.change.take(faces)
        row = self.row
        before, row.throws = row.throws, row.throws + len(faces)
        row.log10, row.change = self.evidence.log10, self.change.value
        row.highest = max(row.highest, row.log10)
        for name, level in _LEVELS_LOG10:
            if row.log10 >= level and getattr(row, name) is None:
                setattr(row, name, row.throws)
        row.last_position = position
        self.touched = True
        self._draw(before, position)

    def miss(self, dice: int) -> None:
        """So many more dice without a face on record; below 0: so many fewer."""
        self.row.missing += dice
        self.touched = True

    def restart(self) -> None:
        """What was counted is put by, and a new count begins: the alarm was acknowledged."""
        row = self.row
        row.before = [
            then + now for then, now in zip(row.before, self.evidence.counts, strict=True)
        ]
        self.evidence, self.change = Evidence(row.sides), Change(row.sides)
        row.log10 = row.change = 0.0
        row.alarm = None
        self.touched = True

    def stored(self) -> DiceStream:
        """The row with all that it goes on from."""
        self.row.counts = list(self.evidence.counts)
        self.row.state = array("d", [*self.evidence.logs, *self.change.sums]).tobytes()
        return self.row

    def _draw(self, before: int, position: int) -> None:
        """
        Keep a point of the curve. Of the numbers of this event's throws one can be halved most
        often: that is its mark, and as throws grow those stay whose mark a greater step divides.
        """
        row = self.row
        step = step_of(row.throws)
        mark = row.throws >> (shift := (before ^ row.throws).bit_length() - 1) << shift
        mark = mark if before else 0  # the first one stays
        if step != step_of(before):
            self.thinned = step
            self.points = [each for each in self.points if each.mark % step == 0]
        if mark % step:
            return
        self.points.append(
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


def step_of(throws: int) -> int:
    """The power of two whose multiples have a point of the curve, once there are so many throws."""
    step = STEP_LEAST
    while throws // step >= POINTS_MOST:
        step *= 2
    return step
