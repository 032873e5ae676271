"""
How many machines a chain needs, what of it is full first, and what it costs in a month.

What a throw asks is measured; how full a core may be is an assumption. Throws a second times
seconds of processor is cores in use (the utilisation law), whatever the order of arrivals. That
queues stay short at that size is what `checked` simulates, on a part of the chain: some servers
with their houses and their share of everything that all houses use.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, inf
from typing import TYPE_CHECKING, Final

from bench.chain import evening
from bench.chain.model import Layout, Simulation
from bench.figures import Table, percentile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bench.chain.model import Demands
    from bench.chain.parts import Assumptions, Truth

GB: Final = 10**9
WARM: Final = 3.0
SECONDS: Final = 12.0


@dataclass(frozen=True)
class Sized:
    """
    What a chain needs at one rate.

    :param rate: throws a second in the highest hour. :param mean: over the whole day.
    """

    houses: int
    rate: float
    mean: float
    web_cores: float
    worker_cores: float
    server_cores: float
    coordinator_cores: float
    redis_shards: int
    servers: int
    web_hosts: int
    worker_hosts: int
    connections: float
    pooled: float
    iops: float
    fresh_gb: float
    old_gb: float
    wal_mb: float
    money: float

    @property
    def cores(self) -> float:
        return (
            self.web_cores + self.worker_cores + self.server_cores + self.coordinator_cores
            + self.redis_shards
        )  # fmt: skip


class Chain:
    """
    A chain of the assumptions' kind.

    :param through: what a throw asks through a coordinator.
    :param direct: what it asks if the house's own server is asked.
    :param alone: seconds that it asks of a PostgreSQL which has all houses.
    :param truth: the load that these were measured at: bytes, events, flushes, rows.
    :param rest: cores that a house uses while nobody plays there.
    """

    def __init__(  # noqa: PLR0913 - what was measured
        self, known: Assumptions, through: Demands, direct: Demands, truth: Truth, *,
        alone: float, rest: float,
    ) -> None:  # fmt: skip
        self.alone = alone
        flush = known.machines["flush_ms"] / 1000
        self.known, self.truth, self.rest = known, truth, rest
        # Players are people with tablets: they take nothing of any machine.
        self.through = replace(through, flush=flush, player=0.0)
        self.direct = replace(direct, flush=flush, player=0.0)

    # --- Sizes ------------------------------------------------------------------------------------

    def sized(self, houses: int, *, rate: float | None = None, direct: bool = True) -> Sized:
        """
        The machines of that many houses.

        :param rate: throws a second; without it those of the highest hour of their evenings.
        """
        known, machines = self.known, self.known.machines
        share = houses / known.chain["houses"]
        most = evening.highest(known) * share if rate is None else rate
        mean = most * evening.mean(known) / evening.highest(known)
        need, full = (self.direct if direct else self.through), machines["busy"]
        web, worker = (max(1.0, ceil(most * each / full)) for each in (need.web, need.worker))
        idle, server = houses * self.rest, most * self.alone / full
        if not direct or server + idle > machines["server_cores"]:  # it has to be distributed
            server = most * need.server / full
        server += idle
        servers = max(1, ceil(server / machines["server_cores"]))
        coordinator = 0.0 if direct else ceil(most * self.through.coordinator / full)
        redis = max(1, ceil(most * need.redis / machines["redis_busy"]))
        processes = (web + worker) / machines["process_cores"]
        fresh, old = self._gigabytes(mean)
        sized = Sized(
            houses=houses, rate=most, mean=mean, web_cores=web, worker_cores=worker,
            server_cores=ceil(server), coordinator_cores=coordinator, redis_shards=redis,
            servers=servers, web_hosts=ceil(web / machines["web_cores"]),
            worker_hosts=ceil(worker / machines["worker_cores"]),
            connections=web / machines["process_cores"] * machines["threads"] + worker,
            pooled=most * self._held(need), iops=self._iops(most, servers), fresh_gb=fresh,
            old_gb=old, wal_mb=most * self.truth.wal / 1e6, money=0.0,
        )  # fmt: skip
        return replace(sized, money=self.money(sized, processes))

    def _held(self, need: Demands) -> float:
        """Seconds for which a throw needs a session of the database, between two of a pooler."""
        return need.server + need.coordinator + 2 * need.flush

    def _iops(self, rate: float, servers: int) -> float:
        """
        Writes a second: flushes of logs, and pages of rows that changed.

        A log is flushed for many at once: never more often than a flush takes.
        """
        flushes = min(rate * self.truth.flushes, servers / self.direct.flush)
        return flushes + rate * self.truth.wal / 8192

    def _gigabytes(self, mean: float) -> tuple[float, float]:
        """On the servers' own disks, and on slow storage."""
        chain = self.known.chain
        a_day = mean * 86_400 * self.truth.events * chain["bytes_an_event"] / GB
        old = 365 * chain["full_years"] * a_day * chain["old_share"]
        return a_day * chain["hot_days"], old

    def money(self, sized: Sized, processes: float) -> float:
        """A month. Standbys are servers of the same size, with disks of their own."""
        prices, machines = self.known.prices, self.known.machines
        times = 2 if prices["standby"] else 1
        databases = (sized.server_cores + sized.coordinator_cores) * times
        others = sized.web_cores + sized.worker_cores + sized.redis_shards
        memory = databases * machines["memory_server"] + processes * machines["memory_web"]
        return (
            (databases + others) * prices["core"] + memory * prices["memory_gb"]
            + sized.fresh_gb * times * prices["fast_disk_gb"]
            + sized.old_gb * prices["slow_disk_gb"]
            + sized.iops * times / 1000 * prices["iops_1000"]
        )  # fmt: skip

    # --- What is full first -----------------------------------------------------------------------

    def limits(self) -> list[tuple[str, float]]:
        """What there is one of, or a bound of, and at how many throws a second it is full."""
        machines, need = self.known.machines, self.through
        held = machines["most_connections"] / self._held(need)
        threads = machines["threads"] * need.web / machines["busy"] / machines["process_cores"]
        bounds = {
            "one PostgreSQL for all houses": _full(machines["coordinator_cores"], self.alone),
            "the coordinator, if all statements go through it": _full(
                machines["coordinator_cores"], need.coordinator
            ),
            "sessions of the coordinator without a pooler": _full(
                machines["most_connections"], threads + need.worker / machines["busy"]
            ),
            "sessions of the coordinator with a pooler": held,
            "one Redis": _full(1, need.redis),
            "the log of one house (its appends are in turn)": 1 / (need.flush + 0.001),
        }
        return sorted(bounds.items(), key=lambda each: each[1])

    # --- Simulated --------------------------------------------------------------------------------

    def part(
        self, sized: Sized, servers: float, *, direct: bool = True, seed: int = 1
    ) -> Simulation:
        """
        A part of a chain: some of its servers, and their share of all that is common.

        :param servers: how many; less than 1 is a smaller server with as much fewer houses.
        """
        share, whole = servers / sized.servers, max(1, round(servers))
        cores = sized.server_cores / sized.servers * min(1.0, servers)
        web, workers = sized.web_cores * share, sized.worker_cores * share
        shards = max(1, round(sized.redis_shards * share))
        need = self.direct if direct else self.through
        coordinator = sized.coordinator_cores * share
        return Simulation(
            need,
            Layout(
                web=ceil(web), web_speed=web / ceil(web),
                workers=ceil(workers), workers_speed=workers / ceil(workers),
                servers=whole, cores=ceil(cores), cores_speed=cores / ceil(cores),
                houses=max(whole, round(sized.houses * share)), rounds=2,
                redis=shards, redis_speed=sized.redis_shards * share / shards,
                coordinator=0 if direct else ceil(coordinator),
                coordinator_speed=1 if direct else coordinator / ceil(coordinator),
            ),
            seed, self.known.machines["retry_seconds"],
        )  # fmt: skip

    def checked(self, sized: Sized, parts: Sequence[float]) -> Iterator[Checked]:
        """Parts of several sizes at the chain's rate: they have to say the same."""
        for servers in parts:
            run = self.part(sized, servers)
            rate = sized.rate * servers / sized.servers
            run.arrivals(_steady(rate), rate)
            run.run(WARM)
            run.forget()
            run.run(WARM + SECONDS)
            waits, busy, lay = run.waits(), run.cores(SECONDS), run.layout
            yield Checked(
                part=sized.rate / rate, rate=len(waits) / SECONDS,
                web=busy["web"] / lay.web / lay.web_speed,
                server=busy["server"] / (lay.cores * lay.servers) / lay.cores_speed,
                workers=busy["workers"] / lay.workers / lay.workers_speed,
                p50=1000 * percentile(waits, 50), p95=1000 * percentile(waits, 95),
                booked=1000 * percentile(sorted(took for _at, took in run.booked), 95),
            )  # fmt: skip


