"""Cash outside games: bank, fee boxes, prizes, stakes left behind, tips (A3, A5, P3, P4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from casino.engine.processes.queues import house_subscriber
from casino.floor.players.models import PrizeToHandOut
from casino.house.attendants.permissions import NotYours
from casino.kit.approvals import operations as approvals
from casino.kit.approvals import requests
from casino.money.cash import bank, moving, prizes
from casino.money.cash.models import CageSlip, FeeDay, Owed
from games.refusals import Refused
from ledger import journal, subscriptions
from tests.support import builders, regrading
from tests.support.cashier import (
    approved,
    box_counted,
    brought,
    close_games,
    fee_taken,
    handed_out,
    prize_won,
)
from tests.support.cashing import BANK, CAGE, act
from tests.support.playing import balances, done, opened, settled, state, token

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]


@pytest.fixture
def house() -> House:
    return builders.house()


class TestBank:
    """A3, C1: the house's own money, by number, by two people."""

    def test_capital_comes_into_the_cage(self, house: House) -> None:
        brought(house, 500)

        assert balances(house) == {CAGE: 500, BANK: 500}

    def test_cash_is_taken_to_the_bank(self, house: House) -> None:
        brought(house, 500)
        brought(house, 200, "to_bank")

        assert balances(house) == {CAGE: 300, BANK: 300}

    def test_c1_the_asker_does_not_approve(self, house: House) -> None:
        receipt = bank.ask(act(house, house.supervisor), way="capital", amount=5, reason="Friday.")

        with pytest.raises(approvals.OwnRequest):
            approved(house, receipt)
        assert balances(house) == {}

    def test_movements_are_numbered_without_gaps(self, house: House) -> None:
        brought(house, 500)
        refused = bank.ask(act(house, house.attendant), way="to_bank", amount=501, reason="All.")
        with pytest.raises(Refused):
            approved(house, refused)
        brought(house, 100, "to_bank")

        rows = CageSlip.objects.filter(establishment=house.establishment).order_by("number")
        assert [(row.number, row.way, row.amount) for row in rows] == [
            (1, "capital", 500),
            (2, "to_bank", 100),
        ]
        assert {(row.asked_by, row.approved_by) for row in rows} == {
            (str(house.attendant.pk), str(house.supervisor.pk))
        }

    def test_no_more_leaves_the_cage_than_lies_there(self, house: House) -> None:
        brought(house, 500)
        receipt = bank.ask(act(house, house.attendant), way="to_bank", amount=501, reason="All.")

        with pytest.raises(Refused, match="holds 500"):
            approved(house, receipt)

        assert requests.state(house.establishment, requests.id_of(house.id, receipt.command_id))
        assert balances(house)[CAGE] == 500

    @pytest.mark.parametrize(
        ("wrong", "code"),
        [
            ({"amount": 0}, "no_amount"),
            ({"amount": -5}, "no_amount"),
            ({"way": "up"}, "no_such_way"),
        ],
    )
    def test_it_is_an_amount_one_way_or_the_other(
        self, house: House, wrong: dict[str, Any], code: str
    ) -> None:
        body = {"way": "capital", "amount": 5, "reason": "Friday.", **wrong}

        with pytest.raises(Refused) as refused:
            bank.ask(act(house, house.attendant), **body)

        assert refused.value.code == code

    def test_d1_an_auditor_moves_no_cash(self, house: House) -> None:
        with pytest.raises(NotYours):
            bank.ask(act(house, house.auditor), way="capital", amount=5, reason="Friday.")


