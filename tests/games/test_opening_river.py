"""Openings that are refused, each for its own reason."""

from dataclasses import replace
from typing import Any

import pytest

from games.refusals import Refused
from games.river import RIVER
from games.river.messages import GameOpened, Open, StartRound
from games.seats import Seat
from tests.games.river_spec import RiverTable, opened, opening

# fmt: off
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("RV1", {"players": ["A"]},                                     "too_few_players"),
    ("RV1", {"players": []},                                        "too_few_players"),
    ("RV1", {"players": ["A", "B", "A "]},                          "double_name"),
    ("RV1", {"players": ["A", "house"]},                            "reserved_name"),
    ("RV1", {"players": [{"name": "A"}, {"name": "B"}], "stake": 0},  "zero_amount"),
    ("RV1", {"stake": None},                                        "zero_amount"),
    ("RV1", {"stake": 2.5},                                         "not_whole"),
    ("RV1", {"price": 0},                                           "zero_amount"),
    ("RV1", {"price": 1.5},                                         "not_whole"),
    ("RV1", {"price": -1},                                          "negative_amount"),
    ("RV1", {"players": [{"name": "A"}, {"name": "B", "house": True}]}, "banker_plays_not"),
    ("G8",  {"players": [{"name": "A", "house": True}, {"name": "B"}]}, "banker_plays_not"),
    ("RV3", {"min_raise": 0},                                       "option_value"),
    ("RV3", {"min_raise": 1.5},                                     "option_value"),
    ("RV3", {"min_raise": True},                                    "option_value"),
    ("RV6", {"stake": 2**53 - 1},                                   "too_large"),
    ("RV6", {"tie": "share"},                                       "option_value"),
    ("RV6", {"options": {"ties": "split"}},                         "unknown_option"),
    ("RV6", {"options": {"runs": "wrap"}},                          "unknown_option"),
    ("G6",  {"fee": {"kind": "rake", "percent": 11}},               "fee_too_high"),
    ("G6",  {"fee": {"kind": "tip"}},                               "unknown_fee"),
    ("G11", {"unit": 0}, "option_value"),
    ("G11", {"unit": 1.5}, "option_value"),
    ("G11", {"unit": "1"}, "option_value"),
    ("G11", {"unit": True}, "option_value"),
    ("G11", {"unit": 10**12 + 1}, "option_value"),
    ("G11", {"unit": 4}, "not_whole_units"),
    ("G11", {"unit": 10**12, "min_raise": 10**4}, "too_large"),
    ("G7",  {"first": "A"},                                         "not_in_this_game"),
    ("RV5", {"home_throw": [1, 3, 6]},                              "not_in_this_game"),
    ("RV5", {"home_throw_policy": "fixed"},                         "not_in_this_game"),
    ("RV5", {"players": [{"name": "A", "home_throw": [1, 3, 6]}, {"name": "B"}]},
                                                                    "not_in_this_game"),
]

# (rule, price, least, greatest of the table, whether it is taken)
LIMITS = [
    ("G10", 10, 10, 10, True), ("G10", 10, None, None, True), ("G10", None, 10, 10, True),
    ("G10", 10, 11, None, False), ("G10", 10, None, 9, False),
]
# fmt: on


@pytest.mark.parametrize(("rule", "fields", "code"), REFUSED)
def test_an_opening_is_refused_for_its_own_reason(
    rule: str, fields: dict[str, Any], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        RiverTable(ruleset=RIVER).ask(opening(**fields))

    assert refused.value.code == code, rule
    assert len(str(refused.value)) > 15


COMMAND = Open((Seat("A"), Seat("B")), stake=25)


@pytest.mark.parametrize(("rule", "price", "least", "greatest", "taken"), LIMITS)
def test_a_table_has_its_limits(
    rule: str,
    price: int | None,
    least: int | None,
    greatest: int | None,
    taken: bool,  # noqa: FBT001 - a column
) -> None:
    command = replace(COMMAND, price=price, stake_min=least, stake_max=greatest)

    if not taken:
        with pytest.raises(Refused, match=rule):
            RiverTable(ruleset=RIVER).put(command)
        return
    (event,) = RiverTable(ruleset=RIVER).put(command)
    assert isinstance(event, GameOpened)
    assert (event.price, event.stake_min, event.stake_max) == (price, least, greatest)


def test_the_limits_hold_for_the_price_of_every_round() -> None:
    """G10."""
    table = RiverTable(ruleset=RIVER)
    table.put(replace(COMMAND, stake_min=5, stake_max=6))

    for price in (4, 7):
        with pytest.raises(Refused, match="G10"):
            table.put(StartRound(price))
    assert table.offers()[0] == {
        "do": "start_round",
        "price": None,
        "least": 5,
        "most": 6,
        "step": 1,
    }
    table.put(StartRound(6))


def test_a_table_too_dear_for_its_players_starts_no_round() -> None:
    table = RiverTable(ruleset=RIVER)
    table.put(replace(COMMAND, stake_min=26))

    assert table.view()["next"] == {"players": [], "may": []}


def test_the_opening_keeps_what_lies_on_which_table() -> None:
    (event,) = RiverTable(ruleset=RIVER).put(replace(COMMAND, table="t-1", dice_set="d-2", at=3))

    told = RIVER.encode(event)[1]
    assert (told["table"], told["dice_set"], told["at"]) == ("t-1", "d-2", 3)


def test_stakes_need_not_be_equal() -> None:
    table = opened(players=[{"name": "A", "stake": 5}, {"name": "B"}])

    assert table.view()["stakes"] == {"A": 5, "B": 50}


def test_the_game_asks_for_one_die_of_each_size() -> None:
    assert str(RIVER.dice({})) == "d4 d6 d8 d10 d12"
