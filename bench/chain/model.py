"""
The model of a chain that plays: what a throw asks of which machine, in which order.

A throw asks, in turn: the web process and the database, statement by statement, through the
coordinator if there is one; a flush of the log of the house's server; the web process again. It is
answered then. Afterwards Redis wakes a worker, which settles what has come of all throws of that
house, and once in a pace does all that follows from them, asking the house's server: as
casino/engine/processes/queues/waking.py does it. The same model stands for this machine, where all
programs share two cores (`bench.chain.truth`), and for a chain, where each has its own.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Final

import simpy

from bench.chain.engine import Log, Machine, Station
from casino.engine.processes.queues.waking import PACE, STAYS, TURN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bench.chain.engine import Steps

SETTLES: Final = 0.15
"""
The part of a booking that settles what a throw decided; all that follows is the rest, and is done
at leisure. By statements: 2 to 5 of some 25 (tests/play/core/test_throw_costs.py).
"""
LEVEL: Final = 0.15  # of that rest, where another worker has done it: 6 of 36 statements
SOON: Final = 0.001  # seconds that a worker waits for the next entry, at least


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
    :param still: seconds that an answer waits and nobody works: for sockets, and to be woken; a
        booking as much for each of its statements.
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
    :param rest: cores of them that are busy while nobody plays. :param burst: seconds that what
        goes on then works at a stretch.
    :param coordinator: cores; 0 if houses' servers are asked directly.
    :param web_speed: and the others, less than 1 where a part of a chain has a part of a core.
    :param servers: servers that hold houses. :param cores: of each.
    :param redis: shards, each of one core. :param houses: how many play.
    :param rounds: parts into which a throw's work is cut, 2 or more: web and database take turns.
    :param booked: parts into which a booking's is, worker and database likewise.
    :param processes: of workers, for each of their cores: they wait for the database, too.
    """

    web: int
    workers: int
    servers: int
    cores: int
    houses: int
    machine: int = 0
    rest: float = 0
    burst: float = 0.001
    coordinator: int = 0
    redis: int = 1
    web_speed: float = 1
    workers_speed: float = 1
    cores_speed: float = 1
    coordinator_speed: float = 1
    redis_speed: float = 1
    rounds: int = 6
    booked: int = 6
    processes: int = 4


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
    """When throws were entered, and how many seconds until what they decided was settled."""
    settled: int = 0
    followed: int = 0
    """How often somebody settled a house, and did what follows where anything did."""
    bookings: float = 0.0
    """Whole ones, of both parts."""

    def __post_init__(self) -> None:
        self.env = env = simpy.Environment()
        self.chance = Random(self.seed)  # noqa: S311 - a simulation
        lay = self.layout
        machine = Machine(env, lay.machine, self.seed) if lay.machine else None
        self.machine = machine
        if machine and lay.rest:
            env.process(self._rests(machine))
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
        self._unsettled: dict[int, list[float]] = defaultdict(list)
        self._unfollowed: dict[int, int] = defaultdict(int)
        self._waiting: set[int] = set()
        self._entries: simpy.Store = simpy.Store(env)
        for _ in range(lay.workers * lay.processes):
            env.process(self._serves())

    # --- Load -----------------------------------------------------------------------------------

    def closed(self, players: int, pause: float, commands: int) -> float:
        """
        Players who each think, throw, and wait for the answer, until all commands were given.

        :param pause: mean seconds of thinking, exponential. :returns: the seconds it took.
        """
        began, left = self.env.now, iter(range(commands))
        play = [
            self.env.process(self._plays(number % self.layout.houses, pause, left))
            for number in range(players)
        ]
        self.env.run(self.env.all_of(play))
        return float(self.env.now - began)

    def _plays(self, house: int, pause: float, left: Iterator[int]) -> Steps:
        for _ in left:
            if pause:
                yield self.env.timeout(self.chance.expovariate(1 / pause))
            yield from self.throw(house)

    def _rests(self, machine: Machine) -> Steps:
        while True:
            mean = self.layout.burst / 2  # the burst in which a second lies is twice as long
            yield self.env.timeout(self.chance.expovariate(self.layout.rest / mean))
            self.env.process(machine.work(self.chance.expovariate(1 / mean)))

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
        self.settled, self.followed, self.bookings = 0, 0, 0.0
        for station in self.stations().values():
            station.busy = 0.0

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
        rounds = self.layout.rounds
        for part in range(rounds):
            yield self.env.timeout(need.still / rounds)
            yield from web.work(need.web * factor / rounds)
            if part == rounds - 1:
                break
            asked = need.answer * factor / (rounds - 1)
            yield from self._asked(number, need.coordinator * asked, need.server * asked)
            if part == (rounds - 1) // 2:
                yield from self.logs[number].commit()
        if need.player:
            yield from self.player.work(need.player * factor / 2)
        self.seen.append(Seen(entered, self.env.now - entered, number))
        self.env.process(self._wakes(house, entered))

    def _asked(self, number: int, coordinator: float, server: float) -> Steps:
        """A statement: the coordinator works before and after it, if there is one."""
        if self.coordinator is None or not coordinator:
            yield from self.servers[number].work(server)
            return
        yield from self.coordinator.work(coordinator / 2)
        yield from self.servers[number].work(server)
        yield from self.coordinator.work(coordinator / 2)

    def _wakes(self, house: int, entered: float) -> Steps:
        """The house stands on the list once, however many throws wait there."""
        yield from self.redis[house % len(self.redis)].work(self.demands.redis)
        self._unsettled[house].append(entered)
        if house not in self._waiting:
            self._waiting.add(house)
            self._entries.put(house)

    def _serves(self) -> Steps:
        """A worker's process: turns in which it settles houses, and then does what follows."""
        while True:
            house = yield self._entries.get()
            owed: dict[int, float] = {}  # house -> when what follows is due
            ends = self.env.now + TURN
            while house is not None or owed:
                if house is not None:
                    owed.setdefault(house, self.env.now + PACE)
                    yield from self._settles(house)
                for each in [each for each, due in owed.items() if due <= self.env.now]:
                    del owed[each]
                    yield from self._follows(each)
                if self.env.now >= ends:
                    break
                stays = min(
                    STAYS, ends - self.env.now, *(due - self.env.now for due in owed.values())
                )
                entry = self._entries.get()
                yield entry | self.env.timeout(max(stays, SOON))
                house = entry.value if entry.triggered else None
                if house is None:
                    entry.cancel()
            for each in owed:
                yield from self._follows(each)

    def _settles(self, house: int) -> Steps:
        self._waiting.discard(house)
        those = self._unsettled.pop(house, [])
        yield from self._booking(house, SETTLES, len(those))
        self.settled += 1
        self._unfollowed[house] += len(those)
        self.booked += [(entered, self.env.now - entered) for entered in those]

    def _follows(self, house: int) -> Steps:
        throws = self._unfollowed.pop(house, 0)
        self.followed += throws > 0
        yield from self._booking(house, (1 - SETTLES) * (1 if throws else LEVEL), throws)

    def _booking(self, house: int, part: float, throws: int) -> Steps:
        """A part of a booking, of so many throws."""
        self.bookings += part
        need, number = self.demands, house % self.layout.servers
        asks = max(1, round(part * self.layout.booked))
        worker = part * (need.worker_round + need.worker * throws) / asks
        server = part * (need.server_round + (1 - need.answer) * need.server * throws) / asks
        coordinator = (
            part * (need.coordinator_round + (1 - need.answer) * need.coordinator * throws) / asks
        )
        factor = self.chance.choice(need.spread)
        for _ in range(asks):
            yield self.env.timeout(need.still / self.layout.rounds)
            yield from self.workers.work(worker * factor)
            yield from self._asked(number, coordinator * factor, server * factor)
        yield from self.logs[number].commit()

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
