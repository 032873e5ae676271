"""Every house option of every game has rows that play it, with each of its values."""

from dataclasses import fields
from types import NoneType
from typing import Any, get_args, get_type_hints

import pytest

from casino.house.acts.game_streams.catalogue import RULESETS
from games.cinnabar_gate.messages import Options as CinnabarGate
from games.dice_breaker.messages import Options as DiceBreaker
from games.river.messages import Options as River
from games.stone_hand.messages import Options as StoneHand
from games.threes_away.messages import Options as ThreesAway
from tests.games import (
    test_cinnabar_gate_rules,
    test_dice_breaker_rules,
    test_river_rules,
    test_stone_hand_rules,
    test_threes_away_rules,
)

PLAYED: dict[str, tuple[type, list[Any]]] = {
    "stone-hand": (StoneHand, [*test_stone_hand_rules.ROWS]),
    "cinnabar-gate": (CinnabarGate, [*test_cinnabar_gate_rules.ROWS]),
    "river": (River, [*test_river_rules.ROWS]),
    "threes-away": (ThreesAway, [*test_threes_away_rules.ROWS]),
    "dice-breaker": (DiceBreaker, [*test_dice_breaker_rules.ROWS]),
}


def test_every_game_on_offer_is_looked_at() -> None:
    assert {ruleset.id for ruleset in RULESETS} == set(PLAYED)


@pytest.mark.parametrize("game", PLAYED)
def test_each_value_of_each_option_has_a_row(game: str) -> None:
    """A number among the values counts as played where rows play one that is not the default."""
    options, rows = PLAYED[game]
    played = [{**row[1], **row[1].get("options", {})} for row in rows]

    missing = [
        (option.name, value)
        for option in fields(options)
        for value in values(get_type_hints(options)[option.name])
        if not any(
            is_played(each.get(option.name, option.default), value, option.default)
            for each in played
        )
    ]

    assert not missing


def values(hint: Any) -> tuple[object, ...]:
    """What an option may be: the words and flags themselves, `int` for numbers."""
    if hint in {bool, int}:
        return (True, False) if hint is bool else (int,)
    return tuple(
        value
        for each in get_args(hint)
        if each is not NoneType
        for value in (get_args(each) or (each,))
    )


def is_played(chosen: object, value: object, default: object) -> bool:
    if value is int:
        return type(chosen) is int and chosen != default
    return type(chosen) is type(value) and chosen == value
