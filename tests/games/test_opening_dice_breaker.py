"""Openings of dice breaker that are refused, each for its own reason; what an opening keeps."""

from dataclasses import replace
from typing import Any

import pytest

from games.dice_breaker import DICE_BREAKER
from games.dice_breaker.messages import GameOpened, Open
from games.refusals import Refused
from games.seats import Seat
from tests.games.spec import Table
from tests.games.spec_dice_breaker import opening

# fmt: off
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("DB1",  {"players": ["A"]},                                           "too_few_players"),
    ("DB1",  {"players": ["A", "B", "A"]},                                 "double_name"),
    ("DB1",  {"players": ["A", "pot"]},                                    "reserved_name"),
    ("DB1",  {"price": 5},                                                 "not_in_this_game"),
    ("DB1",  {"home_throw": [1, 3, 6]},                                    "not_in_this_game"),
    ("DB1",  {"home_throw_policy": "fixed"},                               "not_in_this_game"),
    ("DB1",  {"players": [{"name": "A", "home_throw": [1, 3, 6]}, {"name": "B"}]},
                                                                           "not_in_this_game"),
    ("DB1",  {"options": {"rethrow": 1}},                                  "unknown_option"),
    ("DB3",  {"mode": "pool"},                                             "option_value"),
    ("DB3",  {"mode": True},                                               "option_value"),
    ("DB5",  {"tie_by": "suit"},                                           "option_value"),
    ("DB6",  {"target": 0},                                                "option_value"),
    ("DB6",  {"target": 33.5},                                             "option_value"),
    ("DB6",  {"target": "33"},                                             "option_value"),
    ("DB10", {"players": ["A", "latent"]},                                 "reserved_name"),
    ("DB11", {"ante": -1},                                                 "option_value"),
    ("DB11", {"ante": 0.5},                                                "option_value"),
    ("DB11", {"ante": 5, "stake": 4},                                      "ante_not_covered"),
    ("DB11", {"ante": 5},                                                  "ante_not_covered"),
    ("DB11", {"ante": 5, "stake": 9, "players": [{"name": "A"}, {"name": "B", "stake": 4}]},
                                                                           "ante_not_covered"),
    ("DB11", {"stake": 2.5},                                               "not_whole"),
    ("DB11", {"stake": -1},                                                "negative_amount"),
    ("DB11", {"stake": 2**53 - 1},                                         "too_large"),
    ("DB11", {"stake": 9, "fee": {"kind": "seat", "amount": 1}},           "no_money_played"),
    ("G6",   {"stake": 9, "ante": 5, "fee": {"kind": "tip", "amount": 1}}, "unknown_fee"),
    ("G6",   {"stake": 9, "ante": 5, "fee": {"kind": "rake", "percent": 11}}, "fee_too_high"),
    ("G11", {"unit": 0}, "option_value"),
    ("G11", {"unit": 1.5}, "option_value"),
    ("G11", {"unit": "1"}, "option_value"),
    ("G11", {"unit": True}, "option_value"),
    ("G11", {"unit": 10**12 + 1}, "option_value"),
    ("G11", {"unit": 10**12, "ante": 10**4}, "too_large"),
    ("G11", {"unit": 5, "ante": 2, "stake": 9}, "ante_not_covered"),
    ("G7",   {"first": "Z"},                                               "unknown_player"),
    ("G8",   {"players": [{"name": n, "house": True} for n in "AB"]},      "two_house_seats"),
]
# fmt: on


@pytest.mark.parametrize(("rule", "fields", "code"), REFUSED)
def test_an_opening_is_refused_for_its_own_reason(
    rule: str, fields: dict[str, Any], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        Table(ruleset=DICE_BREAKER).ask(opening(**fields))

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
            Table(ruleset=DICE_BREAKER).put(command)
        return
    event, *_ = Table(ruleset=DICE_BREAKER).put(command)
    assert isinstance(event, GameOpened)
    assert (event.stake_min, event.stake_max) == (least, greatest)


def test_a_game_without_an_ante_knows_no_limits() -> None:
    command = replace(COMMAND, options={}, stake_min=6, stake_max=6)

    assert len(Table(ruleset=DICE_BREAKER).put(command)) == 1


def test_the_opening_keeps_what_lies_on_which_table() -> None:
    event, *_ = Table(ruleset=DICE_BREAKER).put(replace(COMMAND, table="t-1", dice_set="d-2", at=3))

    data = DICE_BREAKER.encode(event)[1]
    assert (data["table"], data["dice_set"], data["at"]) == ("t-1", "d-2", 3)


@pytest.mark.parametrize(
    ("players", "mode", "needed"), [("AB", "quick", "10d6"), ("ABC", "battle", "20d6")]
)
def test_the_dice_needed_grow_with_the_players(players: str, mode: str, needed: str) -> None:
    assert str(DICE_BREAKER.dice(opening(players, mode=mode))) == needed


def test_an_option_that_nobody_chose_has_its_default() -> None:
    table = Table(ruleset=DICE_BREAKER)
    table.ask({"do": "open", "game": "dice-breaker", "players": ["A", "B"]})

    assert DICE_BREAKER.encode(table.history[0])[1]["options"] == {
        "mode": "quick", "tie_by": "category", "target": 33, "ante": 0, "scoreboard": False,
        "unit": 1,
    }  # fmt: skip
    assert str(DICE_BREAKER.dice({"players": ["A", "B"]})) == "10d6"
