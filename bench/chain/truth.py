"""
The model held against this machine: the same programs, cores and players, simulated and measured.

Three things are taken from two of the measured loads, the lightest and the heaviest: what a throw
asks of each program, which is more on a machine that idles than on one that is full; how much of the
databases' part is needed for the answer, so that a lone player waits as long as measured; and how
throws differ. All other loads are foreseen from those, and compared.
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

LIGHT, HEAVY: Final = "1", "16"
WITHIN: Final = 0.20
WEB, WORKERS, CORES, HOUSES: Final = 2, 2, 2, 12
WARM, SECONDS: Final = 5.0, 60.0
TURNS: Final = 4  # until load and demands agree
SEEDS: Final = (1, 2, 3)


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

    def __init__(self, measured: Measured, form: str, flush: float) -> None:
        """:param flush: seconds of a flush of this machine's disk."""
        self.loads = measured.loads(form)
        missing = {LIGHT, HEAVY} - self.loads.keys()
        if missing:
            raise parts.BadParts(
                f"{measured.path}, nodes, {form}: load {sorted(missing)[0]!r} was not measured,"
                " and the model is fitted on it."
            )
        self.rest = sum(measured.rest(form).values())
        self.servers = max(1, len(measured.rest(form).keys() & {"server 2", "server 3"}))
        self.flush, self.answer = flush, 0.5
        light, heavy = self.loads[LIGHT], self.loads[HEAVY]
        self.fullness = _fullness(light), _fullness(heavy)
        self.spread = parts.spread(light.waits)
        self.answer = self._fitted(light)

    def _fitted(self, light: Truth) -> float:
        """The part of the databases' work in an answer with which a lone player waits as long."""
        low, high = 0.02, 0.98
        for _ in range(7):
            self.answer = (low + high) / 2
            found = self._run(light, self.demands(self.fullness[0]))
            waits = found.waits()
            longer = 1000 * sum(waits) / len(waits) > light.mean
            low, high = (low, self.answer) if longer else (self.answer, high)
        return self.answer

    def demands(self, fullness: float) -> Demands:
        """What a throw asks if the machine is so full: between what two loads found."""
        first, last = self.fullness
        part = min(1.0, max(0.0, (fullness - first) / (last - first))) if last > first else 1.0
        light, heavy = (
            parts.demands(self.loads[name], flush=self.flush, answer=self.answer)
            for name in (LIGHT, HEAVY)
        )
        names = ("web", "server", "worker", "redis", "coordinator", "player")
        mixed = {
            name: getattr(light, name) * (1 - part) + getattr(heavy, name) * part for name in names
        }
        return replace(heavy, **mixed, spread=self.spread)

    def foresee(self, load: Truth) -> Foreseen:
        fullness = self.fullness[1]
        for _ in range(TURNS):
            one = self._run(load, self.demands(fullness))
            fullness = sum(one.cores(SECONDS).get(name, 0.0) for name in ("machine",)) / _left(load)
        runs = [self._run(load, self.demands(fullness), seed) for seed in SEEDS]
        return _summed(runs)

    def _run(self, load: Truth, demands: Demands, seed: int = SEEDS[0]) -> Simulation:
        speed = (_left(load) - self.rest) / CORES
        layout = Layout(
            web=WEB, workers=WORKERS, servers=self.servers, cores=CORES, houses=HOUSES,
            machine=CORES, speed=speed, coordinator=CORES if demands.coordinator else 0,
        )  # fmt: skip
        run = Simulation(demands, layout, seed)
        run.closed(load.players, load.pause, warm=WARM, seconds=SECONDS)
        return run


def _left(load: Truth) -> float:
    """Cores that other programs leave."""
    return CORES * (1 - load.others)


def _fullness(load: Truth) -> float:
    """How much of what others leave was in use."""
    return sum(load.cores.values()) / _left(load)


def _summed(runs: Sequence[Simulation]) -> Foreseen:
    waits = sorted(wait for each in runs for wait in each.waits())
    cores = [each.cores(SECONDS) for each in runs]
    return Foreseen(
        rate=len(waits) / SECONDS / len(runs),
        cores={name: sum(each[name] for each in cores) / len(cores) for name in cores[0]},
        p50=1000 * percentile(waits, 50), p95=1000 * percentile(waits, 95),
    )  # fmt: skip


def compare(model: Model) -> Iterator[Compared]:
    """Every load: throws a second, cores by program, waits."""
    for name, load in model.loads.items():
        fitted, found = name == LIGHT, model.foresee(load)
        yield Compared(name, "throws a second", load.rate, found.rate, fitted)
        for what, (measured, foreseen) in _cores(load, found).items():
            yield Compared(name, f"cores: {what}", measured, foreseen, fitted)
        yield Compared(name, "p50, ms", load.waits[50], found.p50, fitted)
        yield Compared(name, "p95, ms", load.waits[95], found.p95, fitted)


def _cores(load: Truth, found: Foreseen) -> dict[str, tuple[float, float]]:
    servers = sum(value for name, value in load.cores.items() if name.startswith("server "))
    databases = found.cores["server"] + found.cores.get("coordinator", 0.0)
    return {
        "web": (load.cores["web"], found.cores["web"]),
        "databases": (servers, databases),
        "workers": (load.cores["worker"], found.cores["workers"]),
    }


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
