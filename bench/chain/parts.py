"""What the model is made of: measured parts, and assumptions that whoever reads it changes."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bench.chain.model import Demands

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HERE: Final = Path(__file__).parent
MEASURED: Final = HERE / "measured.json"
ASSUMPTIONS: Final = HERE / "assumptions.toml"
SECTIONS: Final[Mapping[str, frozenset[str]]] = {
    "chain": frozenset(
        {"houses", "tables", "seconds_between_throws", "bytes_an_event", "hot_days", "full_years",
         "old_share"}
    ),
    "zones": frozenset(),
    "evening": frozenset(map(str, range(24))),
    "machines": frozenset(
        {"busy", "web_cores", "worker_cores", "server_cores", "coordinator_cores", "redis_busy",
         "threads", "process_cores", "memory_web", "memory_server", "flush_ms",
         "most_connections", "retry_seconds"}
    ),
    "failures": frozenset(
        {"standby_seconds", "restart_seconds", "restore_seconds", "web_seconds", "redis_seconds",
         "sweep_seconds"}
    ),
    "prices": frozenset(
        {"core", "memory_gb", "fast_disk_gb", "slow_disk_gb", "iops_1000", "standby"}
    ),
}  # fmt: skip
FLUSH: Final = 1.0  # ms, where it was not measured
ANSWER: Final = 0.4
"""
The part of the databases' work in a throw that its answer waits for. Of some 28 statements, 11 are
of the command and the state after it (tests/play/core/test_throw_costs.py,
docs/explanation/performance.md), the append, which costs most, among them.
"""
POINTS: Final = 200  # equally likely factors by which throws differ


class BadParts(ValueError):  # noqa: N818 - names the fact
    """A file of parts does not say what it has to; the message names the file and the place."""


@dataclass(frozen=True)
class Assumptions:
    """`assumptions.toml`, section by section."""

    chain: Mapping[str, float]
    zones: Mapping[int, float]
    evening: Sequence[float]
    machines: Mapping[str, float]
    failures: Mapping[str, float]
    prices: Mapping[str, float]

    @property
    def full(self) -> float:
        """Throws a second if people play at every table of every house."""
        chain = self.chain
        return chain["houses"] * chain["tables"] / chain["seconds_between_throws"]


def assumptions(path: Path = ASSUMPTIONS) -> Assumptions:
    """
    Read the file.

    :raises BadParts: if a section or figure is missing, is unknown, or is no number.
    """
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as missing:
        raise BadParts(f"{path} cannot be read: {missing.strerror}.") from missing
    except tomllib.TOMLDecodeError as wrong:
        raise BadParts(f"{path}: {wrong}.") from wrong
    for section, names in SECTIONS.items():
        figures = found.get(section)
        if not isinstance(figures, dict) or not figures:
            raise BadParts(f"{path} has no section [{section}].")
        _checked(path, section, figures, names)
    try:
        zones = {int(zone): share for zone, share in found["zones"].items()}
    except ValueError as wrong:
        raise BadParts(f"{path}, [zones]: {wrong}; hours from UTC are whole numbers.") from wrong
    if abs(sum(zones.values()) - 1) > 0.001:
        raise BadParts(f"{path}, [zones]: the parts make {sum(zones.values()):.3f}, not 1.")
    return Assumptions(
        found["chain"], zones, [found["evening"][str(hour)] for hour in range(24)],
        found["machines"], found["failures"], found["prices"],
    )  # fmt: skip


def _checked(path: Path, section: str, figures: dict[str, Any], names: frozenset[str]) -> None:
    where = f"{path}, [{section}]"
    if names and (missing := sorted(names - figures.keys())):
        raise BadParts(f"{where}: {missing[0]} is missing.")
    if names and (unknown := sorted(figures.keys() - names)):
        raise BadParts(f"{where}: there is no {unknown[0]}.")
    for name, value in figures.items():
        if not isinstance(value, int | float) or value < 0:
            raise BadParts(f"{where}: {name} = {value!r} is no number of 0 or more.")


@dataclass(frozen=True)
class Truth:
    """
    What `bench.nodes` found of a form at one load; medians of its runs.

    :param ms: processor of one throw, by program. :param cores: busy while people played, by
        program. :param waits: milliseconds by percentile. :param mean: of a throw.
    :param others: the part of the machine's processors that other programs took.
    :param events, wal, rows, flushes, redis: of one throw; bytes of the log, commands of Redis.
    """

    players: int
    pause: float
    commands: int
    rate: float
    ms: Mapping[str, float]
    cores: Mapping[str, float]
    waits: Mapping[int, float]
    mean: float
    others: float
    events: float
    wal: float
    rows: float
    flushes: float
    sessions: float
    redis: float


class Measured:
    """The file of measured parts."""

    def __init__(self, path: Path = MEASURED) -> None:
        """:raises BadParts: if the file is not there or is no JSON."""
        self.path = path
        try:
            self.sections = json.loads(path.read_text(encoding="utf-8"))
        except OSError as missing:
            raise BadParts(
                f"{path} cannot be read: {missing.strerror}. python -m bench.nodes --out writes it."
            ) from missing
        except json.JSONDecodeError as wrong:
            raise BadParts(f"{path}: {wrong}.") from wrong

    def section(self, name: str) -> Any:
        """:raises BadParts: if nothing was measured of that."""
        try:
            return self.sections[name]["figures"]
        except (KeyError, TypeError):
            raise BadParts(f"{self.path} has no section {name!r} with figures.") from None

    @property
    def about(self) -> str:
        """On what the servers were measured, and when."""
        found = self.sections["nodes"]
        return f"{found['machine']}; {found['day']}"

    def forms(self) -> list[str]:
        return list(self.section("nodes"))

    def rest(self, form: str) -> Mapping[str, float]:
        """Cores in use while nobody plays, by program."""
        found: Mapping[str, float] = self._form(form)["rest"]
        return found

    def burst(self, form: str) -> float:
        """Seconds of processor for which what goes on while nobody plays works at a stretch."""
        return float(self._form(form)["burst"])

    def rest_of_a_house(self) -> float:
        """Cores that a house uses while nobody plays there; 0 without `bench.thousand`."""
        found = self.sections.get("thousand", {}).get("figures", {}).get("rest", {})
        sizes = sorted((int(houses), sum(each.values())) for houses, each in found.items())
        if len(sizes) < 2:
            return 0.0
        (few, less), (many, more) = sizes[0], sizes[-1]
        return max(0.0, float(more - less) / (many - few))

    def flush(self, form: str) -> float:
        """Seconds of a flush to this machine's disk."""
        return float(self._form(form).get("flush", FLUSH)) / 1000

    def houses(self, form: str) -> Mapping[str, int]:
        """How many of the houses each server had."""
        found: Mapping[str, int] = self._form(form)["houses"]
        return found

    def loads(self, form: str) -> dict[str, Truth]:
        """:raises BadParts: if the form was not measured, or one of its figures is missing."""
        found = {}
        for name, one in self._form(form)["loads"].items():
            try:
                found[name] = _truth(one)
            except (KeyError, TypeError) as missing:
                raise BadParts(
                    f"{self.path}, nodes, {form}, load {name}: {missing} is missing."
                ) from missing
        return found

    def _form(self, form: str) -> Any:
        forms = self.section("nodes")
        if form not in forms:
            raise BadParts(f"{self.path}, nodes: form {form!r} was not measured.")
        return forms[form]


