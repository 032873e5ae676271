"""
Every step of any game can be told, and the table shown as it stood after it: also between two
events of one command, and where somebody is told of whom a void has taken the seat.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest

from casino.demo.acts import Somebody
from casino.demo.openings import OPENINGS, any_opening
from casino.floor import stories as floor_stories
from casino.floor.boards import Seen
from casino.play import operations, queries
from casino.play.loading import GameKey, load
from casino.play.telling import rounds, stories
from tests.casino import builders
from tests.casino.playing import DEVICE, NOW, new_id, settled

if TYPE_CHECKING:
    from casino.play.loading import Loaded
    from tests.casino.builders import House

pytestmark = pytest.mark.django_db

GUESTS: Final = ("Ada", "Bo", "Cyd", "Dara", "Elio")
ACTS: Final = 60
OFTEN: Final = {"void": 1 / 3, "join": 1 / 3, "leave": 1 / 8, "close": 1 / 20, "approve": 1}
SELDOM: Final = 1 / 20  # of what people do beside the play


def played(house: House, kind: str, chance: Random) -> Loaded:
    """A game of a kind as chance has it, with whatever people may do there."""
    builders.dice_for_every_game(house.establishment, sets=1)
    asked = {**any_opening(kind, GUESTS, chance), "command_id": new_id()}
    if "home_throw_policy" in asked:
        asked["home_throw"] = [1, 2, 3]
    answer = operations.open_game(
        by=house.attendant, table=house.table, raw=asked, now=NOW, device=DEVICE
    )
    assert answer.refusal is None, answer.refusal
    for _ in range(ACTS):
        state = queries.state(load(answer.key))
        if state["status"] == "closed":
            break
        somebody = Somebody(state, chance, GUESTS)
        rows = [row for row in state["offers"] if likely(row, chance) and somebody.may(row)]
        if rows:
            puts(house, answer.key, somebody.does(chance.choice(rows)))
    return load(answer.key)


def likely(row: dict[str, Any], chance: Random) -> bool:
    """Play for the most part."""
    plays = "player" in row and row["do"] not in {"buy_in", "cash_out", "no_throw"}
    return chance.random() < OFTEN.get(row["do"], 1 if plays else SELDOM)


def puts(house: House, key: GameKey, told: dict[str, Any]) -> None:
    second = told["do"] in operations.SECOND_PERSON
    operations.command(
        by=house.supervisor if second else house.attendant,
        house=house.establishment,
        game=key.game,
        raw={**told, "command_id": new_id()},
        now=NOW,
        device=DEVICE,
    )
    settled(house)


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(n, marks=pytest.mark.long) for n in range(2, 12))]
)
@pytest.mark.parametrize("kind", OPENINGS)
def test_any_step_of_any_game_is_told(kind: str, seed: int) -> None:
    house = builders.house()
    loaded = played(house, kind, Random(f"{kind} {seed}"))  # noqa: S311 - no secret
    chapters = rounds.chapters(loaded.facts)

    for number in range(1, chapters.last + 1):
        numbers = chapters.numbers(number)
        told = stories.steps(loaded, number, numbers)
        for each in told:
            shown = stories.of_round(loaded, house.establishment, number, each["number"])
            assert shown is not None
            assert shown["moment"]["next"]
    everything = floor_stories.whole(Seen(loaded, house.establishment, "", "", 0))
    assert everything["log"]


@pytest.mark.parametrize("kind", OPENINGS)
def test_at_any_event_a_game_can_be_reported(kind: str) -> None:
    loaded = played(builders.house(), kind, Random(kind))  # noqa: S311 - no secret

    for number in range(1, loaded.version + 1):
        view = stories.as_it_stood(loaded, number).view
        assert set(view["next"]["players"]) <= set(view["stakes"])
