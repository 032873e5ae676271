"""Stations of a discrete-event model: servers with a queue, a log that is flushed, machines."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Final

import simpy

if TYPE_CHECKING:
    from collections.abc import Generator

    Steps = Generator[simpy.Event, Any, None]

QUANTUM: Final = 0.003  # seconds after which whoever else waits for a core gets it
AS_BEFORE: Final = 0.5  # of those who find no idle core


class Machine:
    """
    Cores that all who have work share. Each has a queue, in which everybody works for a quantum at
    most. Who is woken goes to a core that is idle; or else to the shortest queue, or as often to
    one at random: where they worked before.
    """

    def __init__(self, env: simpy.Environment, cores: int, seed: int = 1) -> None:
        self.env, self.chance = env, Random(seed)  # noqa: S311 - a simulation
        self.cores = [simpy.Resource(env, 1) for _ in range(cores)]

    def work(self, seconds: float) -> Steps:
        left = seconds
        while left > 0:
            piece = min(left, QUANTUM)
            with self._chosen().request() as core:
                yield core
                yield self.env.timeout(piece)
            left -= piece

    def _chosen(self) -> simpy.Resource:
        best = min(self.cores, key=_load)
        if _load(best) and self.chance.random() < AS_BEFORE:
            return self.chance.choice(self.cores)
        return best


def _load(core: simpy.Resource) -> int:
    return core.count + len(core.queue)


class Station:
    """
    Servers that share a queue, first come first served.

    :param servers: how many work at once: cores, or processes that run one thread at a time.
    :param speed: work done in a second by each server, in seconds of what was measured.
    :param on: the machine whose cores the servers share with others. Without it the servers are
        cores of their own.
    """

    def __init__(
        self, env: simpy.Environment, servers: int, *, speed: float = 1, on: Machine | None = None
    ) -> None:
        self.env, self.servers, self.speed, self.on = env, servers, speed, on
        self.slots = simpy.Resource(env, servers)
        self.busy = 0.0
        """Seconds of work done, summed over the servers."""
        self._back: simpy.Event | None = None

    def work(self, seconds: float) -> Steps:
        """Wait for a server, then work; a server that is down waits until it is back."""
        yield from self.until_back()
        with self.slots.request() as slot:
            yield slot
            yield from self._cores(seconds)
        self.busy += seconds

    def _cores(self, seconds: float) -> Steps:
        if self.on is None:
            yield self.env.timeout(seconds / self.speed)
        else:
            yield from self.on.work(seconds)

    @property
    def down(self) -> bool:
        return self._back is not None

    def until_back(self) -> Steps:
        while self._back is not None:
            yield self._back

    def fail(self, seconds: float) -> Steps:
        """Be down for so long. Work that is under way is finished: it is short beside that."""
        self._back = back = self.env.event()
        yield self.env.timeout(seconds)
        self._back = None
        back.succeed()

    def slow(self, lost: float, seconds: float) -> Steps:
        """Be without a part of the servers for so long: all are slower by as much."""
        whole, self.speed = self.speed, self.speed * (1 - lost)
        yield self.env.timeout(seconds)
        self.speed = whole


class Log:
    """A log on a disk: all who wait when a flush begins are done when it ends (group commit)."""

    def __init__(self, env: simpy.Environment, flush: float) -> None:
        """:param flush: seconds of one flush."""
        self.env, self.flush, self.flushes = env, flush, 0
        self._waiting: list[simpy.Event] = []
        self._flushing = False

    def commit(self) -> Steps:
        done = self.env.event()
        self._waiting.append(done)
        if not self._flushing:
            self._flushing = True
            self.env.process(self._flushes())
        yield done

    def _flushes(self) -> Steps:
        while self._waiting:
            those, self._waiting = self._waiting, []
            yield self.env.timeout(self.flush)
            self.flushes += 1
            for each in those:
                each.succeed()
        self._flushing = False
