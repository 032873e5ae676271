"""What a lost machine costs: houses that stop, throws that wait, when all is as before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bench.figures import Table, percentile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bench.chain.answers import Chain, Sized
    from bench.chain.engine import Steps
    from bench.chain.model import Simulation

QUIET: Final = 4.0  # seconds before the failure
PART: Final = 1 / 8  # of a server, with its houses: simulated throw by throw
MOST: Final = 120.0  # seconds of a failure that are simulated
AFTER: Final = 60.0  # seconds after it
LONG: Final = 1.0  # seconds after which somebody at a table notices
USUAL: Final = 1.5  # times the waits from before: as before


@dataclass(frozen=True)
class Lost:
    """
    What came of a failure.

    :param houses: of the whole chain that stopped. :param stopped: for how many seconds.
    :param delayed: throws of the whole chain that waited longer than a second.
    :param longest: seconds that a throw waited. :param late: seconds until the last throw was
        booked. :param recovered: seconds after the failure's end until waits were as before.
    :param series: seconds since the failure, and the p95 of the throws answered then, ms.
    """

    name: str
    houses: int
    stopped: float
    delayed: float
    longest: float
    late: float
    recovered: float
    series: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Failure:
    """:param of: what goes wrong in a simulation. :param whole: how many such parts a chain has."""

    name: str
    seconds: float
    of: Callable[[Simulation], Steps]
    stops: bool = False
    direct: bool = True
    all_houses: bool = False


def failures(chain: Chain, sized: Sized) -> list[Failure]:
    """The machines of a chain of that size that may be lost."""
    lasting = chain.known.failures
    standby, restart = lasting["standby_seconds"], lasting["restart_seconds"]
    web = min(0.99, 1 / sized.web_hosts)  # the part of all web hosts that is lost
    return [
        Failure(
            "a houses' server, its standby takes over", standby,
            lambda run: run.servers[0].fail(standby), stops=True,
        ),
        Failure(
            "a houses' server without a standby, started again", restart,
            lambda run: run.servers[0].fail(restart), stops=True,
        ),
        Failure(
            "the coordinator, its standby takes over", standby,
            lambda run: _coordinator(run, standby), stops=True, direct=False, all_houses=True,
        ),
        Failure(
            "a web host", lasting["web_seconds"],
            lambda run: run.web[0].slow(web, lasting["web_seconds"]),
        ),
        Failure(
            "a Redis shard, its replica takes over", lasting["redis_seconds"],
            lambda run: run.redis[0].fail(lasting["redis_seconds"] + lasting["sweep_seconds"]),
        ),
    ]  # fmt: skip


def _coordinator(run: Simulation, seconds: float) -> Steps:
    assert run.coordinator is not None
    for each in run.servers:
        run.env.process(each.fail(seconds))
    yield from run.coordinator.fail(seconds)


def lost(chain: Chain, sized: Sized, failure: Failure, *, servers: float = PART) -> Lost:
    """Lose it in a part of the chain at its highest hour."""
    sized = sized if failure.direct else _with_coordinator(chain, sized)
    run = chain.part(sized, servers, direct=failure.direct)
    rate = sized.rate * servers / sized.servers
    seconds = min(failure.seconds, MOST)
    run.arrivals(lambda _now: rate, rate)
    run.run(QUIET)
    before = [each.wait for each in run.seen if each.at > 1]
    usual = percentile(sorted(before), 95)
    run.env.process(failure.of(run))
    run.run(QUIET + seconds + AFTER)
    waits = [each for each in run.seen if each.at > 1]
    long = [each for each in waits if each.wait > LONG]
    series = list(_series(run, QUIET))
    end = QUIET + seconds
    slow = [at for at, p95 in series if at > seconds and p95 > 1000 * USUAL * usual]
    parts = sized.servers / servers if failure.all_houses else 1 / servers
    return Lost(
        name=failure.name,
        houses=round(run.layout.houses * parts) if failure.stops else 0,
        stopped=failure.seconds if failure.stops else 0.0,
        delayed=len(long) * parts,
        longest=max((each.wait for each in waits), default=0.0),
        late=max((took for at, took in run.booked if at > 1), default=0.0),
        recovered=max(slow, default=end - QUIET) - seconds,
        series=series,
    )  # fmt: skip


def _with_coordinator(chain: Chain, sized: Sized) -> Sized:
    """The same rate, in as many clusters as one coordinator of the largest kind can serve."""
    return chain.sized(sized.houses, rate=sized.rate, direct=False)


def _series(run: Simulation, since: float) -> Iterator[tuple[float, float]]:
    """By the second in which they were answered."""
    seconds: dict[int, list[float]] = {}
    for each in run.seen:
        seconds.setdefault(int(each.at + each.wait - since // 1), []).append(each.wait)
    for second in sorted(seconds):
        yield float(second), 1000 * percentile(sorted(seconds[second]), 95)


def table(found: Sequence[Lost]) -> Table:
    out = Table(
        "What a lost machine costs in the highest hour",
        ("", "houses that stop", "for, s", "throws that wait over 1 s", "longest, s",
         "last one settled after, s", "as before, s later"),
    )  # fmt: skip
    for each in found:
        out.add(
            each.name, f"{each.houses:,}", f"{each.stopped:,.0f}", f"{each.delayed:,.0f}",
            f"{each.longest:,.1f}", f"{each.late:,.1f}", f"{each.recovered:,.0f}",
        )  # fmt: skip
    return out