class TestPrizes:
    """P3, A7: what is owed stays owed until it is handed out, once."""

    def test_a_prize_is_handed_out_at_the_cage(self, house: House) -> None:
        brought(house, 100)
        position = prize_won(house, 50)

        handed_out(house, position)

        held = balances(house)
        assert held == {CAGE: 50, BANK: 50}
        [prize] = PrizeToHandOut.objects.filter(establishment=house.establishment)
        assert prize.handed_by == str(house.attendant.pk)

    def test_it_is_handed_out_once(self, house: House) -> None:
        brought(house, 100)
        position = prize_won(house, 50)
        handed_out(house, position)

        with pytest.raises(prizes.HandedOutAlready):
            handed_out(house, position)

    def test_d1b_whoever_has_won_it_does_not_hand_it_out(self, house: House) -> None:
        """C1: nobody pays themselves, however little."""
        brought(house, 100)
        position = prize_won(house, 50)
        house.attendant.employments.update(
            player=prizes.prize_of_event(house.establishment, position).player
        )

        with pytest.raises(moving.OwnPrize):
            handed_out(house, position)
        handed_out(house, position, by=house.supervisor)

        assert balances(house)[CAGE] == 50

    @pytest.mark.long("postgresql")
    def test_a_prize_that_is_no_money_moves_none(self, house: House) -> None:
        position = prize_won(house, 0)

        handed_out(house, position)

        assert balances(house) == {}
        [prize] = PrizeToHandOut.objects.filter(establishment=house.establishment)
        assert prize.handed_at is not None

    def test_a7_a_large_one_takes_two_people(self, house: House) -> None:
        brought(house, 1000)
        position = prize_won(house, 501)

        with pytest.raises(prizes.TakesTwo):
            handed_out(house, position)
        receipt = prizes.ask_prize(
            act(house, house.attendant), position=position, reason="He is here."
        )
        approved(house, receipt)

        assert balances(house)[CAGE] == 499

    def test_two_approvals_of_one_prize_hand_it_out_once(self, house: House) -> None:
        brought(house, 2000)
        position = prize_won(house, 501)
        receipts = [
            prizes.ask_prize(act(house, house.attendant), position=position, reason="Here.")
            for _ in range(2)
        ]
        approved(house, receipts[0])

        with pytest.raises(prizes.HandedOutAlready):
            approved(house, receipts[1])
        assert balances(house)[CAGE] == 1499

    def test_an_empty_cage_pays_nothing(self, house: House) -> None:
        position = prize_won(house, 50)

        with pytest.raises(Refused, match="holds 0"):
            handed_out(house, position)

    def test_what_is_no_prize_is_not_handed_out(self, house: House) -> None:
        with pytest.raises(prizes.NoSuchPrize):
            handed_out(house, 0)


class TestLeftBehind:
    """P3: a stake that somebody left in a game is theirs, however late they come for it."""

    def left(self, house: House) -> tuple[uuid.UUID, str]:
        game = opened(house)
        player = token(house, game, "Ada")
        done(house, game, "close")
        settled(house)
        return game, player

    def asked(self, house: House, game: uuid.UUID, player: str, amount: int) -> journal.Receipt:
        return prizes.ask_late(
            act(house, house.attendant), game=game, player=player, amount=amount, reason="Back."
        )

    def test_it_is_paid_at_the_cage_and_the_game_knows(self, house: House) -> None:
        brought(house, 100)
        game, player = self.left(house)

        approved(house, self.asked(house, game, player, 20))
        settled(house)

        assert balances(house)[CAGE] == 80
        assert state(house, game)["stakes"]["Ada"] == 0
        assert state(house, game)["booked"]["Ada"] == 0
        assert not Owed.objects.filter(establishment=house.establishment, player=player).exists()

    @pytest.mark.long("postgresql")
    def test_regrade_takes_it_for_the_cash_out_it_is(self, house: House) -> None:
        brought(house, 100)
        game, player = self.left(house)
        approved(house, self.asked(house, game, player, 20))
        settled(house)

        assert regrading.differences(house) == []

    def test_no_more_than_the_stake_is_paid(self, house: House) -> None:
        brought(house, 100)
        game, player = self.left(house)

        with pytest.raises(Refused) as refused:
            self.asked(house, game, player, 21)

        assert refused.value.code == "more_than_stake"

    def test_who_still_plays_leaves_first(self, house: House) -> None:
        game = opened(house)

        with pytest.raises(Refused) as refused:
            self.asked(house, game, token(house, game, "Ada"), 20)

        assert refused.value.code == "still_playing"

    def test_what_was_paid_at_the_table_meanwhile_is_not_paid_again(self, house: House) -> None:
        brought(house, 100)
        game, player = self.left(house)
        receipt = self.asked(house, game, player, 20)
        done(house, game, "cash_out", player="Ada", amount=20)

        with pytest.raises(Refused) as refused:
            approved(house, receipt)

        assert refused.value.code == "more_than_stake"


def test_rows_are_rebuilt_from_nothing(house: House) -> None:
    brought(house, 1000)
    position = prize_won(house, 50)
    handed_out(house, position)
    close_games(house)
    fee_taken(house)
    box_counted(house, {"5": 1})
    models = (CageSlip, FeeDay, PrizeToHandOut, Owed)

    def shown() -> list[Any]:
        return [list(model._default_manager.order_by("pk").values()) for model in models]

    before = shown()
    subscriptions.rebuild(house_subscriber.HOUSE, establishment=house.id)
    assert shown() == before
