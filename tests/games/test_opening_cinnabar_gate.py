"""Openings that are refused, each for its own reason, and what a table's limits allow."""

from dataclasses import replace
from typing import Any

import pytest

from games.cinnabar_gate import CINNABAR_GATE
from games.cinnabar_gate.messages import GameOpened, Open
from games.commands import BringMoney, Join
from games.game import DiceNeeded
from games.refusals import Refused
from games.seats import Seat
from tests.games.cinnabar_gate_spec import opening, tell
from tests.games.spec import Table

# fmt: off
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("CG1", {"players": ["A"]},                                            "too_few_players"),
    ("CG1", {"players": ["A", "B", "A"]},                                  "double_name"),
    ("CG1", {"players": ["A", "pot"]},                                     "reserved_name"),
    ("CG1", {"players": ["A", ""]},                                        "empty_name"),
    ("CG1", {"stake": 0},                                                  "zero_amount"),
    ("CG1", {"stake": None},                                               "zero_amount"),
    ("CG1", {"players": [{"name": "A", "stake": 0}, {"name": "B"}]},       "zero_amount"),
    ("CG1", {"stake": 2.5},                                                "not_whole"),
    ("CG1", {"stake": -1},                                                 "negative_amount"),
    ("CG1", {"stake": 2**53 - 1},                                          "too_large"),
    ("CG1", {"price": 5},                                                  "not_in_this_game"),
    ("CG2", {"pay_lowering": "by_two"},                                    "option_value"),
    ("CG3", {"runs": True},                                                "option_value"),
    ("CG3", {"junk_order": "middle"},                                      "option_value"),
    ("CG3", {"pair_value": 1},                                             "option_value"),
    ("CG3", {"pair_value": "true"},                                        "option_value"),
    ("CG4", {"junk_rethrows": -1},                                         "option_value"),
    ("CG4", {"junk_rethrows": 100},                                        "option_value"),
    ("CG4", {"junk_rethrows": 1.5},                                        "option_value"),
    ("CG4", {"junk_rethrows": "3"},                                        "option_value"),
    ("CG4", {"junk_rethrows": True},                                       "option_value"),
    ("CG5", {"pay_cap": 0},                                                "option_value"),
    ("CG5", {"pay_cap": None},                                             "option_value"),
    ("CG5", {"pay_cap": "all"},                                            "option_value"),
    ("CG6", {"empty": "none"},                                             "option_value"),
    ("CG7", {"ties": "void"},                                              "option_value"),
    ("CG8", {"winnings": "pot"},                                           "option_value"),
    ("CG10", {"opal": 3},                                                  "option_value"),
    ("CG10", {"opal": False},                                              "option_value"),
    ("CG11", {"variant": "drinks"},                                        "option_value"),
    ("CG11", {"arcade_points": 2},                                         "option_value"),
    ("CG11", {"arcade_points": True},                                      "option_value"),
    ("CG11", {"options": {"sole": "pays"}},                                "unknown_option"),
    ("CG11", {"options": {"mode": "pool"}},                                "unknown_option"),
    ("H1", {"home_throw": [1, 1, 3]},                                      "home_throw_scores"),
    ("H1", {"home_throw": [1, 2, 3]},                                      "home_throw_scores"),
    ("H1", {"home_throw": [8, 1, 7]},                                      "home_throw_scores"),
    ("H1", {"home_throw": [4, 4, 4]},                                      "home_throw_scores"),
    ("H1", {"home_throw": [1, 4, 7]},                                      "home_throw_scores"),
    ("H1", {"home_throw": [2, 4, 6]},                                      "home_throw_scores"),
    ("H1", {"home_throw": [6, 8, 4]},                                      "home_throw_scores"),
    ("H1", {"homes": "players", "players": [{"name": "A", "home_throw": [2, 4, 6]}, {"name": "B"}]},
                                                                           "home_throw_scores"),
    ("H1", {"home_throw": [1, 3]},                                         "wrong_number_of_dice"),
    ("H1", {"home_throw": [1, 3, 9]},                                      "no_such_face"),
    ("H2", {"home_throw_policy": "attendant", "home_throw": [1, 3, 6]},    "home_throw_misplaced"),
    ("H2", {"home_throw_policy": "attendant", "homes": "players"},         "home_throw_misplaced"),
    ("H2", {"home_throw_policy": "lot"},                                   "unknown_policy"),
    ("CG3", {"homes": "players", "home_throw": [1, 3, 6]},                 "home_throw_misplaced"),
    ("CG3", {"homes": "house", "players": [{"name": "A", "home_throw": [1, 3, 6]}, {"name": "B"}]},
                                                                           "home_throw_misplaced"),
    ("G11", {"unit": 0}, "option_value"),
    ("G11", {"unit": 1.5}, "option_value"),
    ("G11", {"unit": "1"}, "option_value"),
    ("G11", {"unit": True}, "option_value"),
    ("G11", {"unit": 10**12 + 1}, "option_value"),
    ("G6", {"fee": {"kind": "rake", "percent": 5}},                        "no_pot_to_rake"),
    ("G6", {"fee": {"kind": "rake", "percent": 11}, "variant": "pool"},    "fee_too_high"),
    ("G6", {"fee": {"kind": "tip", "amount": 1}},                          "unknown_fee"),
    ("G6", {"fee": {"kind": "seat", "amount": 1}, "variant": "arcade"},    "no_money_played"),
    ("G7", {"first": "Z"},                                                 "unknown_player"),
    ("G8", {"players": [{"name": n, "stake": 5, "house": True} for n in "AB"]}, "two_house_seats"),
]
# fmt: on


