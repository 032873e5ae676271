"""Whole games, written and worked out line by line by hand, from the rules."""

import json
from collections.abc import Iterator

import pytest

from games.refusals import Malformed
from games.stone_hand import STONE_HAND
from games.stone_hand.messages import GameEnded
from games.transcripts import play
from tests.games import expected_reports

GAMES = expected_reports.names(STONE_HAND)
CATALOGUE = {STONE_HAND.id: STONE_HAND}

# How a game can end: which command's event brought it about, and whether somebody won.
ENDINGS = {
    ("DiceThrown", "one wins"),
    ("DiceThrown", "fees leave a pool to share"),
    ("HandTaken", "one wins"),
    ("PlayerLeft", "one wins"),
    ("PlayerLeft", "nobody wins"),
    ("TableClosed", "nobody wins"),
}


@pytest.mark.parametrize("name", GAMES)
def test_every_line_has_the_outcome_worked_out_by_hand(name: str) -> None:
    expected_reports.check_every_line(STONE_HAND, name)


@pytest.mark.parametrize("name", GAMES)
def test_the_whole_game_ends_as_worked_out_by_hand(name: str) -> None:
    expected_reports.check_final_report(STONE_HAND, name)


def lines(name: str) -> list[tuple[int, str]]:
    return expected_reports.lines(STONE_HAND, name)


def endings(name: str) -> Iterator[tuple[str, str]]:
    for cause, event in expected_reports.happened(STONE_HAND, name):
        if isinstance(event, GameEnded):
            how = ("nobody wins", "one wins", "fees leave a pool to share")[len(event.winners)]
            yield type(cause).__name__, how


def test_every_way_a_game_can_end_has_a_transcript() -> None:
    assert {ending for name in GAMES for ending in endings(name)} == ENDINGS


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
    asked = [json.dumps(each) for each in (throw, throw, other, void)]

    report = play([opening, *enumerate(asked, 2)], CATALOGUE).report

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
