"""A7, C3, E2: a payout that may not be paid yet waits in its own account, and play goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse

from casino.money.payouts import queries
from casino.play.settlement.models import Payout
from ledger import journal
from ledger.accounts import AccountRef, Kind
from tests.support import books, builders
from tests.support.playing import (
    ask_open,
    balances,
    done,
    game_of,
    opened,
    pot_of,
    refused,
    round_played,
    settled,
    stake_of,
    state,
)

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]

SEATS = ["Ada", "Bo", "Cy"]


@pytest.fixture
def house() -> House:
    return builders.house(large_prize=15)


def history_of(house: House, payout: str) -> list[str]:
    cause, seq = map(int, payout.split("."))
    row = Payout.objects.get(establishment=house.id, cause=cause, seq=seq)
    return [step.state for step in queries.history(row)]


def held_of(game: uuid.UUID, payout: str) -> AccountRef:
    return AccountRef(Kind.HELD, f"{game}/{payout}")


def large_prize_won(house: House) -> tuple[uuid.UUID, str]:
    """Ada loses her 20 to the pool, round by round; Bo, the last with money, wins them."""
    game = opened(house, stake=20, players=["Ada", "Bo"])
    for _ in range(3):
        last = round_played(house, game)
    settled(house)
    return game, f"{last.stream_version}.0"


class TestLargePrizes:
    def test_a7_it_is_booked_as_held(self, house: House) -> None:
        game, payout = large_prize_won(house)

        assert balances(house)[held_of(game, payout)] == 20
        assert balances(house)[stake_of(house, game, "Bo")] == 20
        assert state(house, game)["stakes"]["Bo"] == 40
        assert state(house, game)["booked"]["Bo"] == 20
        assert state(house, game)["held"]["Bo"] == 20
        [row] = Payout.objects.filter(establishment=house.id, state=Payout.State.HELD)
        assert (row.held, row.waits_for, f"{row.cause}.{row.seq}") == (20, ["large_prize"], payout)

    def test_a7_it_is_released_by_a_witness(self, house: House) -> None:
        game, payout = large_prize_won(house)

        done(house, game, "witness", by=house.supervisor, payout=payout)
        settled(house)

        assert balances(house)[stake_of(house, game, "Bo")] == 40
        assert held_of(game, payout) not in {k for k, v in balances(house).items() if v}
        assert state(house, game)["held"] == {"Ada": 0, "Bo": 0}
        assert Payout.objects.get(payee__gt="", state=Payout.State.RELEASED).held == 0

    def test_what_is_held_does_not_leave(self, house: House) -> None:
        game, payout = large_prize_won(house)

        assert refused(house, game, "cash_out", player="Bo", amount=21) == "payout_held"
        done(house, game, "cash_out", player="Bo", amount=20)
        settled(house)
        assert history_of(house, payout) == ["decided", "held"]  # what left was another account's
        done(house, game, "witness", by=house.supervisor, payout=payout)
        settled(house)
        done(house, game, "cash_out", player="Bo", amount=20)
        settled(house)
        assert history_of(house, payout) == ["decided", "held", "released", "paid"]
        settled(house)

        assert balances(house) == {}
        states = set(Payout.objects.filter(payer="pot").values_list("state", flat=True))
        assert states == {Payout.State.PAID}

    def test_its_receipt_says_what_is_not_paid_out_yet(self, house: House) -> None:
        game, payout = large_prize_won(house)
        client = Client()
        client.force_login(house.attendant)

        receipt = client.get(reverse("receipt", args=[game, *payout.split(".")])).content.decode()
        done(house, game, "witness", by=house.supervisor, payout=payout)
        settled(house)
        released = client.get(reverse("receipt", args=[game, *payout.split(".")]))

        assert "<dt>Not paid out yet</dt>" in receipt
        assert "large prize: its witness" in receipt
        assert "Not paid out yet" not in released.content.decode()

    def test_a_void_takes_back_what_is_held(self, house: House) -> None:
        game, payout = large_prize_won(house)
        cause = int(payout.partition(".")[0])

        void(house, game, cause - 1)

        assert balances(house)[pot_of(game)] == 14
        assert state(house, game)["held"]["Bo"] == 0
        books.hold_at_every_moment(house)

    def test_a_void_takes_back_what_was_released(self, house: House) -> None:
        game, payout = large_prize_won(house)
        cause = int(payout.partition(".")[0])
        done(house, game, "witness", by=house.supervisor, payout=payout)
        settled(house)

        void(house, game, cause - 1)

        assert state(house, game)["booked"] == state(house, game)["stakes"] == {"Ada": 6, "Bo": 20}
        books.hold_at_every_moment(house)


def void(house: House, game: uuid.UUID, back_to: int) -> None:
    [requested] = done(house, game, "void", back_to=back_to, reason="Misread.")
    if requested.event_type == "game.void_requested":
        done(house, game, "approve", by=house.supervisor, request=requested.data["request"])
    settled(house)


class TestDiceOfALargePrize:
    """A7: its dice set is quarantined and inspected."""

    @pytest.mark.long("postgresql")
    def test_a7_they_are_not_thrown_before_somebody_looked(self, house: House) -> None:
        _, payout = large_prize_won(house)

        stream = f"dice/{house.dice.pk}"
        last = journal.last(establishment=house.id, stream=stream)
        assert last is not None
        assert (last.event_type, last.data["payouts"]) == ("dice.quarantined", [payout])
        answer = ask_open(house, dice_set=house.dice)
        assert answer.refusal is not None
        assert answer.refusal.code == "dice_quarantined"
        other = opened(house)  # the other set is free
        assert game_of(house, other).place["dice_set"] == str(house.dice_sets[1].pk)

    def test_a7_nor_by_the_same_game_that_took_others_meanwhile(self) -> None:
        house = builders.house(large_prize=15, dice_sets=0)
        first, second = (
            str(builders.dice_set(house.establishment, sides=6, count=5).pk) for _ in range(2)
        )
        game = opened(house, game="threes-away", stake=40, options={"ante": 8})
        for player, face in (("Ada", 1), ("Bo", 4)):  # Ada wins the pot of 16
            done(house, game, "throw", player=player, dice=[face] * 5, keep=[face] * 5)
        done(house, game, "change_dice", dice_set=second, reason="They won a large prize.")

        code = refused(house, game, "change_dice", dice_set=first, reason="We liked them.")

        assert code == "dice_quarantined"
        done(house, game, "close")

    def test_a7_a_void_of_the_end_gives_them_back_to_their_game(self, house: House) -> None:
        game, payout = large_prize_won(house)

        void(house, game, int(payout.partition(".")[0]) - 1)

        assert state(house, game)["status"] == "open"
