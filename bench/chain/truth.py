"""
The model held against this machine: the same programs, cores and players, simulated and measured.

A booking costs something, however many throws it books, and something for each. That is told from
two of the measured loads: what a throw costs where throws come one by one, and what workers do for
one of the heaviest load, in which many are booked at once. From the lone player come how throws
differ, and how long an answer waits while nobody works. How many programs of others there were, a
probe has measured (`bench.crowd`). All else is foreseen, and compared.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from bench.chain import parts
from bench.chain.model import Layout, Simulation
from bench.figures import Table, percentile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bench.chain.model import Demands
    from bench.chain.parts import Measured, Truth

LONE: Final = "1"
APART: Final = "48 slow"
"""Who thinks for long, at many houses: hardly two throws are booked together."""
HEAVY: Final = "16"
FITTED: Final = (LONE, APART, HEAVY)
WITHIN: Final = 0.20
WEB = WORKERS = CORES = 2
WARM: Final = 5.0
SECONDS: Final = 60.0
TURNS: Final = 4  # until load and demands agree
SEEDS: Final = (1, 2, 3)
BACKENDS: Final = 100  # sessions of a server that work at once: more than ever do here
QUIET: Final = 0.05
"""If others took less of the processors, the probe has only seen our own programs."""
STILL: Final = 0.02  # seconds, at most
MIXED: Final = ("web", "redis", "player")


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
        self.servers = max(1, len(self.rest.keys() & {"server 2", "server 3"}))
        self.houses = sum(measured.houses(form).values())
        self.lone, self.apart, self.heavy = (self.loads[name] for name in FITTED)
        self.spread = parts.spread(self.lone.waits)
        self.still, self.together = 0.0, 0.5
        for _ in range(TURNS):  # each follows from the other
            self.still = self._fitted("still", self._answers_late, STILL)
            self.together = self._fitted("together", self._books_cheap)

    def _fitted(self, name: str, too_much: Callable[[], bool], most: float = 1.0) -> float:
        """The value, up to the most, from which on it is too much."""
        low, high = 0.0, most
        for _ in range(7):
            part = (low + high) / 2
            setattr(self, name, part)
            low, high = (low, part) if too_much() else (part, high)
        return (low + high) / 2

    def _answers_late(self) -> bool:
        """Whether a lone player would wait for longer than measured."""
        waits = self._alike(self.lone).waits()
        return 1000 * sum(waits) / len(waits) > self.lone.mean

    def _books_cheap(self) -> bool:
        """Whether workers would have less to do for a throw of the heaviest load than measured."""
        run = self._alike(self.heavy)
        return (
            1000 * run.stations()["workers"].busy / max(1, len(run.booked))
            < self.heavy.ms["worker"]
        )

    def _alike(self, load: Truth) -> Simulation:
        return self._run(load, self.demands(load.rate), self._others(load, 1.0))

    def _others(self, load: Truth, ours: float) -> float:
        """How many programs of others had work, beside so many of ours and the probe."""
        return max(0.0, load.crowded * CORES - 1 - ours) if load.others > QUIET else 0.0

    def demands(self, rate: float) -> Demands:
        """What a throw asks at so many a second, and what each booking does."""
        lone, first, last = (
            parts.demands(each, flush=self.flush, answer=1.0)
            for each in (self.lone, self.apart, self.heavy)
        )
        width = self.heavy.rate - self.apart.rate
        part = min(1.0, max(0.0, (rate - self.apart.rate) / width)) if width > 0 else 1.0
        mixed = {
            name: getattr(first, name) * (1 - part) + getattr(last, name) * part for name in MIXED
        }
        for name in ("server", "coordinator"):
            answered = parts.ANSWER * getattr(lone, name)
            booked = max(0.0, getattr(first, name) - answered)
            mixed[f"{name}_round"] = self.together * booked
            mixed[name] = answered + (1 - self.together) * booked
        mixed["worker_round"] = self.together * first.worker
        mixed["worker"] = (1 - self.together) * first.worker
        answer = parts.ANSWER * lone.server / mixed["server"] if mixed["server"] else 0.0
        return replace(last, **mixed, answer=answer, still=self.still, spread=self.spread)

    def foresee(self, load: Truth) -> Foreseen:
        rate, ours = self.heavy.rate, 1.0
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
