"""The model of bench/chain says what queueing theory says; files that are wrong are refused."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from statistics import mean
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
import simpy

from bench.chain import answers, engine, evening, failures, parts, pictures
from bench.chain.engine import QUANTUM, Log, Machine, Station
from bench.chain.model import Demands, Layout, Simulation
from casino.engine.processes.queues.waking import PACE, TURN

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bench.chain.engine import Steps

DEMANDS = Demands(web=0.004, server=0.006, worker=0.003, redis=0.0001, flush=0.001)
APART = Layout(web=2, workers=2, servers=2, cores=2, houses=10)
SERVICE = 0.01
ARRIVALS = 12_000


def mean_wait(
    work: Callable[[float], Steps], env: simpy.Environment, *, busy: float, fixed: bool
) -> float:
    """Mean seconds in a system with Poisson arrivals that is busy for that part of the time."""
    chance = Random(7)  # noqa: S311 - a simulation
    waits: list[float] = []

    def comes() -> Steps:
        began = env.now
        yield from work(SERVICE if fixed else chance.expovariate(1 / SERVICE))
        waits.append(env.now - began)

    def all_come() -> Steps:
        for _ in range(ARRIVALS):
            yield env.timeout(chance.expovariate(busy / SERVICE))
            env.process(comes())

    env.process(all_come())
    env.run()
    return mean(waits)


def test_one_server_waits_as_the_formula_of_m_m_1_says() -> None:
    env = simpy.Environment()

    found = mean_wait(Station(env, 1).work, env, busy=0.6, fixed=False)

    assert found == pytest.approx(SERVICE / (1 - 0.6), rel=0.06)


def test_one_server_with_equal_work_waits_as_the_formula_of_m_d_1_says() -> None:
    env = simpy.Environment()

    found = mean_wait(Station(env, 1).work, env, busy=0.6, fixed=True)

    assert found == pytest.approx(SERVICE * (1 + 0.6 / (2 * (1 - 0.6))), rel=0.05)


@pytest.mark.long
def test_a_shared_core_takes_as_long_whatever_the_work_is_like(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By quanta that are short beside the work, all share alike: the mean is that of M/M/1."""
    monkeypatch.setattr(engine, "QUANTUM", SERVICE / 20)
    env = simpy.Environment()

    found = mean_wait(Machine(env, 1).work, env, busy=0.5, fixed=True)

    assert found == pytest.approx(SERVICE / (1 - 0.5), rel=0.06)


def test_whoever_has_much_to_do_on_a_core_lets_others_work_in_between() -> None:
    env = simpy.Environment()
    machine = Machine(env, 1)
    ends: dict[str, float] = {}

    def works(name: str, seconds: float) -> Steps:
        yield from machine.work(seconds)
        ends[name] = env.now

    env.process(works("long", 4 * QUANTUM))
    env.process(works("short", QUANTUM))
    env.run()

    assert ends == pytest.approx({"short": 2 * QUANTUM, "long": 5 * QUANTUM})


def test_a_flush_takes_all_who_wait() -> None:
    env = simpy.Environment()
    log = Log(env, 0.001)

    def comes(after: float) -> Steps:
        yield env.timeout(after)
        yield from log.commit()

    done = [env.process(comes(after)) for after in (0.0, *[0.0005] * 8)]
    env.run(env.all_of(done))

    assert log.flushes == 2, "the first alone, all others together"
    assert env.now == pytest.approx(0.002)


def played(seed: int = 1, demands: Demands = DEMANDS) -> Simulation:
    run = Simulation(demands, APART, seed)
    run.arrivals(lambda _now: 100, 100)
    run.run(1)
    run.forget()
    run.run(9)
    return run


def test_a_lone_player_waits_for_the_work_alone() -> None:
    run = Simulation(DEMANDS, APART)

    took = run.closed(1, 0.1, commands=200)

    alone = DEMANDS.web + DEMANDS.answer * DEMANDS.server + DEMANDS.flush
    assert len(run.seen) == 200
    assert mean(run.waits()) == pytest.approx(alone, rel=0.02)
    assert took / 200 == pytest.approx(0.1 + alone, rel=0.15)


