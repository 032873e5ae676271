"""Every game on offer has transcripts, and each of those what was worked out for it."""

import pytest

from casino.house.acts.game_streams.catalogue import RULESETS
from games.game import Ruleset
from tests.games import expected_reports

FOLDERS = sorted(path.name for path in expected_reports.TRANSCRIPTS.iterdir() if path.is_dir())


def test_every_game_on_offer_has_transcripts() -> None:
    assert {ruleset.id for ruleset in RULESETS} <= set(FOLDERS)


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda each: each.id)
def test_every_transcript_has_its_expectations_and_the_other_way_round(ruleset: Ruleset) -> None:
    folder = expected_reports.TRANSCRIPTS / ruleset.id
    worked_out = {path.name.removesuffix(".expected.json") for path in folder.glob("*.json")}

    assert worked_out == set(expected_reports.names(ruleset))
