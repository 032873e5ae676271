"""How long people waited for an answer, and how much longer than something was in their way."""

from __future__ import annotations

import json
from bisect import bisect_right
from typing import TYPE_CHECKING

from tests.faults.plan import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tests.faults.conducting import Happened

PATIENCE = 10.0  # seconds that anybody may wait beyond what is in the way
MOST = 10  # waits that are told one by one
BEHIND_COMMANDS = frozenset(
    {
        "worker-1", "worker-2", "worker-before", "beat", "beat-2", "broker", "workers>database",
        "webs>broker", "workers>broker",
    }
)  # fmt: skip
"""No command waits for these, so there is nothing to recover from that a client would see."""

Answered = tuple[float, float, int, str]
"""When a command was answered, when it was asked first, the server's port, and its path."""
Span = tuple[float, float]


def of_commands(folders: Iterable[Path]) -> list[Answered]:
    """In the order of their answers."""
    return sorted(
        (line["answered"], line["asked"], line["port"], line["path"])
        for folder in folders
        for file in folder.glob("player-*.jsonl")
        for line in map(json.loads, file.read_text(encoding="utf-8").splitlines())
        if "answered" in line
    )


def too_long(happened: Sequence[Happened], answers: Iterable[Answered]) -> list[str]:
    """A sentence for whoever waited longer than something was in the way and ten seconds more."""
    found = sorted(
        ((more, it) for more, it in beyond(happened, answers) if more > PATIENCE), reverse=True
    )
    told = [
        f"{path}: {answered - asked:.1f} s, {more:.1f} s beyond what was in the way:"
        f" {_met(happened, asked, answered)}."
        for more, (answered, asked, _, path) in found[:MOST]
    ]
    rest = len(found) - MOST
    return [*told, *([f"... and {rest} more."] if rest > 0 else [])]


def beyond(
    happened: Sequence[Happened], answers: Iterable[Answered]
) -> Iterator[tuple[float, Answered]]:
    """Of each answer the seconds waited in which nothing was in the way; and which one it is."""
    spans = _joined([each.interval for each in happened if _in_the_way(each)])
    begins = [began for began, _ in spans]
    for each in answers:
        answered, asked, *_ = each
        first = max(0, bisect_right(begins, asked) - 1)
        last = bisect_right(begins, answered)
        hit = sum(
            max(0.0, min(end, answered) - max(began, asked)) for began, end in spans[first:last]
        )
        yield answered - asked - hit, each


def _in_the_way(each: Happened) -> bool:
    """A clock that is wrong, and a guest, are no reason to wait."""
    return (
        each.met
        and each.act.target not in BEHIND_COMMANDS
        and each.act.fault not in {Fault.JUMP, Fault.VISIT}
    )


def _joined(spans: Iterable[Span]) -> list[Span]:
    """What overlaps as one; in order."""
    joined: list[Span] = []
    for began, end in sorted(spans):
        if joined and began <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((began, end))
    return joined


def _met(happened: Sequence[Happened], asked: float, answered: float) -> str:
    """What happened meanwhile, or shortly before, and when, in seconds since it was asked."""
    return "; ".join(
        f"{each.act.fault} {each.act.target}"
        f" {each.began - asked:+.1f} to {each.lifted - asked:+.1f} s"
        for each in sorted(happened, key=lambda one: one.began)
        if each.began < answered and each.lifted > asked - PATIENCE
    )
