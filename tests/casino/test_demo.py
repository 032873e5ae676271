"""The demo plays every game on offer, whatever it offers."""

from __future__ import annotations

from random import Random

import pytest

from casino.demo import house as demo
from casino.demo import play
from casino.demo.acts import Somebody
from casino.demo.openings import OPENINGS, any_opening
from casino.dice.models import DiceSet
from casino.play.catalogue import RULESETS
from games import vocabulary


def test_every_game_on_offer_has_an_opening() -> None:
    assert set(OPENINGS) == {ruleset.id for ruleset in RULESETS}


def test_every_word_that_games_take_by_now_can_be_said() -> None:
    assert set(Somebody.ways) == set(vocabulary.VOCABULARY) - {"open"}
    assert play.SELDOM.keys() <= Somebody.ways.keys()


def test_every_game_has_written_games() -> None:
    folders = {folder.name for folder in play.TRANSCRIPTS.iterdir()}
    assert folders == {ruleset.id for ruleset in RULESETS}


@pytest.mark.django_db
def test_the_demo_house_has_dice_for_every_game_at_every_table() -> None:
    made = demo.make()
    sets = list(DiceSet.objects.filter(establishment=made))

    for ruleset in RULESETS:
        for seed in range(10):
            chance = Random(seed)  # noqa: S311 - openings of a test
            opening = any_opening(ruleset.id, play.GUESTS, chance)
            needed = ruleset.dice(opening)
            assert sum(dice.fits(needed) for dice in sets) >= len(demo.TABLES)