@dataclass(frozen=True)
class Checked:
    """
    How full a simulated part of a chain was, and how long throws waited, ms.

    :param part: how many such parts make the chain.
    """

    part: float
    rate: float
    web: float
    server: float
    workers: float
    p50: float
    p95: float
    booked: float


def _steady(rate: float) -> Callable[[float], float]:
    return lambda _now: rate


def _full(many: float, each: float) -> float:
    return many / each if each else inf


def table(sizes: Sequence[Sized]) -> Table:
    """Chains of several sizes, a column each."""
    out = Table(
        "What a chain needs in its highest hour",
        ("", *(f"{each.houses:,} house{'s' * (each.houses > 1)}" for each in sizes)),
    )
    rows = {
        "throws a second": lambda one: f"{one.rate:,.0f}",
        "... over a whole day": lambda one: f"{one.mean:,.0f}",
        "cores: web": lambda one: f"{one.web_cores:,.0f}",
        "cores: workers": lambda one: f"{one.worker_cores:,.0f}",
        "cores: houses' servers": lambda one: f"{one.server_cores:,.0f}",
        "cores: all": lambda one: f"{one.cores:,.0f}",
        "servers that hold houses": lambda one: f"{one.servers:,}",
        "Redis shards": lambda one: f"{one.redis_shards:,}",
        "sessions without a pooler": lambda one: f"{one.connections:,.0f}",
        "sessions with one": lambda one: f"{one.pooled:,.0f}",
        "writes of disks a second": lambda one: f"{one.iops:,.0f}",
        "log, MB a second": lambda one: f"{one.wal_mb:,.1f}",
        "TB on servers' disks": lambda one: f"{one.fresh_gb / 1000:,.2f}",
        "TB of old days": lambda one: f"{one.old_gb / 1000:,.2f}",
        "money a month": lambda one: f"{one.money:,.0f}",
        "... a house": lambda one: f"{one.money / one.houses:,.2f}",
    }
    for label, figure in rows.items():
        out.add(label, *map(figure, sizes))
    return out
