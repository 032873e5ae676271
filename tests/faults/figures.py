"""What a run came to, in numbers: for people as a table, for programs as JSON."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.faults.conducting import Happened
    from tests.faults.houses import House

BEHIND_COMMANDS = frozenset(
    {"worker-1", "worker-2", "beat", "broker", "workers>database", "house>broker"}
)
"""No command waits for these, so there is nothing to recover from that a client would see."""


def of_faults(
    house: House, happened: Sequence[Happened], folder: Path, checkpoint_answers: dict[int, int]
) -> dict[str, Any]:
    """
    Times in seconds. ``longest_wait``: from the first try of a command to its answer.
    ``recovery``: from a fault's end to the first answer of the server that it hit, of any server
    where it hit them all.
    """
    answers = sorted(_answers(folder))
    waits = [answered - asked for answered, asked, _ in answers]
    recoveries = [
        seconds
        for each in happened
        if each.met and (seconds := _recovery(house, each, answers)) is not None
    ]
    return {
        "faults": dict(Counter(str(each.act.fault) for each in happened if each.met)),
        "faults_met_nothing": sum(not each.met for each in happened),
        "answers_lost": sum(link.lost for link in house.links.values()),
        "longest_wait": round(max(waits, default=0), 2),
        "usual_wait": round(statistics.median(waits), 3) if waits else 0,
        "recovery_median": round(statistics.median(recoveries), 2) if recoveries else 0,
        "recovery_p95": _p95(recoveries),
        "checkpoint_answers": {str(status): n for status, n in checkpoint_answers.items()},
    }


def _answers(folder: Path) -> list[tuple[float, float, int]]:
    """When each command was answered, when it was asked first, and the server's port."""
    found = []
    for file in folder.glob("player-*.jsonl"):
        for text in file.read_text(encoding="utf-8").splitlines():
            line = json.loads(text)
            if "answered" in line:
                found.append((line["answered"], line["asked"], line["port"]))
    return found


def _recovery(
    house: House, happened: Happened, answers: Sequence[tuple[float, float, int]]
) -> float | None:
    """None: no client waits for it, or nobody asked that server again."""
    target = happened.act.target
    if target in BEHIND_COMMANDS:
        return None
    hit = {link.port for link in house.webs if _serves(link.name, target)}
    ports = hit or {link.port for link in house.webs}
    after = (at - happened.lifted for at, _, port in answers if port in ports)
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
