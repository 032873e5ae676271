"""Whole games of River, written and worked out line by line by hand, from the rules."""

from collections.abc import Iterator

import pytest

from games.messages import TableClosed
from games.river import RIVER
from games.river.messages import RoundVoided, RoundWon
from tests.games import expected_reports

GAMES = expected_reports.names(RIVER)

# How a round can end: with which command's event, and for whom.
ENDINGS = {
    ("DiceRevealed", "one wins"),
    ("DiceRevealed", "shared"),
    ("DieThrown", "one wins"),
    ("PlayerLeft", "one wins"),
    ("PlayerLeft", "void"),
    ("TableClosed", "void"),
}


@pytest.mark.parametrize("name", GAMES)
def test_every_line_has_the_outcome_worked_out_by_hand(name: str) -> None:
    expected_reports.check_every_line(RIVER, name)


@pytest.mark.parametrize("name", GAMES)
def test_the_whole_game_ends_as_worked_out_by_hand(name: str) -> None:
    expected_reports.check_final_report(RIVER, name)


def endings(name: str) -> Iterator[tuple[str, str]]:
    for cause, event in expected_reports.happened(RIVER, name):
        if isinstance(event, RoundWon):
            yield type(cause).__name__, "one wins" if len(event.winners) == 1 else "shared"
        if isinstance(event, RoundVoided):
            yield type(cause).__name__, "void"


def test_every_way_a_round_can_end_has_a_transcript() -> None:
    assert {ending for name in GAMES for ending in endings(name)} == ENDINGS


def test_a_game_closed_between_rounds_and_in_one_has_a_transcript() -> None:
    """G9: nothing but closing ends the game."""
    closed = [
        sum(isinstance(event, RoundVoided) for cause, event in facts if closes(cause))
        for facts in (list(expected_reports.happened(RIVER, name)) for name in GAMES)
        if any(closes(cause) for cause, _ in facts)
    ]

    assert set(closed) == {0, 1}


def closes(cause: object) -> bool:
    return isinstance(cause, TableClosed)
