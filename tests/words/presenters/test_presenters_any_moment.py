"""
Every step of any game can be told, and the table shown as it stood after it: also between two
events of one command, and where somebody is told of whom a void has taken the seat.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

import pytest

from casino.floor.tables import views as floor_stories
from casino.floor.tables.board.boards import Seen
from casino.house.acts.game_streams.loading import GameKey, load
from casino.play.core import stories
from casino.words.presenters import rounds
from games.reporting import Kept
from tests.forms import LONG_FORM, every
from tests.support import builders
from tests.support.playing import settled
from tests.support.random_player import GAMES, RandomPlayer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.house.acts.game_streams.loading import Loaded
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ACTS: Final = 60 if LONG_FORM else 40
SEEDS: Final = [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 7))]


def played(house: House, kind: str, seed: object) -> Iterator[Loaded]:
    """Games of a kind at one table, with whatever people do there."""
    builders.dice_for_every_game(house.establishment, sets=1)
    at = RandomPlayer(house, Random(f"{kind} {seed}"), [kind])  # noqa: S311 - no secret
    for number in range(ACTS):
        at.does_something()
        if number % 10 == 0:
            settled(house)
    for game in at.games:
        yield load(GameKey(house.id, game))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", GAMES)
def test_any_step_of_any_game_is_told(kind: str, seed: int) -> None:
    house = builders.house(tables=1, dice_sets=0)
    for loaded in played(house, kind, seed):
        chapters = rounds.chapters(loaded.facts)
        for number in range(1, chapters.last + 1):
            steps = list(stories.steps(loaded, number, chapters.numbers(number)))
            for each in [*steps[:: every(6)], *steps[-1:]]:
                shown = stories.of_round(loaded, house.establishment, number, each["number"])
                assert shown is not None
                assert shown["moment"]["next"]
        everything = floor_stories.story_of_game(Seen(loaded, house.establishment, "", "", 0))
        assert everything["log"]


@pytest.mark.parametrize("kind", GAMES)
def test_at_any_event_a_game_can_be_reported(kind: str) -> None:
    for loaded in played(builders.house(tables=1, dice_sets=0), kind, ""):
        told_before = Kept()
        for number in range(1, loaded.version + 1, every(6)):
            moment = stories.game_through(loaded, number)
            view = moment.view
            assert loaded.ruleset.view(loaded.history[:number], kept=told_before) == view
            assert view["stakes"] == moment.stakes
            assert set(view["next"]["players"]) <= set(view["stakes"])
