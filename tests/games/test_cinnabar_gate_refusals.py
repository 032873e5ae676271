"""Cinnabar Gate, one row per rule: what is refused."""

from typing import Any

import pytest

from tests.games.cinnabar_gate_spec import ARCADE, HOME, POOL, opened, tell, with_stakes

# fmt: off
# (rule, opening, script, the refusal its last line meets)
REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("CG1", {}, "A111 D^",                           "round_running"),
    ("CG1", {}, "A111 A+5",                          "round_running"),
    ("CG1", {}, "A^5",                               "double_name"),
    ("G1", {**with_stakes(5, 6), "stake": None}, "D^", "zero_amount"),
    ("CG1", {}, "D^0",                               "zero_amount"),
    ("CG1", {}, "D^9007199254740991",                "too_large"),
    ("CG1", {}, "A+9007199254740991",                "too_large"),
    ("CG1", {}, "A- A-",                             "not_playing"),
    ("CG1", {}, "A- A+5",                            "not_playing"),
    ("CG1", {}, "Z-",                                "unknown_player"),
    ("CG1", {}, "Z+5",                               "unknown_player"),
    ("CG1", {}, "A111 B- B$5",                       "still_playing"),
    ("CG1", {}, "A$5",                               "still_playing"),
    ("CG1", {}, "A- A$26",                           "more_than_stake"),
    ("CG1", {"players": ["A", "B"]}, "B- A111",      "game_over"),
    ("CG3", {}, "A11",                               "wrong_number_of_dice"),
    ("CG3", {}, "A119",                              "no_such_face"),
    ("CG4", {}, "B111",                              "not_your_turn"),
    ("CG4", {}, "A112 A113",                         "not_your_turn"),
    ("CG4", {}, "A135 C111",                         "not_your_turn"),
    ("CG4", {}, "A112 A!",                           "not_now"),
    ("CG4", {}, "A135 B!",                           "not_now"),
    ("CG4", {}, "Z!",                                "unknown_player"),
    ("CG5", {}, "A246 A!",                           "not_now"),
    ("CG5", {}, "A246 B111",                         "not_your_turn"),
    ("CG7", {}, "A111 B118 C228 A111",               "not_your_turn"),
    ("CG7", {}, "A112 B332 C118 A135 A!",            "not_now"),
    ("CG8", {"winnings": "pocket"}, "A112 B113 C118 A- A$25 A^0", "zero_amount"),
    ("CG10", {"opal": 1}, "A112 A113 A114",          "not_your_turn"),
    ("CG11", POOL, "A+5",                            "no_buying_in"),
    ("CG11", ARCADE, "A+5",                          "no_money_played"),
    ("CG11", {**POOL, **HOME, "opal": 1}, "A136 B111", "not_your_turn"),
    ("H2", {"home_throw_policy": "attendant"}, "A111", "not_now"),
    ("H2", {}, "h135",                               "not_now"),
    ("G3", {}, "B~",                                 "not_your_turn"),
    ("G9", {}, "x x",                                "game_over"),
]
# fmt: on


@pytest.mark.parametrize(("rule", "opening", "script", "code"), REFUSED)
def test_what_the_rules_refuse(rule: str, opening: dict[str, Any], script: str, code: str) -> None:
    table = tell(opened(**opening), script)

    assert table.refused == [code], rule
