"""Money moves at a table only from and to a counted float (B1), and never more than it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from casino.demo import house as demo
from casino.demo import house as demo_cash
from casino.house.attendants.pseudonyms import tokens
from casino.money.cash import counting
from casino.money.cash.counting import MoneyInPlay
from casino.play.core import operations
from ledger import money
from ledger.accounts import Kind
from tests.support import builders, cashing
from tests.support.playing import (
    DEVICE,
    NOW,
    ask,
    ask_open,
    balances,
    done,
    opened,
    opening,
    refused,
    round_played,
    settled,
    state,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]

GATE: dict[str, Any] = {"game": "cinnabar-gate"}  # money may be brought between rounds


@pytest.fixture
def house() -> House:
    return cashing.house()


def code_of_opening(at: House, **more: Any) -> tuple[str, str]:
    answer = ask_open(at, opening(**more))
    assert answer.refusal is not None
    sentence: str = tokens.resolve(at.id, answer.refusal.detail)
    return answer.refusal.code, sentence


def test_b1_no_money_game_opens_at_a_table_without_a_counted_float(house: House) -> None:
    assert code_of_opening(house) == (
        "no_float",
        "Table 1 has no counted float: open a shift first. B1",
    )
    cashing.opened(house)
    opened(house)
    assert cashing.float_held(house) == 90


def test_b1_a_game_without_money_needs_no_float(house: House) -> None:
    opened(house, stake=0, options={"mode": "drinks"})


def test_a_house_that_does_not_count_plays_as_before() -> None:
    opened(builders.house())


MONEY: list[tuple[str, dict[str, Any]]] = [
    ("join", {"player": "Cy", "stake": 15}),
    ("buy_in", {"player": "Ada", "amount": 5}),
    ("cash_out", {"player": "Ada", "amount": 5}),
]


def counts(at: House) -> None:
    cashing.counted(at, at.supervisor, cashing.FIFTY)


def hands_over(at: House) -> None:
    cashing.both_count(at, {"25": 3, "5": 3}, "change")


@pytest.mark.parametrize(("do", "fields"), MONEY)
@pytest.mark.parametrize("happens", [counts, hands_over])
def test_b1_money_waits_while_a_table_is_counted_or_handed_over(
    house: House, happens: Callable[[House], None], do: str, fields: dict[str, Any]
) -> None:
    cashing.opened(house)
    game = opened(house, **GATE)
    if do == "cash_out":
        done(house, game, "leave", player="Ada")
        settled(house)
    happens(house)

    assert refused(house, game, do, **fields) == "no_float"

    counting.call_off(cashing.act(house, house.attendant), table=house.table, reason="")
    done(house, game, do, **fields)


def test_b1_play_goes_on_while_a_table_is_counted(house: House) -> None:
    cashing.opened(house)
    game = opened(house)
    counts(house)

    round_played(house, game)
    settled(house)


def test_b1_a_table_with_money_in_play_is_not_closed(house: House) -> None:
    cashing.opened(house)
    opened(house)

    with pytest.raises(MoneyInPlay):
        cashing.counted(house, house.attendant, {}, "close")


def test_b1_a_table_closes_once_its_game_is_over_and_paid_out(house: House) -> None:
    cashing.opened(house)
    game = opened(house)
    done(house, game, "close")
    settled(house)
    for player, stake in state(house, game)["stakes"].items():
        done(house, game, "cash_out", player=player, amount=stake)
        settled(house)

    cashing.both_count(house, cashing.FIFTY, "close")

    assert (cashing.float_held(house), cashing.cage(house)) == (0, 1000)


def test_b1_a_game_that_opens_between_the_two_counts_stops_the_close(house: House) -> None:
    cashing.opened(house)
    cashing.counted(house, house.attendant, cashing.FIFTY, "close")

    assert code_of_opening(house)[0] == "no_float"


def test_b2_more_than_the_float_holds_is_not_paid_out(house: House) -> None:
    cashing.opened(house)
    game = opened(house)
    done(house, game, "close")
    settled(house)
    cashing.slipped(house, "credit", {"25": 3})

    answer = ask(house, game, "cash_out", player="Ada", amount=20)

    assert answer.refusal is not None
    assert answer.refusal.code == "float_too_small"
    assert answer.refusal.detail.endswith("does not hold 20: ask for a fill. B2")
    cashing.slipped(house, "fill", {"5": 1})
    done(house, game, "cash_out", player="Ada", amount=20)
    assert cashing.float_held(house) == 0


def test_the_houses_own_seat_plays_with_the_banks_money_and_asks_no_float(house: House) -> None:
    seats = [{"name": "House", "stake": 20, "house": True}, {"name": "Ada", "stake": 20}]
    cashing.opened(house)
    raw = opening(players=seats)
    raw.pop("stake")

    answer = operations.open_game(
        by=house.attendant, table=house.table, raw=raw, now=NOW, device=DEVICE
    )

    assert answer.refusal is None
    assert cashing.float_held(house) == 70


@pytest.mark.long("postgresql")
def test_b1_the_demo_house_has_a_counted_float_at_each_table() -> None:
    made = demo.make()

    floats = money.balances(establishment=made.pk, kinds=[Kind.FLOAT])
    assert sorted(floats.values()) == [1000] * len(demo.TABLES)
    held = money.balances(establishment=made.pk, kinds=[Kind.CAGE, Kind.BANK])
    assert sorted(held.values()) == [
        demo_cash.CAPITAL - 1000 * len(demo.TABLES),
        demo_cash.CAPITAL,
    ]


def test_what_a_table_holds_is_what_went_in_less_what_went_out(house: House) -> None:
    cashing.opened(house)
    opened(house)

    held = balances(house)
    cash = sum(held[account] for account in held if account.kind in {Kind.CAGE, Kind.FLOAT})
    assert cash == 1040
