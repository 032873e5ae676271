"""The page of rules and the rows that show them: neither has a number the other has not."""

import re
from pathlib import Path

import pytest

from tests.games import (
    test_cinnabar_gate_refusals,
    test_cinnabar_gate_rules,
    test_dice_breaker_refusals,
    test_dice_breaker_rules,
    test_explain_cinnabar_gate,
    test_explain_dice_breaker,
    test_explain_river,
    test_explain_stone_hand,
    test_explain_threes_away,
    test_opening_cinnabar_gate,
    test_opening_dice_breaker,
    test_opening_river,
    test_opening_stone_hand,
    test_opening_threes_away,
    test_river_rules,
    test_stone_hand_rules,
    test_threes_away_rules,
)

PAGES = Path(__file__).parents[2] / "docs" / "games"
CITED = re.compile(r"\b(?:SH|CG|RV|TA|DB|G|H)\d+")

# (page, the rules that rows cite, sentences)
GAMES = [
    (
        "stone-hand",
        {
            row[0]
            for row in (
                *test_stone_hand_rules.ROWS,
                *test_opening_stone_hand.REFUSED,
                *test_opening_stone_hand.LIMITS,
            )
        },
        [row[-1] for row in test_explain_stone_hand.ROUNDS],
    ),
    (
        "cinnabar-gate",
        {
            row[0]
            for row in (
                *test_cinnabar_gate_rules.ROWS,
                *test_cinnabar_gate_refusals.REFUSED,
                *test_opening_cinnabar_gate.REFUSED,
                *test_opening_cinnabar_gate.LIMITS,
            )
        },
        [
            row[-1]
            for row in (*test_explain_cinnabar_gate.ROUNDS, *test_explain_cinnabar_gate.PAYMENTS)
        ],
    ),
    (
        "river",
        {
            row[0]
            for row in (
                *test_river_rules.ROWS,
                *test_river_rules.REFUSED,
                *test_opening_river.REFUSED,
                *test_opening_river.LIMITS,
            )
        }
        | {"RV8"},  # forty printed figures: test_river_hands
        [row[-1] for row in (*test_explain_river.ROUNDS, *test_explain_river.PAYMENTS)],
    ),
    (
        "threes-away",
        {
            row[0]
            for row in (
                *test_threes_away_rules.ROWS,
                *test_opening_threes_away.REFUSED,
                *test_opening_threes_away.LIMITS,
            )
        },
        [row[-1] for row in (*test_explain_threes_away.ROUNDS, *test_explain_threes_away.PAYMENTS)],
    ),
    (
        "dice-breaker",
        {
            row[0]
            for row in (
                *test_dice_breaker_rules.ROWS,
                *test_dice_breaker_refusals.REFUSALS,
                *test_opening_dice_breaker.REFUSED,
                *test_opening_dice_breaker.LIMITS,
            )
        },
        [
            row[-1]
            for row in (*test_explain_dice_breaker.ROUNDS, *test_explain_dice_breaker.PAYMENTS)
        ],
    ),
]
EACH = [pytest.param(*game, id=game[0]) for game in GAMES]


@pytest.mark.parametrize(("page", "cited", "_sentences"), EACH)
def test_every_rule_of_the_page_has_a_row_and_every_row_a_rule(
    page: str, cited: set[str], _sentences: list[str]
) -> None:
    """
    H3 is about what a house has set: tests/play/core/test_play_opening.py and
    tests/settings/configuration.
    """
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8")

    assert set(re.findall(r"^- \*\*([A-Z]+\d+)\*\*", text, re.MULTILINE)) - {"H3"} == cited


@pytest.mark.parametrize(("page", "_cited", "sentences"), EACH)
def test_sentences_cite_only_rules_of_the_page(
    page: str, _cited: set[str], sentences: list[str]
) -> None:
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8")

    for because in sentences:
        assert all(f"**{rule}**" in text for rule in CITED.findall(because))
