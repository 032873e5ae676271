"""Whole games, written and worked out line by line by hand, from the rules."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.messages import Fact  # noqa: TC001 - as everywhere else here
from games.refusals import Malformed
from games.stone_hand import STONE_HAND
from games.stone_hand.messages import GameEnded
from games.transcripts import REPORT, Play, command_on, play

FOLDER = Path(__file__).parents[1] / "transcripts" / "stone-hand"
GAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
CATALOGUE = {STONE_HAND.id: STONE_HAND}
OF_THE_LINE = {"hand", "score"}

# How a game can end: which command's event brought it about, and whether somebody won.
ENDINGS = {
    ("DiceThrown", "one wins"),
    ("DiceThrown", "fees leave a pool to share"),
    ("HandTaken", "one wins"),
    ("PlayerLeft", "one wins"),
    ("PlayerLeft", "nobody wins"),
    ("TableClosed", "nobody wins"),
}


def lines(name: str) -> list[tuple[int, str]]:
    text = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    return list(enumerate(text.splitlines(), 1))


def expected(name: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((FOLDER / f"{name}.expected.json").read_text("utf-8"))
    return told


@pytest.mark.parametrize("name", GAMES)
def test_every_line_has_the_outcome_worked_out_by_hand(name: str) -> None:
    told, written = expected(name), lines(name)
    assert len(told["lines"]) == len(written)
    for upto, outcome in told["lines"].items():
        report = play(written[: int(upto)], CATALOGUE).report
        assert seen(report, outcome, int(upto)) == outcome, f"line {upto}"


@pytest.mark.parametrize("name", GAMES)
def test_the_whole_game_ends_as_worked_out_by_hand(name: str) -> None:
    report = play(lines(name), CATALOGUE).report

    end = expected(name)["end"]
    if "rounds" in end:
        report["rounds"] = [unexplained(each) for each in report["rounds"]]
    assert {key: report[key] for key in end} == end
    assert tuple(report) == REPORT


def seen(report: dict[str, Any], outcome: dict[str, Any], line: int) -> dict[str, Any]:
    """As much of the report as the outcome speaks of; each line is refused or it is not."""
    refused = [each["code"] for each in report["refused"] if each["line"] == line]
    assert refused == ([outcome["refused"]] if "refused" in outcome else [])
    last = report["throws"][-1] if report["throws"] else {}
    return {
        key: outcome[key] if key == "refused" else (last if key in OF_THE_LINE else report)[key]
        for key in outcome
    }


def unexplained(told: dict[str, Any]) -> dict[str, Any]:
    payments = [
        {key: value for key, value in payment.items() if key != "because"}
        for payment in told["payments"]
    ]
    assert all(payment["because"] for payment in told["payments"])
    return {**told, "payments": payments}


def endings(name: str) -> Iterator[tuple[str, str]]:
    table = Play(CATALOGUE)
    for line, text in lines(name):
        try:
            table.put(line, command_on(line, text))
        except Exception as refusal:  # noqa: BLE001 - whatever it is, it is no ending
            assert hasattr(refusal, "code")  # noqa: PT017
    cause: Fact | None = None
    for _, event in table.history:
        cause = cause if event.consequence else event
        if isinstance(event, GameEnded):
            how = ("nobody wins", "one wins", "fees leave a pool to share")[len(event.winners)]
            yield type(cause).__name__, how


def test_every_way_a_game_can_end_has_a_transcript() -> None:
    assert {ending for name in GAMES for ending in endings(name)} == ENDINGS


def test_every_transcript_has_its_expectations_and_the_other_way_round() -> None:
    assert {
        path.name.removesuffix(".expected.json") for path in FOLDER.glob("*.expected.json")
    } == (set(GAMES))


def test_strict_play_stops_at_the_first_refused_line() -> None:
    played = play(lines("what-the-rules-refuse"), CATALOGUE, strict=True)

    assert played.stopped
    assert [each["line"] for each in played.report["refused"]] == [1]


def test_blank_lines_are_skipped_and_counted() -> None:
    written = lines("who-stays-wins")
    report = play([(1, ""), (2, " \t\r\n"), *((at + 2, text) for at, text in written)], CATALOGUE)

    assert report.report["status"] == "closed"
    assert [each["line"] for each in report.report["refused"]] == [5]


@pytest.mark.parametrize("text", ["", "\n", "  "])
def test_a_transcript_without_a_command_is_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        play([(1, text)], CATALOGUE)


ID = "7b0e9a4e-6f0e-4a52-9c07-6f3d2f6a9e11"


def test_a_command_seen_before_is_answered_as_before() -> None:
    opening = lines("who-stays-wins")[0]
    throw = {"do": "throw", "player": "A", "dice": [1, 1, 1], "command_id": ID}
    other = {**throw, "dice": [2, 2, 2]}
    void = {"do": "void", "back_to": ID.upper(), "reason": "misread"}
    told = [json.dumps(each) for each in (throw, throw, other, void)]

    report = play([opening, *enumerate(told, 2)], CATALOGUE).report

    assert [(each["line"], each["code"]) for each in report["refused"]] == [(4, "command_reused")]
    assert [each.get("void") for each in report["throws"]] == [True]


def test_a_refused_command_is_refused_again_under_its_id() -> None:
    opening = lines("who-stays-wins")[0]
    early = json.dumps({"do": "throw", "player": "B", "dice": [1, 1, 1], "command_id": ID})
    due = json.dumps({"do": "throw", "player": "A", "dice": [1, 1, 1]})

    report = play([opening, (2, early), (3, due), (4, early)], CATALOGUE).report

    assert [(each["line"], each["code"]) for each in report["refused"]] == [
        (2, "not_your_turn"),
        (4, "not_your_turn"),
    ]
