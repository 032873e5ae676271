"""
The model of a chain that plays: what a throw asks of which machine, in which order.

A throw asks, in turn: the web process and the database, statement by statement, through the
coordinator if there is one; a flush of the log of the house's server; the web process again. It is
answered then. Afterwards Redis wakes a worker, which books what has come of all throws of that
house, and asks the house's server again. The same model stands for this machine, where all programs
share two cores (`bench.chain.truth`), and for a chain, where each has its own.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Final

import simpy

from bench.chain.engine import Log, Machine, Station

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bench.chain.engine import Steps

ROUND_LIMIT: Final = 200  # throws of a house that a worker books at once


@dataclass(frozen=True, kw_only=True)
class Demands:
    """
    What one throw asks: seconds of processor.

    :param web: of a web process. :param coordinator: of the coordinator, for answer and booking.
    :param server: of the house's server, for answer and booking.
    :param answer: the part of coordinator and server that is needed for the answer, 0 to 1.
    :param worker: of a worker. :param redis: of Redis. :param player: of who plays, if on the same
        machine. :param flush: seconds of a flush of the log.
    :param worker_round: besides, of each booking, however many throws it books; `server_round` and
        `coordinator_round` likewise. Where they are not known apart, throws have it all.
    :param still: seconds that an answer waits and nobody works: for sockets, and to be woken.
    :param spread: how throws differ: equally likely factors, with mean 1.
    """

    web: float
    server: float
    worker: float
    redis: float
    flush: float
    coordinator: float = 0
    worker_round: float = 0
    server_round: float = 0
    coordinator_round: float = 0
    player: float = 0
    still: float = 0
    answer: float = 0.5
    spread: Sequence[float] = (1.0,)


@dataclass(frozen=True, kw_only=True)
class Layout:
    """
    The machines.

    :param machine: cores that all programs share; 0 if each has cores of its own.
    :param others: programs of others that share them, as in `Machine`.
    :param coordinator: cores; 0 if houses' servers are asked directly.
    :param web_speed: and the others, less than 1 where a part of a chain has a part of a core.
    :param servers: servers that hold houses. :param cores: of each.
    :param redis: shards, each of one core. :param houses: how many play.
    :param rounds: parts into which a throw's work is cut, 2 or more: web and database take turns.
    """

    web: int
    workers: int
    servers: int
    cores: int
    houses: int
    machine: int = 0
    others: float = 0
    coordinator: int = 0
    redis: int = 1
    web_speed: float = 1
    workers_speed: float = 1
    cores_speed: float = 1
    coordinator_speed: float = 1
    redis_speed: float = 1
    rounds: int = 6


@dataclass(frozen=True)
class Seen:
    """When a throw was entered, and how many seconds its answer took."""

    at: float
    wait: float
    server: int


@dataclass
class Simulation:
    """One run. The same seed gives the same run."""

    demands: Demands
    layout: Layout
    seed: int = 1
    retry: float = 2.0
    """Seconds within which a tablet tries again when its house's server is back."""
    seen: list[Seen] = field(default_factory=list)
    booked: list[tuple[float, float]] = field(default_factory=list)
    """When throws were entered, and how many seconds until what came of them was booked."""

    def __post_init__(self) -> None:
        self.env = env = simpy.Environment()
        self.chance = Random(self.seed)  # noqa: S311 - a simulation
        lay = self.layout
        machine = Machine(env, lay.machine, lay.others) if lay.machine else None
        self.machine = machine
        # On one machine each web process is a station: it runs one thread at a time.
        one = range(lay.web if machine else 1)
        self.web = [
            Station(env, 1 if machine else lay.web, speed=lay.web_speed, on=machine) for _ in one
        ]
        self.servers = [
            Station(env, lay.cores, speed=lay.cores_speed, on=machine) for _ in range(lay.servers)
        ]
        self.logs = [Log(env, self.demands.flush) for _ in range(lay.servers)]
        self.coordinator = (
            Station(env, lay.coordinator, speed=lay.coordinator_speed, on=machine)
            if lay.coordinator
            else None
        )
        self.redis = [Station(env, 1, speed=lay.redis_speed, on=machine) for _ in range(lay.redis)]
        self.player = Station(env, 1, on=machine)
        self.workers = Station(env, lay.workers, speed=lay.workers_speed, on=machine)
        self._unbooked: dict[int, list[float]] = defaultdict(list)
        self._served: set[int] = set()

    # --- Load -----------------------------------------------------------------------------------

    def closed(self, players: int, pause: float, *, warm: float, seconds: float) -> None:
        """Players who each wait for the answer, think, and throw; the warm-up is forgotten."""
        for number in range(players):
            self.env.process(self._plays(number % self.layout.houses, pause))
        self.run(warm)
        self.forget()
        self.run(warm + seconds)

    def _plays(self, house: int, pause: float) -> Steps:
        while True:
            if pause:
                yield self.env.timeout(self.chance.expovariate(1 / pause))
            yield from self.throw(house)

    def arrivals(self, rate: Callable[[float], float], highest: float) -> None:
        """
        Throws at houses taken at random, as many tables together enter them: a Poisson process.

        :param rate: throws a second at a moment; never more than `highest` (thinning).
        """

        def arrive() -> Steps:
            while True:
                yield self.env.timeout(self.chance.expovariate(highest))
                if self.chance.random() * highest <= rate(self.env.now):
                    self.env.process(self.throw(self.chance.randrange(self.layout.houses)))

        self.env.process(arrive())

    def run(self, until: float) -> None:
        self.env.run(until=until)

    def forget(self) -> None:
        """Begin to count anew."""
        self.seen.clear()
        self.booked.clear()
        for station in self.stations().values():
            station.busy = 0.0
        if self.machine:
            self.machine.forget()

    # --- A throw --------------------------------------------------------------------------------

    def throw(self, house: int) -> Steps:
        need = self.demands
        number = house % self.layout.servers
        server = self.servers[number]
        factor = self.chance.choice(need.spread)
        web = self.chance.choice(self.web)
        if need.player:  # half of it to make up a command, half to send it and read the answer
            yield from self.player.work(need.player * factor / 2)
        entered = self.env.now
        if server.down:
            yield from server.until_back()
            yield self.env.timeout(self.chance.uniform(0, self.retry))
        yield self.env.timeout(need.still)
        rounds = self.layout.rounds
        for part in range(rounds):
            yield from web.work(need.web * factor / rounds)
            if part == rounds - 1:
                break
            yield from self._asked(number, need.answer * factor / (rounds - 1))
            if part == (rounds - 1) // 2:
                yield from self.logs[number].commit()
        if need.player:
            yield from self.player.work(need.player * factor / 2)
        self.seen.append(Seen(entered, self.env.now - entered, number))
        self._unbooked[house].append(entered)
        if house not in self._served:
            self._served.add(house)
            self.env.process(self._books(house))

    def _asked(self, number: int, part: float) -> Steps:
        """That part of what a throw asks of the databases."""
        if self.coordinator is not None and self.demands.coordinator:
            yield from self.coordinator.work(self.demands.coordinator * part)
        yield from self.servers[number].work(self.demands.server * part)

    def _books(self, house: int) -> Steps:
        while self._unbooked[house]:
            if self.machine is None:  # processes enough that they wait for cores alone
                yield from self._booking(house, self.workers.work)
                continue
            with self.workers.slots.request() as worker:  # it waits for the database, too
                yield worker
                yield from self._booking(house, self.workers.go_on)
        self._served.discard(house)

    def _booking(self, house: int, work: Callable[[float], Steps]) -> Steps:
        """Book what has come until now."""
        need, number = self.demands, house % self.layout.servers
        those = self._unbooked[house][:ROUND_LIMIT]
        del self._unbooked[house][: len(those)]
        yield from self.redis[house % len(self.redis)].work(need.redis * len(those))
        yield from work(need.worker_round + need.worker * len(those))
        if self.coordinator is not None and need.coordinator_round:
            yield from self.coordinator.work(need.coordinator_round)
        if need.server_round:
            yield from self.servers[number].work(need.server_round)
        yield from self._asked(number, (1 - need.answer) * len(those))
        yield from self.logs[number].commit()
        self.booked += [(entered, self.env.now - entered) for entered in those]

    # --- What came of it ------------------------------------------------------------------------

    def stations(self) -> dict[str, Station]:
        return {
            **{f"web {n + 1}": each for n, each in enumerate(self.web)},
            **{f"server {n + 1}": each for n, each in enumerate(self.servers)},
            **{f"Redis {n + 1}": each for n, each in enumerate(self.redis)},
            **({"coordinator": self.coordinator} if self.coordinator else {}),
            "workers": self.workers,
            "players": self.player,
        }

    def waits(self) -> list[float]:
        """The seconds that answers took, in order."""
        return sorted(each.wait for each in self.seen)

    def cores(self, seconds: float) -> dict[str, float]:
        """How many cores each kind of program kept busy, over so many seconds."""
        found: dict[str, float] = defaultdict(float)
        for name, station in self.stations().items():
            found[name.split()[0]] += station.busy / seconds
        return dict(found)
