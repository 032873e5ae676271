"""How many people play where, and when: evenings that go round the earth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bench.chain.parts import Assumptions

DAY: Final = 24
STEPS: Final = 4  # of an hour


def playing(known: Assumptions, hour: float) -> float:
    """The part of all tables at which people play at an hour of UTC, 0 to 1."""
    return sum(
        share * _of_a_house(known, (hour + zone) % DAY) for zone, share in known.zones.items()
    )


def _of_a_house(known: Assumptions, hour: float) -> float:
    """At its own hour, between what the file says for the hours around it."""
    at, part = int(hour), hour - int(hour)
    return known.evening[at] * (1 - part) + known.evening[(at + 1) % DAY] * part


def curve(known: Assumptions) -> list[tuple[float, float]]:
    """Hours of UTC, and throws a second of the whole chain."""
    hours = [step / STEPS for step in range(DAY * STEPS)]
    return [(hour, known.full * playing(known, hour)) for hour in hours]


def highest(known: Assumptions) -> float:
    """Throws a second in the highest quarter of an hour."""
    return max(rate for _hour, rate in curve(known))


def mean(known: Assumptions) -> float:
    """Throws a second over a whole day."""
    rates = [rate for _hour, rate in curve(known)]
    return sum(rates) / len(rates)
