"""
The model held against this machine: the same programs, cores and players, simulated and measured.

What a program does for a throw has a part for each throw and one for each booking, however many
throws that books. They are told apart by two measured loads: one where throws come one by one, and
the heaviest, in which many are booked at once; how often the model books, it says itself. From the
lone player come how throws differ, and how long an answer waits while nobody works. All else is
foreseen, and compared: the same number of throws, from the first to the last.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from bench.chain import parts
from bench.chain.model import Layout, Simulation
from bench.figures import Table, percentile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.chain.model import Demands
    from bench.chain.parts import Measured, Truth

LONE: Final = "1"
SLOW: Final = "48 slow"
"""Who thinks for long, at many houses: hardly two throws are booked together."""
HEAVY: Final = "16"
FITTED: Final = (LONE, SLOW, HEAVY)
WITHIN: Final = 0.20
WEB = WORKERS = CORES = 2
STATEMENTS, BOOKED = 11, 24  # of a throw, and of a booking that nothing is left out of
TURNS: Final = 4  # until bookings and what one costs agree
SEEDS: Final = (1, 2, 3)
BACKENDS: Final = 100  # sessions of a server that work at once: more than ever do here
STILL: Final = 0.02  # seconds, at most
ANSWERED: Final = {"server": parts.ANSWER, "coordinator": parts.ANSWER, "worker": 0.0}
SELDOM: Final = 0.02  # bookings for each throw, at least


@dataclass(frozen=True)
class Foreseen:
    """What the model says of a load, in the figures of `Truth`."""

    rate: float
    cores: dict[str, float]
    p50: float
    p95: float


@dataclass(frozen=True)
class Compared:
    """A figure of one load. :param fitted: the model took it from here."""

    load: str
    what: str
    measured: float
    model: float
    fitted: bool = False

    @property
    def off(self) -> float:
        return self.model / self.measured - 1

    @property
    def holds(self) -> bool:
        return self.fitted or abs(self.off) <= WITHIN


class Model:
    """The model of this machine with one form of `bench.nodes`."""

    def __init__(self, measured: Measured, form: str) -> None:
        self.loads = measured.loads(form)
        if missing := set(FITTED) - self.loads.keys():
            raise parts.BadParts(
                f"{measured.path}, nodes, {form}: load {min(missing)!r} was not measured,"
                " and the model is fitted on it."
            )
        self.rest, self.flush = measured.rest(form), measured.flush(form)
        self.burst = measured.burst(form)
        self.servers = max(1, len(self.rest.keys() & {"server 2", "server 3"}))
        self.houses = sum(measured.houses(form).values())
        self.lone, self.apart, self.heavy = (self.loads[name] for name in FITTED)
        self.spread = parts.spread(self.lone.waits)
        self.still = 0.0
        self.often = {SLOW: 0.9, HEAVY: 0.3}
        for _ in range(TURNS):  # each follows from the others
            self.often = {load: self._often(load) for load in self.often}
            self.still = self._waits_still()

    def _often(self, load: str) -> float:
        """Bookings for each throw."""
        run, _ = self._run(self.loads[load], self.loads[load].rate)
        return run.bookings / len(run.seen)

    def _waits_still(self) -> float:
        """With which a lone player waits as long as measured."""
        low, high = 0.0, STILL
        for _ in range(7):
            self.still = (low + high) / 2
            waits = self._run(self.lone, self.lone.rate)[0].waits()
            late = 1000 * sum(waits) / len(waits) > self.lone.mean
            low, high = (low, self.still) if late else (self.still, high)
        return (low + high) / 2

    def demands(self, rate: float) -> Demands:
        """
        What a throw asks at so many a second, and what each booking does.

        The same work takes longer where it comes one by one: what a web process did for a throw
        says how much longer, as it does the same for each.
        """
        last = parts.demands(self.heavy, flush=self.flush)
        width = self.heavy.rate - self.apart.rate
        part = min(1.0, max(0.0, (self.heavy.rate - rate) / width)) if width > 0 else 0.0
        longer = 1 + part * (self.apart.ms["web"] / self.heavy.ms["web"] - 1)
        found = {"web": last.web, "player": last.player, "redis": last.redis}
        for name, answered in ANSWERED.items():
            found[name], found[f"{name}_round"], asked = self._divided(name, answered)
            if name == "server":
                last = replace(last, answer=asked)
        return replace(
            last, **{name: longer * value for name, value in found.items()},
            still=self.still, spread=self.spread,
        )  # fmt: skip

    def _divided(self, name: str, answered: float) -> tuple[float, float, float]:
        """
        What a program does for each throw and for each booking, seconds on a full machine.

        :param answered: the part of a lone player's throw that its answer waits for.
        :returns: and the part of the first that answers wait for.
        """
        lone, first, last = (
            getattr(parts.demands(each), name) * self.heavy.ms["web"] / each.ms["web"]
            for each in (self.lone, self.apart, self.heavy)
        )
        few, many = max(SELDOM, self.often[HEAVY]), self.often[SLOW]
        least = min(last, answered * lone)
        booking = max(0.0, first - last) / max(SELDOM, many - few)
        booking = min(booking, (last - least) / few)
        each = last - few * booking
        return each, booking, least / each if each else 0.0

    def foresee(self, load: Truth) -> Foreseen:
        rate = self.heavy.rate
        for _ in range(TURNS):
            run, took = self._run(load, rate)
            rate = (rate + len(run.seen) / took) / 2
        return self._summed([self._run(load, rate, seed) for seed in SEEDS])

    def _run(self, load: Truth, rate: float, seed: int = SEEDS[0]) -> tuple[Simulation, float]:
        """That load, if throws cost what they do at that rate; and the seconds it took."""
        demands = self.demands(rate)
        layout = Layout(
            web=WEB, workers=WORKERS, servers=self.servers, cores=BACKENDS, houses=self.houses,
            machine=CORES, rest=sum(self.rest.values()), burst=self.burst, rounds=STATEMENTS,
            booked=BOOKED,
            processes=1,
            coordinator=BACKENDS if demands.coordinator else 0,
        )  # fmt: skip
        run = Simulation(demands, layout, seed)
        return run, run.closed(load.players, load.pause, load.commands)

    def _summed(self, runs: Sequence[tuple[Simulation, float]]) -> Foreseen:
        waits = sorted(wait for each, _took in runs for wait in each.waits())
        cores = [each.cores(took) for each, took in runs]
        busy = {name: sum(each[name] for each in cores) / len(cores) for name in cores[0]}
        rest = parts.summed(self.rest)
        databases = busy["server"] + busy.get("coordinator", 0.0)
        return Foreseen(
            rate=len(waits) / sum(took for _run, took in runs),
            cores={
                "web": busy["web"] + rest["web"], "databases": databases + rest["databases"],
                "workers": busy["workers"] + rest["workers"],
            },
            p50=1000 * percentile(waits, 50), p95=1000 * percentile(waits, 95),
        )  # fmt: skip


def compare(model: Model) -> Iterator[Compared]:
    """Every load: throws a second, cores by program, waits."""
    for name, load in model.loads.items():
        fitted, found = name == LONE, model.foresee(load)
        yield Compared(name, "throws a second", load.rate, found.rate, fitted)
        for what, measured in parts.summed(load.cores).items():
            yield Compared(name, f"cores: {what}", measured, found.cores[what], fitted)
        yield Compared(name, "p50, ms", load.waits[50], found.p50, fitted)
        yield Compared(name, "p95, ms", load.waits[95], found.p95, fitted)


def table(rows: Sequence[Compared], form: str) -> Table:
    out = Table(
        f"The model beside what was measured, form {form}",
        ("load", "", "measured", "model", "off"),
    )
    for each in rows:
        off = f"{each.off:+.0%}" + (" (fitted)" if each.fitted else "")
        out.add(
            each.load, each.what, f"{each.measured:.3g}", f"{each.model:.3g}",
            off if each.holds else f"**{off}**",
        )  # fmt: skip
    wrong = sum(not each.holds for each in rows)
    out.notes.append(
        f"{len(rows) - sum(each.fitted for each in rows)} figures foreseen, {wrong} of them off by"
        f" more than {WITHIN:.0%}."
    )
    return out
