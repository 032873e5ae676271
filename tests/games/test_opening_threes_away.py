"""Openings of threes away that are refused, each for its own reason; what an opening keeps."""

from dataclasses import replace
from typing import Any

import pytest

from games.refusals import Refused
from games.seats import Seat
from games.threes_away import THREES_AWAY
from games.threes_away.messages import GameOpened, Open
from tests.games.spec import Table
from tests.games.spec_threes_away import opening

# fmt: off
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("TA1", {"players": ["A"]},                                            "too_few_players"),
    ("TA1", {"players": ["A", "B", "A"]},                                  "double_name"),
    ("TA1", {"players": ["A", "rollover"]},                                "reserved_name"),
    ("TA1", {"stake": 0},                                                  "zero_amount"),
    ("TA1", {"players": [{"name": "A"}, {"name": "B", "stake": 0}]},       "zero_amount"),
    ("TA1", {"stake": 2.5},                                                "not_whole"),
    ("TA1", {"stake": 2**53 - 1},                                          "too_large"),
    ("TA1", {"ante": 0},                                                   "option_value"),
    ("TA1", {"ante": 1.5},                                                 "option_value"),
    ("TA1", {"ante": "1"},                                                 "option_value"),
    ("TA1", {"zero": 0},                                                   "option_value"),
    ("TA1", {"zero": 7},                                                   "option_value"),
    ("TA1", {"options": {"stake": 1}},                                     "unknown_option"),
    ("TA1", {"options": {"rethrow": 1}},                                   "unknown_option"),
    ("TA1", {"price": 5},                                                  "not_in_this_game"),
    ("TA1", {"home_throw": [1, 3, 6]},                                     "not_in_this_game"),
    ("TA1", {"home_throw_policy": "fixed"},                                "not_in_this_game"),
    ("TA1", {"players": [{"name": "A", "home_throw": [1, 3, 6]}, {"name": "B"}]},
                                                                           "not_in_this_game"),
    ("TA3", {"bust": "highest"},                                           "option_value"),
    ("TA5", {"tie_ante": "no"},                                            "option_value"),
    ("TA6", {"zero_tie_ante": False},                                      "option_value"),
    ("TA7", {"progressive": True},                                         "option_value"),
    ("TA8", {"bottoms": 1},                                                "option_value"),
    ("G6", {"fee": {"kind": "tip", "amount": 1}},                          "unknown_fee"),
    ("G6", {"fee": {"kind": "rake", "percent": 11}},                       "fee_too_high"),
    ("G11", {"unit": 0}, "option_value"),
    ("G11", {"unit": 1.5}, "option_value"),
    ("G11", {"unit": "1"}, "option_value"),
    ("G11", {"unit": True}, "option_value"),
    ("G11", {"unit": 10**12 + 1}, "option_value"),
    ("G11", {"unit": 10**12, "ante": 10**4}, "too_large"),
    ("G7", {"first": "Z"},                                                 "unknown_player"),
    ("G8", {"players": [{"name": n, "house": True} for n in "AB"]},        "two_house_seats"),
]
# fmt: on


@pytest.mark.parametrize(("rule", "fields", "code"), REFUSED)
def test_an_opening_is_refused_for_its_own_reason(
    rule: str, fields: dict[str, Any], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        Table(ruleset=THREES_AWAY).ask(opening(**fields))

    assert refused.value.code == code, rule
    assert len(str(refused.value)) > 15


COMMAND = Open((Seat("A"), Seat("B")), stake=25, options={"ante": 5})

# fmt: off
LIMITS = [
    ("G10", 5, 5, True), ("G10", None, None, True), ("G10", 6, None, False),
    ("G10", None, 4, False),
]
# fmt: on


@pytest.mark.parametrize(("rule", "least", "greatest", "taken"), LIMITS)
def test_the_limits_of_a_table_hold_for_the_ante(
    rule: str,
    least: int | None,
    greatest: int | None,
    taken: bool,  # noqa: FBT001 - a column
) -> None:
    command = replace(COMMAND, stake_min=least, stake_max=greatest)

    if not taken:
        with pytest.raises(Refused, match=rule):
            Table(ruleset=THREES_AWAY).put(command)
        return
    event, *_ = Table(ruleset=THREES_AWAY).put(command)
    assert isinstance(event, GameOpened)
    assert (event.stake_min, event.stake_max) == (least, greatest)


def test_the_opening_keeps_what_lies_on_which_table() -> None:
    event, *_ = Table(ruleset=THREES_AWAY).put(replace(COMMAND, table="t-1", dice_set="d-2", at=3))

    data = THREES_AWAY.encode(event)[1]
    assert (data["table"], data["dice_set"], data["at"]) == ("t-1", "d-2", 3)


def test_what_rolled_over_counts_among_the_coins_that_can_be_counted() -> None:
    with pytest.raises(Refused, match="TA10"):
        Table(ruleset=THREES_AWAY).put(replace(COMMAND, rollover=2**53 - 60, awaited=10))


def test_five_six_sided_dice_are_needed() -> None:
    assert str(THREES_AWAY.dice(opening())) == "5d6"
