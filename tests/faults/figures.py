"""What a run came to, in numbers: for people as a table, for programs as JSON."""

from __future__ import annotations

import statistics
from collections import Counter
from typing import TYPE_CHECKING, Any

from tests.faults import waits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from tests.faults.conducting import Happened
    from tests.faults.houses import House
    from tests.faults.waits import Answered


def of_faults(
    house: House,
    happened: Sequence[Happened],
    folders: Iterable[Path],
    checkpoint_answers: Mapping[int, int],
) -> dict[str, Any]:
    """
    Times in seconds. ``longest_wait``: from the first try of a command to its answer.
    ``longest_beyond_faults``: the same, less the time that something in its way was hit.
    ``recovery``: from a fault's end to the first answer of the server that it hit, of any server
    where it hit them all. ``waits_meanwhile``: of each fault that was met, the longest wait of
    whoever was answered while it lasted or waited when it began; the median of these, and the
    longest.
    """
    answers = waits.of_commands(folders)
    waited = [answered - asked for answered, asked, *_ in answers]
    beyond = [seconds for seconds, _ in waits.beyond(happened, answers)]
    recoveries = [
        seconds
        for each in happened
        if each.met and (seconds := _recovery(house, each, answers)) is not None
    ]
    met = Counter(str(each.act.fault) for each in happened if each.met)
    return {
        "faults": dict(met),
        "faults_in_all": met.total(),
        "faults_met_nothing": sum(not each.met for each in happened),
        "answers_lost": sum(link.lost for link in house.links.values()),
        "longest_wait": round(max(waited, default=0), 2),
        "longest_beyond_faults": round(max(beyond, default=0), 2),
        "usual_wait": round(statistics.median(waited), 3) if waited else 0,
        "recovery_median": round(statistics.median(recoveries), 2) if recoveries else 0,
        "recovery_p95": _p95(recoveries),
        "waits_meanwhile": _meanwhile(happened, answers),
        "checkpoint_answers": {str(status): n for status, n in checkpoint_answers.items()},
    }


def _meanwhile(happened: Sequence[Happened], answers: Sequence[Answered]) -> dict[str, str]:
    longest: dict[str, list[float]] = {}
    for each in happened:
        if each.met:
            waited = [
                answered - asked
                for answered, asked, *_ in answers
                if answered > each.began and asked < each.lifted
            ]
            longest.setdefault(str(each.act.fault), []).append(max(waited, default=0))
    return {
        fault: f"{statistics.median(seconds):.1f}/{max(seconds):.1f}"
        for fault, seconds in longest.items()
    }


def together(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Figures of two houses: counts added, of seconds the longer."""
    return {name: _together(name, one.get(name), other.get(name)) for name in {**one, **other}}


def _together(name: str, one: Any, other: Any) -> Any:
    if one is None or other is None:
        return other if one is None else one
    if isinstance(one, dict):
        return together(one, other)
    return max(one, other) if name.startswith("seconds") else one + other


def _recovery(house: House, happened: Happened, answers: Sequence[Answered]) -> float | None:
    """None: no client waits for it, or nobody asked that server again."""
    target = happened.act.target
    if target in waits.BEHIND_COMMANDS:
        return None
    hit = {link.port for link in house.webs if _serves(link.name, target)}
    ports = hit or {link.port for link in house.webs}
    after = (at - happened.lifted for at, _, port, _ in answers if port in ports)
    return next((seconds for seconds in after if seconds >= 0), None)


def _serves(link: str, target: str) -> bool:
    """Whether the web server behind a link of clients is what was hit, or its link."""
    server = link.partition(">")[2]
    return server in {target, target.partition(">")[0]} or link == target


def _p95(seconds: Sequence[float]) -> float:
    if len(seconds) < 2:
        return round(max(seconds, default=0), 2)
    return round(statistics.quantiles(seconds, n=20, method="inclusive")[-1], 2)


def table(figures: dict[str, Any]) -> str:
    rows = [(name.replace("_", " "), _shown(value)) for name, value in figures.items()]
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count}" for name, count in sorted(value.items())) or "none"
    return str(value)
