"""Whole games, written and worked out line by line by hand, from the rules."""

from collections.abc import Iterator

import pytest

from games.cinnabar_gate import CINNABAR_GATE
from games.cinnabar_gate.messages import GameEnded
from tests.games import expected_reports

GAMES = expected_reports.names(CINNABAR_GATE)

# How a game can end: which command's event brought it about, and whether somebody won.
ENDINGS = {
    ("DiceThrown", "one wins"),
    ("DiceThrown", "nobody wins"),
    ("DiceThrown", "fees leave a pool to share"),
    ("HandTaken", "one wins"),
    ("PlayerLeft", "one wins"),
    ("PlayerLeft", "nobody wins"),
    ("TableClosed", "nobody wins"),
}


@pytest.mark.parametrize("name", GAMES)
def test_every_line_has_the_outcome_worked_out_by_hand(name: str) -> None:
    expected_reports.check_every_line(CINNABAR_GATE, name)


@pytest.mark.parametrize("name", GAMES)
def test_the_whole_game_ends_as_worked_out_by_hand(name: str) -> None:
    expected_reports.check_final_report(CINNABAR_GATE, name)


def endings(name: str) -> Iterator[tuple[str, str]]:
    for cause, event in expected_reports.happened(CINNABAR_GATE, name):
        if isinstance(event, GameEnded):
            how = ("nobody wins", "one wins", "fees leave a pool to share")[len(event.winners)]
            yield type(cause).__name__, how


def test_every_way_a_game_can_end_has_a_transcript() -> None:
    assert {ending for name in GAMES for ending in endings(name)} == ENDINGS
