"""Opening a game: its money, its table and its dice, held by the database; asked for twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger import journal
from ledger.accounts import AccountRef, Kind
from tests.support import builders
from tests.support.playing import (
    ask_open,
    balances,
    float_of,
    game_of,
    opened,
    opening,
    stake_of,
    state,
)

if TYPE_CHECKING:
    from typing import Any

    from casino.play.core import core
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house(tables=3, dice_sets=3)


def refusal(answer: core.Answer) -> str | None:
    return answer.refusal.code if answer.refusal else None


def test_stakes_come_in_with_the_opening(house: House) -> None:
    game = opened(house)

    assert balances(house) == {
        float_of(house.table): 40,
        stake_of(house, game, "Ada"): 20,
        stake_of(house, game, "Bo"): 20,
    }


def test_the_houses_own_seat_is_staked_from_the_bank(house: House) -> None:
    seats = [{"name": "Ada", "stake": 20}, {"name": "The bank", "stake": 20, "house": True}]
    game = opened(house, players=seats)

    assert balances(house) == {
        float_of(house.table): 20,
        AccountRef(Kind.BANK, "house"): -20,
        stake_of(house, game, "Ada"): 20,
        stake_of(house, game, "The bank"): 20,
    }
    assert state(house, game)["first"] == "The bank"  # G7


def test_no_second_game_is_opened_at_a_table(house: House) -> None:
    opened(house)

    assert refusal(ask_open(house)) == "table_taken"
    assert refusal(ask_open(house, table=house.tables[1])) is None


def test_a_dice_set_lies_on_one_table(house: House) -> None:
    opened(house)

    assert refusal(ask_open(house, table=house.tables[1], dice_set=house.dice)) == "dice_taken"
    # Unless a set is named, a free one is taken.
    answer = ask_open(house, table=house.tables[1])
    assert game_of(house, answer.key.game).place["dice_set"] == str(house.dice_sets[1].pk)


# fmt: off
DICE: list[tuple[str, dict[str, Any], str]] = [  # game, options, the set it takes of those below
    ("stone-hand",    {},                 "3d8"),
    ("cinnabar-gate", {},                 "3d8"),
    ("river",         {},                 "one of each size"),
    ("threes-away",   {},                 "5d6"),
    ("dice-breaker",  {},                 "10d6"),  # five for each of two
    ("dice-breaker",  {"mode": "battle"}, "15d6"),  # a trump and four at the corners
]
# G10, at a table of 5 to 50: what is played for, and whether it is taken there.
PLAYED_FOR: list[tuple[str, dict[str, Any], str | None]] = [
    ("threes-away",  {"options": {"ante": 4}},  "outside_table_limits"),
    ("threes-away",  {"options": {"ante": 5}},  None),
    ("dice-breaker", {"options": {"ante": 51}, "stake": 60}, "outside_table_limits"),
    ("dice-breaker", {"options": {"ante": 0}},  None),  # no money is played
    ("river",        {"price": 51, "stake": 99}, "outside_table_limits"),
    ("river",        {"price": 50, "stake": 99}, None),
    ("cinnabar-gate", {"stake": 51},            "outside_table_limits"),
    ("cinnabar-gate", {"options": {"variant": "arcade"}, "stake": 0}, None),
]
# fmt: on
# fmt: off
# fmt: on


def test_a_refused_opening_leaves_no_event_and_no_money(house: House) -> None:
    answer = ask_open(house, opening(players=["Ada"]))

    assert refusal(answer) == "too_few_players"
    assert journal.head(establishment=house.id) == -1
    assert balances(house) == {}
    opened(house)


def test_an_opening_asked_again_gets_its_game_though_the_table_is_taken(house: House) -> None:
    raw = opening()
    first = ask_open(house, raw, dice_set=house.dice)

    again = ask_open(house, raw, dice_set=house.dice)

    assert again.receipt.repeated
    assert again.key == first.key
    assert again.events() == first.events()
