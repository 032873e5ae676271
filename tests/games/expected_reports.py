"""
Transcripts with what was worked out by hand for them, for every game.

``<name>.jsonl`` is the transcript; ``<name>.expected.json`` has under `lines`, for each line, as
much of the report after it as matters (`hand`, `score`, `rank` of the last throw; `refused`: its
code), and under `end` as much of the last report.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from games.game import Ruleset
from games.messages import Fact
from games.refusals import Refused
from games.transcripts import REPORT, Play, carry_on, command_on, play

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
OF_THE_LINE = {"hand", "score", "rank"}


def names(ruleset: Ruleset) -> list[str]:
    return sorted(path.stem for path in (TRANSCRIPTS / ruleset.id).glob("*.jsonl"))


def lines(ruleset: Ruleset, name: str) -> list[tuple[int, str]]:
    text = (TRANSCRIPTS / ruleset.id / f"{name}.jsonl").read_text(encoding="utf-8")
    return list(enumerate(text.splitlines(), 1))


def expected(ruleset: Ruleset, name: str) -> dict[str, Any]:
    path = TRANSCRIPTS / ruleset.id / f"{name}.expected.json"
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def check_every_line(ruleset: Ruleset, name: str) -> None:
    wanted, written = expected(ruleset, name), lines(ruleset, name)
    assert len(wanted["lines"]) == len(written)
    playing = Play({ruleset.id: ruleset})
    for line, text in written:
        report, outcome = carry_on(playing, [(line, text)]).report, wanted["lines"][str(line)]
        assert expected_part(report, outcome, line) == outcome, f"line {line}"


def check_final_report(ruleset: Ruleset, name: str) -> None:
    report = play(lines(ruleset, name), {ruleset.id: ruleset}).report

    end = expected(ruleset, name)["end"]
    if "rounds" in end:
        report["rounds"] = [without_reasons(each) for each in report["rounds"]]
    assert {key: report[key] for key in end} == end
    assert tuple(report) == REPORT


def expected_part(report: dict[str, Any], outcome: dict[str, Any], line: int) -> dict[str, Any]:
    """As much of the report as the outcome speaks of; each line is refused or it is not."""
    refused = [each["code"] for each in report["refused"] if each["line"] == line]
    assert refused == ([outcome["refused"]] if "refused" in outcome else [])
    last = report["throws"][-1] if report["throws"] else {}
    return {
        key: outcome[key] if key == "refused" else (last if key in OF_THE_LINE else report)[key]
        for key in outcome
    }


def without_reasons(round_: dict[str, Any]) -> dict[str, Any]:
    payments = [
        {key: value for key, value in payment.items() if key != "because"}
        for payment in round_["payments"]
    ]
    assert all(payment["because"] for payment in round_["payments"])
    return {**round_, "payments": payments}


def happened(ruleset: Ruleset, name: str) -> Iterator[tuple[Fact, Fact]]:
    """Every event of a transcript, with the fact that its command began with."""
    table = Play({ruleset.id: ruleset})
    for line, text in lines(ruleset, name):
        try:
            table.put(line, command_on(line, text))
        except Refused:
            continue
    cause: Fact | None = None
    for _, event in table.history:
        cause = event if cause is None or not event.consequence else cause
        yield cause, event
