"""Openings that are refused, each for its own reason."""

from dataclasses import replace
from typing import Any

import pytest

from games.refusals import Refused
from games.seats import Seat
from games.stone_hand import STONE_HAND
from games.stone_hand.messages import GameOpened, Open
from tests.games.spec import Table, opening

TWO = [{"name": "A", "stake": 5}, {"name": "B", "stake": 5}]

# fmt: off
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("SH1", {"players": ["A"]},                                            "too_few_players"),
    ("SH1", {"players": []},                                               "too_few_players"),
    ("SH1", {"players": ["A", "B", "A"]},                                  "double_name"),
    ("SH1", {"players": ["A", "A "]},                                      "double_name"),
    ("SH1", {"players": ["A", "pot"]},                                     "reserved_name"),
    ("SH1", {"players": ["A", ""]},                                        "empty_name"),
    ("SH1", {"players": [TWO[0], {"name": "B", "stake": 6}]},              "unequal_stakes"),
    ("SH1", {"stake": 0},                                                  "zero_amount"),
    ("SH1", {"stake": 2.5},                                                "not_whole"),
    ("SH1", {"stake": -1},                                                 "negative_amount"),
    ("SH9", {"stake": 2**53 - 1},                                          "too_large"),
    ("SH1", {"price": 5},                                                  "not_in_this_game"),
    ("SH1", {"mode": "poker"},                                             "option_value"),
    ("SH3", {"runs": True},                                                "option_value"),
    ("SH6", {"triad_pay": 0},                                              "option_value"),
    ("SH6", {"triad_pay": 1.5},                                            "option_value"),
    ("SH6", {"triads": "no"},                                              "option_value"),
    ("SH6", {"triads": 1},                                                 "option_value"),
    ("SH11", {"rethrow": 3},                                               "option_value"),
    ("SH11", {"rethrow": True},                                            "option_value"),
    ("SH11", {"rethrow": "1"},                                             "option_value"),
    ("SH11", {"rethrow": [1]},                                             "option_value"),
    ("SH11", {"options": {"pay_cap": 3}},                                  "unknown_option"),
    ("H1", {"home_throw": [1, 1, 3]},                                      "home_throw_scores"),
    ("H1", {"home_throw": [1, 2, 3]},                                      "home_throw_scores"),
    ("H1", {"home_throw": [8, 1, 7]},                                      "home_throw_scores"),
    ("H1", {"home_throw": [4, 4, 4]},                                      "home_throw_scores"),
    ("H1", {"home_throw": [1, 4, 7]},                                      "home_throw_scores"),
    ("H1", {"home_throw": [2, 5, 8], "triads": False},                     "home_throw_scores"),
    ("H1", {"home_throw": [1, 3]},                                         "wrong_number_of_dice"),
    ("H1", {"home_throw": [1, 3, 9]},                                      "no_such_face"),
    ("H2", {"home_throw_policy": "attendant", "home_throw": [1, 3, 6]},    "home_throw_misplaced"),
    ("H2", {"home_throw_policy": "attendant", "homes": "players"},         "home_throw_misplaced"),
    ("H2", {"home_throw_policy": "lot"},                                   "unknown_policy"),
    ("SH7", {"homes": "players", "home_throw": [1, 3, 6]},                 "home_throw_misplaced"),
    ("SH7", {"players": [{"name": "A", "home_throw": [1, 3, 6]}, {"name": "B"}]},
                                                                           "home_throw_misplaced"),
    ("G6", {"fee": {}},                                                    "unknown_fee"),
    ("G6", {"fee": {"kind": "tip", "amount": 1}},                          "unknown_fee"),
    ("G6", {"fee": {"kind": "rake"}},                                      "unknown_fee"),
    ("G6", {"fee": {"kind": "rake", "percent": 11}},                       "fee_too_high"),
    ("G6", {"fee": {"kind": "rake", "percent": 0}},                        "zero_amount"),
    ("G6", {"fee": {"kind": "rake", "percent": 2.5}},                      "not_whole"),
    ("G6", {"fee": {"kind": "rake", "percent": 5, "amount": 1}},           "unknown_fee"),
    ("G6", {"fee": {"kind": "time", "amount": 1}},                         "unknown_fee"),
    ("G6", {"fee": {"kind": "seat", "amount": 1}, "mode": "drinks"},       "no_money_played"),
    ("G7", {"first": "Z"},                                                 "unknown_player"),
    ("G11", {"unit": 0}, "option_value"),
    ("G11", {"unit": 1.5}, "option_value"),
    ("G11", {"unit": "1"}, "option_value"),
    ("G11", {"unit": True}, "option_value"),
    ("G11", {"unit": 10**12 + 1}, "option_value"),
    ("G11", {"unit": 10**12, "triad_pay": 10**4}, "too_large"),
    ("G8", {"players": [{"name": n, "stake": 5, "house": True} for n in "AB"]}, "two_house_seats"),
]
# fmt: on


@pytest.mark.parametrize(("rule", "fields", "code"), REFUSED)
def test_an_opening_is_refused_for_its_own_reason(
    rule: str, fields: dict[str, Any], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        Table().ask(opening(**fields))

    assert refused.value.code == code, rule
    assert len(str(refused.value)) > 15


COMMAND = Open((Seat("A"), Seat("B")), stake=25)

# fmt: off
LIMITS = [
    ("G10", 25, 25, True), ("G10", None, None, True), ("G10", 26, None, False),
    ("G10", None, 24, False),
]
# fmt: on


@pytest.mark.parametrize(("rule", "least", "greatest", "taken"), LIMITS)
def test_a_table_has_its_limits(
    rule: str,
    least: int | None,
    greatest: int | None,
    taken: bool,  # noqa: FBT001 - a column
) -> None:
    command = replace(COMMAND, stake_min=least, stake_max=greatest)

    if not taken:
        with pytest.raises(Refused, match=rule):
            Table().put(command)
        return
    (event,) = Table().put(command)
    assert isinstance(event, GameOpened)
    assert (event.stake_min, event.stake_max) == (least, greatest)


def test_a_home_throw_by_override_beats_its_namesake() -> None:
    """H1: the house may override, with a reason it keeps itself."""
    table = Table()
    table.put(replace(COMMAND, home_throw=(7, 4, 1), home_override=True))

    table.tell("A147")

    assert table.view()["throws"][0]["hand"] == "home"


def test_the_opening_keeps_what_lies_on_which_table() -> None:
    (event,) = Table().put(replace(COMMAND, table="t-1", dice_set="d-2", at=3))

    assert (
        STONE_HAND.encode(event)[1] | {"table": "t-1", "dice_set": "d-2", "at": 3}
        == (STONE_HAND.encode(event)[1])
    )
