"""What is done to a house, and when: made from a seed before anything runs, the same each time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Fault(StrEnum):
    KILL = "kill"
    """kill -9 of all its processes at once; started again later, perhaps with another clock."""
    CRASH = "crash"
    """kill -9 of one process of several: of a backend, a web process, a worker's child."""
    RESTART = "restart"
    """Asked to end as a supervisor asks, and started again."""
    PAUSE = "pause"
    """SIGSTOP, and later SIGCONT: it finds a world that went on without it."""
    CUT = "cut"
    """Every connection of a link is reset, whatever was on its way."""
    DEAF = "deaf"
    """Requests are forwarded; of the answers some are lost, and their connections with them."""
    STALL = "stall"
    """Nothing goes through a link in either direction; then all of it."""
    EMPTY = "empty"
    """The broker forgets everything."""
    WAKE = "wake"
    """Each task of the house is sent twice."""


LASTS: Final = {
    Fault.KILL: (0.1, 2.5),
    Fault.CRASH: (0.0, 0.0),
    Fault.RESTART: (0.0, 0.5),
    Fault.PAUSE: (0.3, 3.0),
    Fault.CUT: (0.0, 0.0),
    Fault.DEAF: (1.0, 4.0),
    Fault.STALL: (0.3, 2.5),
    Fault.EMPTY: (0.0, 0.0),
    Fault.WAKE: (0.0, 0.0),
}
"""Seconds, at least and at most."""
RESTS: Final = {
    Fault.KILL: 12.0,
    Fault.CRASH: 8.0,
    Fault.RESTART: 12.0,
    Fault.PAUSE: 4.0,
    Fault.CUT: 1.0,
    Fault.DEAF: 2.0,
    Fault.STALL: 2.0,
    Fault.EMPTY: 1.0,
    Fault.WAKE: 1.0,
}
"""Seconds that a target is left alone afterwards: on a busy machine a start takes most of them."""
BOOTS: Final = frozenset({Fault.KILL, Fault.RESTART})
GAP: Final = 1.4  # seconds between two faults, on average
QUIET: Final = 2.0  # seconds before the end in which nothing new begins
CLOCKS: Final = (0, 0, 0, -9, -2, 2, 9)  # minutes that a clock may be off after a start


@dataclass(frozen=True, slots=True)
class Target:
    """
    Something that faults happen to.

    :param faults: which ones, one as often as it stands here.
    :param has_clock: whether its clock may be set wrong when it starts.
    :param one_of: what it is one of, where of those only one is hit at a time.
    """

    name: str
    faults: tuple[Fault, ...]
    has_clock: bool = False
    one_of: str = ""

    @property
    def hit_as(self) -> str:
        return self.one_of or self.name


@dataclass(frozen=True, slots=True)
class Act:
    """
    :param at: seconds after the begin.
    :param lasts: seconds until it is lifted.
    :param minutes: that the clock of what is started again is off.
    """

    at: float
    fault: Fault
    target: str
    lasts: float
    minutes: int = 0

    def __str__(self) -> str:
        lasts = f" for {self.lasts:.1f} s" if self.lasts else ""
        clock = f", its clock {self.minutes:+d} min" if self.minutes else ""
        return f"{self.at:7.1f} s  {self.fault} {self.target}{lasts}{clock}"


def plan(*, seed: int, seconds: float, targets: Sequence[Target]) -> tuple[Act, ...]:
    """
    A function of its arguments alone. Like cards that are dealt: every fault of every target
    comes before any comes again, as far as the time allows; none while its target has another, or
    while another is hit that does the same.
    """
    return tuple(_dealt(Random(seed), seconds, targets))  # noqa: S311 - chance of a test


def _dealt(chance: Random, seconds: float, targets: Sequence[Target]) -> Iterator[Act]:
    cards: list[tuple[Fault, Target]] = []
    busy_until: dict[str, float] = {}
    at = chance.uniform(0.5, 2.0)
    while at < seconds - QUIET:
        cards = cards or _shuffled(chance, targets)
        free = [card for card in cards if busy_until.get(card[1].hit_as, 0.0) <= at]
        if free:
            fault, target = free[0]
            cards.remove(free[0])
            lasts = round(chance.uniform(*LASTS[fault]), 1)
            clock = chance.choice(CLOCKS) if fault in BOOTS and target.has_clock else 0
            yield Act(round(at, 1), fault, target.name, lasts, clock)
            busy_until[target.hit_as] = at + lasts + RESTS[fault]
        at += min(chance.expovariate(1 / GAP), 4 * GAP)


def _shuffled(chance: Random, targets: Sequence[Target]) -> list[tuple[Fault, Target]]:
    cards = [(fault, target) for target in targets for fault in target.faults]
    chance.shuffle(cards)
    return cards