def test_what_follows_from_throws_is_done_once_in_a_pace() -> None:
    """And at the end of each turn; whoever settles is not asked to wait for it."""
    need = replace(DEMANDS, worker=0, worker_round=0.002, answer=1)
    run = Simulation(need, replace(APART, houses=1, servers=1, workers=1, processes=1))

    took = run.closed(1, 0, commands=500)

    assert run.followed == pytest.approx(took * (1 / PACE + 1 / TURN), rel=0.2)
    assert run.settled == pytest.approx(500, abs=2)
    assert max(wait for _at, wait in run.booked) < PACE


def test_cores_in_use_are_throws_times_their_work() -> None:
    run = played()

    cores, rate = run.cores(8), len(run.booked) / 8
    assert cores["web"] == pytest.approx(rate * DEMANDS.web, rel=0.02)
    assert cores["server"] == pytest.approx(rate * DEMANDS.server, rel=0.02)
    assert cores["workers"] == pytest.approx(rate * DEMANDS.worker, rel=0.02)


def test_the_same_seed_gives_the_same_run() -> None:
    once = played(3).seen

    assert once == played(3).seen
    assert once != played(4).seen


def test_a_server_that_is_down_makes_its_houses_wait_and_no_other() -> None:
    run = Simulation(DEMANDS, APART)
    run.arrivals(lambda _now: 50, 50)
    run.run(2)
    run.env.process(run.servers[0].fail(5))
    run.run(20)

    waits = {
        number: max(each.wait for each in run.seen if each.server == number) for number in (0, 1)
    }
    assert 4 < waits[0] < 5 + run.retry + 1
    assert waits[1] < 0.2
    assert len(run.booked) == pytest.approx(len(run.seen), abs=3), "all is booked afterwards"


# --- Sizes ---------------------------------------------------------------------------------


def truth(**more: Any) -> parts.Truth:
    figures: dict[str, Any] = {
        "players": 16, "pause": 0, "commands": 1000, "rate": 50, "cores": {}, "mean": 30,
        "others": 0,
        "ms": {"web": 4, "worker": 3, "Redis": 0.1, "players": 1, "server 1": 2, "server 2": 3,
               "server 3": 3},
        "waits": {5: 10, 50: 20, 95: 40, 100: 80}, "events": 2, "wal": 10_000, "rows": 20,
        "flushes": 3, "sessions": 60, "redis": 12,
    }  # fmt: skip
    return parts.Truth(**(figures | more))


def chain() -> answers.Chain:
    through = parts.demands(truth(), flush=0, answer=0.4)
    direct = parts.demands(truth(), flush=0, answer=0.4, direct=True)
    return answers.Chain(
        parts.assumptions(), through, direct, truth(), alone=direct.server, rest=0.0
    )


def test_only_who_asks_through_it_has_a_coordinator() -> None:
    through = parts.demands(truth(), flush=0, answer=0.4)
    direct = parts.demands(truth(), flush=0, answer=0.4, direct=True)

    assert (through.coordinator, through.server) == (0.002, 0.006)
    assert (direct.coordinator, direct.server) == (0, 0.008)


def test_throws_differ_as_measured() -> None:
    factors = parts.spread(truth().waits)

    assert mean(factors) == pytest.approx(1)
    assert max(factors) / sorted(factors)[len(factors) // 2] == pytest.approx(4, rel=0.1)


def test_twice_the_houses_need_twice_the_cores() -> None:
    one, two = (chain().sized(houses) for houses in (2000, 4000))

    assert two.rate == pytest.approx(2 * one.rate)
    assert two.cores == pytest.approx(2 * one.cores, rel=0.01)
    assert two.money == pytest.approx(2 * one.money, rel=0.01)


def test_evenings_round_the_earth_never_fill_all_tables() -> None:
    known = parts.assumptions()

    assert 0.2 * known.full < evening.mean(known) < evening.highest(known) < known.full


def test_parts_of_a_chain_behave_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "SECONDS", 3.0)
    whole = chain()
    sized = whole.sized(10_000, rate=100_000)

    first, second = whole.checked(sized, (1 / 16, 1 / 8))

    assert second.server == pytest.approx(first.server, rel=0.05)
    assert second.web == pytest.approx(first.web, rel=0.05)
    assert first.p95 >= second.p95, "few cores queue more than many: a part is the careful one"


