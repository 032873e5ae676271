"""
The model held against this machine: the same programs, cores and players, simulated and measured.

Three things are taken from two of the measured loads, the lightest and the heaviest: what a throw
asks of each program, which is more where little is done at once; how throws differ; and the weight
of the machine's other programs, so that a lone player waits as long as measured. How many of those
there were at each load a probe has measured (`bench.crowd`). All else is foreseen, and compared.
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

LIGHT: Final = "1"
HEAVY: Final = "16"
WITHIN: Final = 0.20
WEB = WORKERS = CORES = 2
WARM: Final = 5.0
SECONDS: Final = 60.0
TURNS: Final = 4  # until load and demands agree
SEEDS: Final = (1, 2, 3)
BACKENDS: Final = 100  # sessions of a server that work at once: more than ever do here
WEIGHT_MOST: Final = 4.0
MIXED: Final = ("web", "server", "worker", "redis", "coordinator", "player")


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
        missing = {LIGHT, HEAVY} - self.loads.keys()
        if missing:
            raise parts.BadParts(
                f"{measured.path}, nodes, {form}: load {min(missing)!r} was not measured,"
                " and the model is fitted on it."
            )
        self.rest, self.flush = measured.rest(form), measured.flush(form)
        self.servers = max(1, len(self.rest.keys() & {"server 2", "server 3"}))
        self.houses = sum(measured.houses(form).values())
        light = self.loads[LIGHT]
        self.spread = parts.spread(light.waits)
        self.weight = 1.0
        self.weight = self._fitted(light)

    def _fitted(self, light: Truth) -> float:
        """What another program weighs beside one of ours, so that a lone player waits as long."""
        low, high = 0.0, WEIGHT_MOST
        for _ in range(8):
            self.weight = (low + high) / 2
            waits = self._run(light, self.demands(light.rate), self._others(light, 1.0)).waits()
            longer = 1000 * sum(waits) / len(waits) > light.mean
            low, high = (low, self.weight) if longer else (self.weight, high)
        return self.weight

    def _others(self, load: Truth, ours: float) -> float:
        """How many programs of others had work, beside so many of ours and the probe."""
        return self.weight * max(0.0, load.crowded * CORES - 1 - ours)

    def demands(self, rate: float) -> Demands:
        """What a throw asks at so many a second: between what two loads found."""
        light, heavy = self.loads[LIGHT], self.loads[HEAVY]
        width = heavy.rate - light.rate
        part = min(1.0, max(0.0, (rate - light.rate) / width)) if width > 0 else 1.0
        first, last = (
            parts.demands(each, flush=self.flush, answer=parts.ANSWER) for each in (light, heavy)
        )
        mixed = {
            name: getattr(first, name) * (1 - part) + getattr(last, name) * part for name in MIXED
        }
        return replace(last, **mixed, spread=self.spread)

    def foresee(self, load: Truth) -> Foreseen:
        rate, ours = self.loads[HEAVY].rate, 1.0
        for _ in range(TURNS):
            one = self._run(load, self.demands(rate), self._others(load, ours))
            rate = (rate + len(one.seen) / SECONDS) / 2
            ours = one.machine.crowd if one.machine else 0.0
        runs = [
            self._run(load, self.demands(rate), self._others(load, ours), seed) for seed in SEEDS
        ]
        return self._summed(runs)

    def _run(
        self, load: Truth, demands: Demands, others: float, seed: int = SEEDS[0]
    ) -> Simulation:
        layout = Layout(
            web=WEB, workers=WORKERS, servers=self.servers, cores=BACKENDS, houses=self.houses,
            machine=CORES, others=others,
            coordinator=BACKENDS if demands.coordinator else 0,
        )  # fmt: skip
        run = Simulation(demands, layout, seed)
        run.closed(load.players, load.pause, warm=WARM, seconds=SECONDS)
        return run

    def _summed(self, runs: Sequence[Simulation]) -> Foreseen:
        waits = sorted(wait for each in runs for wait in each.waits())
        cores = [each.cores(SECONDS) for each in runs]
        busy = {name: sum(each[name] for each in cores) / len(cores) for name in cores[0]}
        rest = parts.summed(self.rest)
        databases = busy["server"] + busy.get("coordinator", 0.0)
        return Foreseen(
            rate=len(waits) / SECONDS / len(runs),
            cores={
                "web": busy["web"] + rest["web"], "databases": databases + rest["databases"],
                "workers": busy["workers"] + rest["workers"],
            },
            p50=1000 * percentile(waits, 50), p95=1000 * percentile(waits, 95),
        )  # fmt: skip


def compare(model: Model) -> Iterator[Compared]:
    """Every load: throws a second, cores by program, waits."""
    for name, load in model.loads.items():
        fitted, found = name == LIGHT, model.foresee(load)
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
