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
    """More messages come than anybody waits for."""
    SLOW = "slow"
    """Each piece that goes through a link is late, each by another time."""
    HALF = "half"
    """Of each connection of a link one end is gone, and the other is never told."""
    DARK = "dark"
    """A link drops every packet, of those who connect, too: nobody hears anything, not even no."""
    FORGET_WAITING = "forget-waiting"
    """The broker forgets all between an entry of a waiting list and its message."""
    FORGET_TAKEN = "forget-taken"
    """The broker forgets all between a message that was taken and the entry that it is about."""
    FORGET_MESSAGE = "forget-message"
    """The broker loses a queue of messages, and keeps the waiting list."""
    VISIT = "visit"
    """One that does not belong there runs beside the others for a while."""
    JUMP = "jump"
    """The clock of a program that runs jumps, and later jumps back."""
    FULL = "full"
    """The disk has no room for a while."""
    SWITCH = "switch"
    """kill -9 of a server, whose standby takes its place at once."""
    MOVE = "move"
    """Somebody moves a house to another server of the database."""
    GROW = "grow"
    """One more server, which takes its share of the houses."""


LASTS: Final = {
    Fault.KILL: (0.1, 2.5),
    Fault.CRASH: (0.0, 0.0),
    Fault.RESTART: (0.0, 0.5),
    Fault.PAUSE: (0.3, 3.0),
    Fault.CUT: (0.0, 0.0),
    Fault.DEAF: (0.5, 3.0),
    Fault.STALL: (0.3, 2.5),
    Fault.EMPTY: (0.0, 0.0),
    Fault.WAKE: (0.0, 0.0),
    Fault.SLOW: (0.5, 3.0),
    Fault.HALF: (0.0, 0.0),
    Fault.DARK: (0.3, 2.5),
    Fault.FORGET_WAITING: (2.0, 2.0),
    Fault.FORGET_TAKEN: (2.0, 2.0),
    Fault.FORGET_MESSAGE: (2.0, 2.0),
    Fault.VISIT: (5.0, 15.0),
    Fault.JUMP: (1.0, 6.0),
    Fault.FULL: (2.0, 6.0),
    Fault.SWITCH: (0.0, 0.0),
    Fault.MOVE: (0.0, 0.0),
    Fault.GROW: (0.0, 0.0),
}
"""Seconds, at least and at most. Of what the broker forgets: how long its moment is waited for."""
A_MINUTE: Final = (Fault.FULL, 60.0)
LONG_RUN: Final = 600.0  # seconds; one that is as long has a disk full for a minute, too
RESTS: Final = {
    Fault.KILL: 12.0,
    Fault.CRASH: 8.0,
    Fault.RESTART: 12.0,
    Fault.PAUSE: 4.0,
    Fault.VISIT: 20.0,
    Fault.FULL: 8.0,
    Fault.SWITCH: 20.0,
    Fault.MOVE: 6.0,
}
"""Seconds that a target is left alone afterwards: on a busy machine a start takes most of them."""
REST: Final = 1.0
"""After any other."""
BOOTS: Final = frozenset({Fault.KILL, Fault.RESTART})
GAP: Final = 0.9  # seconds between two faults, on average
QUIET: Final = 2.0  # seconds before the end in which nothing new begins
CLOCKS: Final = (0, 0, 0, -9, -2, 2, 9)  # minutes that a clock may be off after a start
JUMPS: Final = (-190, -65, -7, 3, 50, 150)  # minutes


@dataclass(frozen=True, slots=True)
class Target:
    """
    Something that faults happen to.

    :param faults: which ones, one as often as it stands here.
    :param has_clock: whether its clock may be set wrong when it starts.
    :param one_of: what it is one of, where of those only one is hit at a time.
    :param rests: seconds that it is left alone afterwards, where that is longer than usual.
    """

    name: str
    faults: tuple[Fault, ...]
    has_clock: bool = False
    one_of: str = ""
    rests: float = 0.0

    @property
    def hit_as(self) -> str:
        return self.one_of or self.name


@dataclass(frozen=True, slots=True)
class Act:
    """
    :param at: seconds after the begin.
    :param lasts: seconds until it is lifted.
    :param minutes: that the clock of what is started again is off, or by which it jumps.
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
    at, long = chance.uniform(0.5, 2.0), seconds < LONG_RUN
    while at < seconds - QUIET:
        cards = cards or _shuffled(chance, targets)
        free = [card for card in cards if busy_until.get(card[1].hit_as, 0.0) <= at]
        if free:
            fault, target = free[0]
            cards.remove(free[0])
            lasts = round(chance.uniform(*LASTS[fault]), 1)
            if fault is A_MINUTE[0] and not long and at < seconds / 2:
                lasts, long = A_MINUTE[1], True
            yield Act(round(at, 1), fault, target.name, lasts, _minutes(chance, fault, target))
            busy_until[target.hit_as] = at + lasts + max(RESTS.get(fault, REST), target.rests)
        at += min(chance.expovariate(1 / GAP), 4 * GAP)


def _minutes(chance: Random, fault: Fault, target: Target) -> int:
    if fault is Fault.JUMP:
        return chance.choice(JUMPS)
    return chance.choice(CLOCKS) if fault in BOOTS and target.has_clock else 0


def _shuffled(chance: Random, targets: Sequence[Target]) -> list[tuple[Fault, Target]]:
    cards = [(fault, target) for target in targets for fault in target.faults]
    chance.shuffle(cards)
    return cards