def test_a_lost_server_stops_its_houses_for_as_long_as_it_is_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(failures, "AFTER", 12.0)
    whole = chain()
    sized = whole.sized(10_000, rate=100_000)
    [server, *_] = failures.failures(whole, sized)

    shorter = replace(server, seconds=4, of=lambda run: run.servers[0].fail(4))
    lost = failures.lost(whole, sized, shorter, servers=1 / 32)

    assert lost.houses == pytest.approx(sized.houses / sized.servers, rel=0.1)
    assert 3.5 < lost.longest < 12
    came = 3 * sized.rate / sized.servers  # in all but the last second that it was away
    assert came < lost.delayed < 4 * came, "and those that came while it caught up"


# --- Files ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("houses = 10_000", "", r"\[chain\]: houses is missing"),
        ("houses = 10_000", "houses = -1", r"houses = -1 is no number of 0 or more"),
        ("core = 18.0", "core = 18.0\nrack = 1", r"\[prices\]: there is no rack"),
        ("core = 18.0", 'core = "much"', "core = 'much' is no number"),
        ('"0" = 0.10\n"1"', '"0" = 0.90\n"1"', r"\[zones\]: the parts make 1.800, not 1"),
        ('"-8" = ', '"west" = ', r"\[zones\]: .*hours from UTC are whole numbers"),
        ("[prices]", "[price]", r"no section \[prices\]"),
        ("core = 18.0", "core = ", "Invalid value"),
    ],
)  # fmt: skip
def test_a_file_that_is_wrong_is_told_where(tmp_path: Path, old: str, new: str, says: str) -> None:
    text = parts.ASSUMPTIONS.read_text()
    assert old in text
    (file := tmp_path / "mine.toml").write_text(text.replace(old, new, 1))

    with pytest.raises(parts.BadParts, match=says) as told:
        parts.assumptions(file)

    assert "mine.toml" in str(told.value)


def test_what_was_not_measured_is_named(tmp_path: Path) -> None:
    file = tmp_path / "measured.json"
    with pytest.raises(parts.BadParts, match=r"python -m bench\.nodes --out writes it"):
        parts.Measured(file)
    file.write_text("{}")
    with pytest.raises(parts.BadParts, match="no section 'nodes'"):
        parts.Measured(file).loads("3")
    file.write_text(json.dumps({"nodes": {"figures": {"3": {"loads": {"16": {"commands": 1}}}}}}))
    with pytest.raises(parts.BadParts, match="form '2' was not measured"):
        parts.Measured(file).loads("2")
    with pytest.raises(parts.BadParts, match=r"load 16: .* is missing"):
        parts.Measured(file).loads("3")


def test_the_kept_parts_are_whole() -> None:
    measured = parts.Measured()

    assert {"3", "plain"} <= set(measured.forms())
    assert measured.about
    assert all(load.rate > 0 for form in measured.forms() for load in measured.loads(form).values())


def test_a_picture_is_svg_for_both_schemes() -> None:
    plot = pictures.Plot("A & B", "x", "y", {"one": [(1, 10), (10, 200)]}, {"most": 300}, log=True)

    drawn = pictures.svg(plot)

    ET.fromstring(drawn)  # noqa: S314 - of our own
    assert "prefers-color-scheme: dark" in drawn
    ET.fromstring(pictures.bars("Full", "a second", [("this", 10.0), ("that", 9000.0)]))  # noqa: S314
