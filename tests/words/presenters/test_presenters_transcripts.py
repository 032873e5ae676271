"""
Every moment of every transcript can be shown: what comes next, and what lies before each player.

Also between two events of one command, which nobody sees at the table and a round that is told
step by step stops at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from casino.floor.tables.board import drawing
from casino.house.acts.game_streams.catalogue import RULESETS
from casino.words.presenters import PRESENTERS
from games.reporting import Kept
from games.transcripts import Play, carry_on
from tests.games import expected_reports

if TYPE_CHECKING:
    from games.game import Ruleset
    from games.messages import Fact

ALL = [(ruleset, name) for ruleset in RULESETS for name in expected_reports.names(ruleset)]


def facts(ruleset: Ruleset, name: str) -> list[Fact]:
    """What happened, whatever was refused between."""
    playing = Play({ruleset.id: ruleset})
    carry_on(playing, expected_reports.lines(ruleset, name))
    return [fact for _, fact in playing.history]


@pytest.mark.parametrize(("ruleset", "name"), ALL, ids=lambda each: getattr(each, "id", each))
def test_any_moment_of_a_transcript_is_shown(ruleset: Ruleset, name: str) -> None:
    happened, kept, presenter = facts(ruleset, name), Kept(), PRESENTERS[ruleset.id]
    for number in range(1, len(happened) + 1):
        game = drawing.play_facts(ruleset, presenter, happened[:number], str)
        coming = presenter.upcoming(game, game.view)
        assert coming["sentence"].strip() == coming["sentence"] != ""
        assert "None" not in coming["sentence"]
        assert (coming["player"] is None) or coming["player"] in game.view["stakes"]
        for player in game.view["stakes"]:
            presenter.hand_of(game, game.view, player)
        assert ruleset.view(tuple(enumerate(happened[:number], 1)), kept=kept) == game.view
