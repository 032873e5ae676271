"""P2: cash in and out by player and gaming day; P3: what is owed, with its age."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from casino.engine.processes.queues import house_subscriber
from casino.floor.players import cash
from casino.floor.players.models import CashDay, CashMove
from casino.money.cash import prizes
from casino.money.cash.models import Owed
from ledger import subscriptions
from tests.support import builders
from tests.support.cashier import approved, brought, prize_won
from tests.support.cashing import act
from tests.support.playing import NOW, done, opened, round_played, settled, state, token

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]

TODAY = NOW.date()


@pytest.fixture
def house() -> House:
    return builders.house(cash_threshold=30)


def day_of(house: House, player: str) -> tuple[int, int, int]:
    row = CashDay.objects.get(establishment=house.establishment, player=player, gaming_day=TODAY)
    return row.cash_in, row.cash_out, row.moves


def test_p2_cash_in_is_summed_over_tables(house: House) -> None:
    first = opened(house, stake=20)
    opened(house, stake=15, table=house.tables[1])
    settled(house)
    ada = token(house, first, "Ada")

    assert day_of(house, ada) == (35, 0, 2)
    assert [row.player for row in cash.days_above_threshold(house.establishment, TODAY)] == sorted(
        [ada, token(house, first, "Bo")]
    )


def test_p2_in_and_out_are_each_by_themselves(house: House) -> None:
    """20 in and 20 out are no 40."""
    game = opened(house, stake=20)
    ada = token(house, game, "Ada")
    done(house, game, "close")
    settled(house)
    done(house, game, "cash_out", player="Ada", amount=20)
    settled(house)

    assert day_of(house, ada) == (20, 20, 2)
    assert cash.days_above_threshold(house.establishment, TODAY) == []


def test_p2_what_a_void_hands_back_counts_against_it(house: House) -> None:
    game = opened(house, game="cinnabar-gate", stake=20)
    ada = token(house, game, "Ada")
    [bought] = done(house, game, "buy_in", player="Ada", amount=25)
    settled(house)
    assert day_of(house, ada)[0] == 45
    done(house, game, "void", back_to=bought.stream_version, reason="Misheard.")
    for request in state(house, game)["requests"]:
        done(house, game, "approve", by=house.supervisor, request=request["request"])
    settled(house)

    assert day_of(house, ada)[0] == 20


def test_p2_the_threshold_itself_is_not_above_it(house: House) -> None:
    opened(house, stake=30)
    settled(house)

    assert cash.days_above_threshold(house.establishment, TODAY) == []


def test_p2_without_a_threshold_nobody_is_flagged() -> None:
    house = builders.house(cash_threshold=None)
    opened(house, stake=20_000)
    settled(house)

    assert cash.days_above_threshold(house.establishment, TODAY) == []


def test_p2_the_houses_seat_brings_no_cash(house: House) -> None:
    opened(
        house, game="cinnabar-gate",
        players=[{"name": "Ada", "stake": 20}, {"name": "House", "stake": 90, "house": True}],
    )  # fmt: skip
    settled(house)

    assert CashDay.objects.filter(establishment=house.establishment).count() == 1


def test_p2_days_are_kept_apart(house: House) -> None:
    game = opened(house, game="cinnabar-gate", stake=20)
    done(house, game, "buy_in", player="Ada", amount=20, now=NOW + timedelta(days=1))
    settled(house)

    ada = token(house, game, "Ada")
    rows = CashDay.objects.filter(establishment=house.establishment, player=ada)
    assert sorted(rows.values_list("cash_in", flat=True)) == [20, 20]
    assert cash.days_above_threshold(house.establishment, TODAY) == []


def test_p2_the_log_lists_each_transaction(house: House) -> None:
    game = opened(house, stake=31)
    settled(house)
    ada = token(house, game, "Ada")

    [move] = CashMove.objects.filter(establishment=house.establishment, player=ada)

    assert (move.cash_in, move.cash_out, move.reason) == (31, 0, "buy_in")
    assert (move.game, move.by) == (game, str(house.attendant.pk))
    assert move.where == f"float:{house.table.pk}"


def test_p2_a_prize_handed_out_is_cash_out(house: House) -> None:
    brought(house, 100)
    position = prize_won(house, 50)
    prizes.hand_out(act(house, house.attendant), position=position)

    [flagged] = cash.days_above_threshold(house.establishment, TODAY)
    assert (flagged.cash_in, flagged.cash_out) == (0, 50)


class TestUnclaimed:
    """P3: prizes owed, and stakes left in games, stay liabilities, listed with their age."""

    def test_a_stake_left_in_a_closed_game_is_listed(self, house: House) -> None:
        game = opened(house)
        ada = token(house, game, "Ada")
        done(house, game, "close")
        settled(house)
        done(house, game, "cash_out", player="Bo", amount=20)
        settled(house)

        [left] = cash.stakes_left_behind(house.establishment)

        assert (left.player, left.amount, left.game) == (ada, 20, game)

    def test_who_still_plays_has_left_nothing(self, house: House) -> None:
        opened(house)
        settled(house)

        assert cash.stakes_left_behind(house.establishment) == []

    def test_who_has_left_a_running_game_without_cashing_out_is_listed(self, house: House) -> None:
        game = opened(house, game="cinnabar-gate", players=["Ada", "Bo", "Cy"], stake=20)
        ada = token(house, game, "Ada")
        done(house, game, "leave", player="Ada")
        settled(house)

        assert [each.player for each in cash.stakes_left_behind(house.establishment)] == [ada]

    def test_what_is_owed_has_an_age(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        done(house, game, "close")
        settled(house)

        [*left] = cash.stakes_left_behind(house.establishment)

        assert {each.gaming_day for each in left} == {TODAY}
        assert sum(each.amount for each in left) == 40

    def test_paid_it_is_listed_no_more(self, house: House) -> None:
        brought(house, 100)
        game = opened(house)
        ada = token(house, game, "Ada")
        done(house, game, "close")
        settled(house)
        receipt = prizes.ask_late(
            act(house, house.attendant), game=game, player=ada, amount=20, reason="Back."
        )
        approved(house, receipt)

        assert [each.player for each in cash.stakes_left_behind(house.establishment)] != [ada]
        assert len(cash.stakes_left_behind(house.establishment)) == 1


def test_rows_are_rebuilt_from_nothing(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    done(house, game, "close")
    settled(house)
    models = (CashDay, CashMove, Owed)
    before = [list(model.objects.order_by("pk").values()) for model in models]

    subscriptions.rebuild(house_subscriber.HOUSE, establishment=house.id)

    assert [list(model.objects.order_by("pk").values()) for model in models] == before


def test_p3_what_an_adjustment_left_is_listed_apart_from_prizes(house: House) -> None:
    """Both lie on one account; what of it is no prize is the rest."""
    prize_won(house, 50)
    [bo] = Owed.objects.filter(establishment=house.establishment, kind="prizes_owed")
    assert cash.money_from_adjustments(house.establishment) == []

    Owed.objects.filter(establishment=house.establishment, kind="prizes_owed").update(amount=57)

    [(row, rest)] = cash.money_from_adjustments(house.establishment)
    assert (row.player, rest) == (bo.player, 7)
