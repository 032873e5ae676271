"""Whole games of threes away, written and worked out line by line by hand, from the rules."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from games.threes_away import THREES_AWAY
from games.threes_away.messages import GameEnded, RoundVoided
from tests.games import expected_reports

GAMES = expected_reports.names(THREES_AWAY)

# How a game can end: with which command, whether a round was running, what became of the pot.
ENDINGS = {
    ("TableClosed", "round void", "nothing left"),
    ("TableClosed", "round void", "rolls over"),
    ("TableClosed", "no round", "nothing left"),
    ("TableClosed", "no round", "rolls over"),
}


@pytest.mark.parametrize("name", GAMES)
def test_every_line_has_the_outcome_worked_out_by_hand(name: str) -> None:
    expected_reports.check_every_line(THREES_AWAY, name)


@pytest.mark.parametrize("name", GAMES)
def test_the_whole_game_ends_as_worked_out_by_hand(name: str) -> None:
    expected_reports.check_final_report(THREES_AWAY, name)


def endings(name: str) -> Iterator[tuple[str, str, str]]:
    for (_, before), (cause, event) in pairwise(expected_reports.happened(THREES_AWAY, name)):
        if isinstance(event, GameEnded):
            void = "round void" if isinstance(before, RoundVoided) else "no round"
            pot = "rolls over" if event.payments else "nothing left"
            yield type(cause).__name__, void, pot


def test_every_way_a_game_can_end_has_a_transcript() -> None:
    assert {ending for name in GAMES for ending in endings(name)} == ENDINGS