def _truth(one: Any) -> Truth:
    many = one["commands"]

    def each(what: str) -> float:
        return float(sum(server[what] for server in one["servers"].values()))

    return Truth(
        players=int(one["players"]), pause=one["pause"], commands=many, rate=many / one["seconds"],
        ms=one["ms"], cores=one["cores"], waits={int(p): ms for p, ms in one["throw ms"].items()},
        mean=one["mean ms"], others=max(0.0, one["others"]),
        events=one["events"] / many,
        wal=each("WAL") / many, rows=each("rows") / many, flushes=each("fsyncs") / many,
        sessions=each("sessions"), redis=one["redis"],
    )  # fmt: skip


def summed(by_program: Mapping[str, float]) -> dict[str, float]:
    """Figures by program as those of three kinds: web, databases, workers."""
    return {
        "web": by_program["web"],
        "databases": sum(value for name, value in by_program.items() if name.startswith("server ")),
        "workers": by_program["worker"],
    }


def demands(
    truth: Truth, *, flush: float = 0.0, answer: float = ANSWER, direct: bool = False
) -> Demands:
    """
    What a throw asks, as one load was measured.

    :param flush: seconds of a flush. :param answer: as in `Demands`.
    :param direct: whether houses' own servers were asked, so that none of them is a coordinator.
    """
    ms = {name: max(0.0, value) / 1000 for name, value in truth.ms.items()}
    servers = {name: value for name, value in ms.items() if name.startswith("server ")}
    has_coordinator = len(servers) > 1 and not direct
    first = servers["server 1"] if has_coordinator else 0.0
    return Demands(
        web=ms["web"], worker=ms["worker"], redis=ms["Redis"], player=ms["players"],
        coordinator=first, server=sum(servers.values()) - first,
        flush=flush, answer=answer,
    )  # fmt: skip


def spread(waits: Mapping[int, float]) -> tuple[float, ...]:
    """Equally likely factors with mean 1, from the percentiles of waits without a queue."""
    known = sorted(waits.items())
    points = []
    for place in range(POINTS):
        percent = 100 * (place + 0.5) / POINTS
        above = next((each for each in known if each[0] >= percent), known[-1])
        below = next((each for each in reversed(known) if each[0] <= percent), known[0])
        width = above[0] - below[0]
        part = (percent - below[0]) / width if width else 0.0
        points.append(below[1] + part * (above[1] - below[1]))
    mean = sum(points) / len(points)
    return tuple(each / mean for each in points)