@pytest.mark.parametrize(("rule", "fields", "code"), REFUSED)
def test_an_opening_is_refused_for_its_own_reason(
    rule: str, fields: dict[str, Any], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        Table(ruleset=CINNABAR_GATE).ask(opening(**fields))

    assert refused.value.code == code, rule
    assert len(str(refused.value)) > 15


COMMAND = Open((Seat("A"), Seat("B", 40)), stake=25)
ARCADE = replace(COMMAND, players=(Seat("A"), Seat("B")), stake=None, options={"variant": "arcade"})

# fmt: off
# (rule, least, greatest, what is asked of the table, whether it is taken)
LIMITS: list[tuple[str, int | None, int | None, Any, bool]] = [
    ("G10", None, None, COMMAND,                                          True),
    ("G10", 25,   40,   COMMAND,                                          True),
    ("G10", 26,   None, COMMAND,                                          False),
    ("G10", None, 39,   COMMAND,                                          False),
    ("G10", 25,   40,   ARCADE,                                           True),
    ("G10", 25,   40,   Join("C"),                                        True),
    ("G10", 25,   40,   Join("C", 24),                                    False),
    ("G10", 25,   40,   Join("C", 41),                                    False),
    ("G10", 25,   40,   BringMoney("A", 15),                              True),
    ("G10", 25,   40,   BringMoney("A", 16),                              False),
]
# fmt: on


@pytest.mark.parametrize(("rule", "least", "greatest", "asked", "taken"), LIMITS)
def test_a_table_has_its_limits(
    rule: str,
    least: int | None,
    greatest: int | None,
    asked: Any,
    taken: bool,  # noqa: FBT001 - a column
) -> None:
    table = Table(ruleset=CINNABAR_GATE)
    openings = [asked] if isinstance(asked, Open) else [COMMAND, asked]
    *before, last = [
        replace(each, stake_min=least, stake_max=greatest) if isinstance(each, Open) else each
        for each in openings
    ]
    for each in before:
        table.put(each)

    if taken:
        table.put(last)
        return
    with pytest.raises(Refused, match=rule) as refused:
        table.put(last)
    assert refused.value.code == "outside_table_limits"


def test_who_is_out_comes_back_with_the_least_stake() -> None:
    """G10, CG8: and with no more than the greatest."""
    table = Table(ruleset=CINNABAR_GATE)
    seats = (Seat("A", 25), Seat("B", 25), Seat("C", 25))
    table.put(replace(COMMAND, players=seats, stake_min=20, stake_max=30))
    tell(table, "A112 B113 " + "C468 " * 12 + "C147")
    assert table.view()["out"] == ["C"]

    (row,) = [each for each in table.offers() if each["do"] == "buy_in" and each["player"] == "C"]
    assert (row["least"], row["most"]) == (20, 30)
    tell(table, "C+19 C+31 C+20")

    assert table.refused == ["outside_table_limits", "outside_table_limits"]
    assert table.view()["out"] == []


def test_offers_say_how_much_may_be_brought() -> None:
    table = Table(ruleset=CINNABAR_GATE)
    table.put(replace(COMMAND, stake_min=25, stake_max=40))

    rows = [row for row in table.offers() if row["do"] in {"join", "buy_in"}]

    assert rows == [
        {"do": "join", "back": [], "stake": 25, "least": 25, "most": 40},
        {"do": "buy_in", "player": "A", "least": 1, "most": 15},
    ]


def test_a_home_throw_by_override_beats_its_namesake() -> None:
    """H1: the house may override, with a reason it keeps itself."""
    table = Table(ruleset=CINNABAR_GATE)
    table.put(replace(COMMAND, home_throw=(6, 4, 2), home_override=True))

    tell(table, "A246")

    view = table.view()
    assert (view["throws"][0]["hand"], view["pay"], view["next"]["players"]) == ("home", 8, ["B"])


def test_the_opening_keeps_what_lies_on_which_table() -> None:
    (event,) = Table(ruleset=CINNABAR_GATE).put(replace(COMMAND, table="t-1", dice_set="d-2", at=3))

    assert isinstance(event, GameOpened)
    assert (event.table, event.dice_set, event.at, event.stake) == ("t-1", "d-2", 3, 25)
    assert event.rules_version == CINNABAR_GATE.version


def test_the_house_brings_its_own_money_for_its_seat() -> None:
    """G8."""
    table = Table(ruleset=CINNABAR_GATE)
    table.put(replace(COMMAND, players=(Seat("A"), Seat("B", house=True))))

    (event,) = table.put(BringMoney("B", 5))

    assert [tuple(each) for each in event.buy_ins] == [("B", 5, True)]


def test_it_is_played_with_three_eight_sided_dice() -> None:
    assert CINNABAR_GATE.dice({}) == DiceNeeded(3, 8)
