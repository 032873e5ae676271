"""Whole games of dice breaker, written and worked out line by line by hand, from the rules."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from games.dice_breaker import DICE_BREAKER
from games.dice_breaker.messages import GameEnded, RoundScored
from games.messages import Fact
from tests.games import expected_reports

GAMES = expected_reports.names(DICE_BREAKER)

# How a game can end, and which commands can bring it about.
ENDINGS = {"points", "five of a kind", "fives shared", "the last of a play-off", "nobody wins"}
CAUSES = {"DieThrown", "DieRested", "PlayerLeft", "TableClosed"}


@pytest.mark.parametrize("name", GAMES)
def test_every_line_has_the_outcome_worked_out_by_hand(name: str) -> None:
    expected_reports.check_every_line(DICE_BREAKER, name)


@pytest.mark.parametrize("name", GAMES)
def test_the_whole_game_ends_as_worked_out_by_hand(name: str) -> None:
    expected_reports.check_final_report(DICE_BREAKER, name)


def ending(before: Fact, event: GameEnded) -> str:
    if not event.winners:
        return "nobody wins"
    if not isinstance(before, RoundScored):
        return "the last of a play-off"
    if all(each.hand != "five" for each in before.hands):
        return "points"
    return "fives shared" if len(event.winners) > 1 else "five of a kind"


def endings(name: str) -> Iterator[tuple[str, str]]:
    for (_, before), (cause, event) in pairwise(expected_reports.happened(DICE_BREAKER, name)):
        if isinstance(event, GameEnded):
            yield ending(before, event), type(cause).__name__


def test_every_way_a_game_can_end_has_a_transcript() -> None:
    seen = {each for name in GAMES for each in endings(name)}

    assert {how for how, _ in seen} == ENDINGS
    assert {cause for _, cause in seen} == CAUSES
