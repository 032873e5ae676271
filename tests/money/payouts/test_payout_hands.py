"""Where money lies that waits, as the rules of holding alone have it: no database."""

from __future__ import annotations

import uuid
from typing import Final

import pytest

from casino.house.acts import accounts
from casino.house.acts.accounts import PayoutPlace
from casino.play.settlement.held_funds import HeldFunds, Move
from casino.play.settlement.holding import Record
from games.messages import Disputed, Fact, Resolved, Voided
from games.payments import POT, Payment
from ledger.accounts import AccountRef, Kind

GAME: Final = uuid.UUID(int=7)
RULES: Final = ("SH9",)
ADA, BO = "ada", "bo"
WITNESS: Final = ("large_prize",)


def hands(**free: int) -> HeldFunds:
    mine = HeldFunds(GAME, "stone-hand")
    mine.free.update(free)
    return mine


def paid(
    mine: HeldFunds, cause: int, *payments: tuple[str, str, int], why: tuple[str, ...] = ()
) -> None:
    given = [Payment(payer, payee, amount, RULES) for payer, payee, amount in payments]
    reasons = [why if each.payee in {ADA, BO} else () for each in given]
    mine.pay(cause, given, reasons, lambda _payment: None)


def moved(mine: HeldFunds) -> list[tuple[str, str, int]]:
    """The transfers by their accounts' kinds, and what is made of them forgotten."""
    moves = [(short(move.debit), short(move.credit), move.amount) for move in mine.moves]
    mine.moves.clear()
    return moves


def short(account: AccountRef) -> str:
    name = account.name.partition("/")[2] if "/" in account.name else ""
    return f"{account.kind} {name}".strip()


def mirrored(moves: list[Move]) -> list[Move]:
    """The mirror images of what was booked, newest first."""
    return [
        Move(move.credit, move.debit, move.amount, "G4", uuid.uuid4()) for move in reversed(moves)
    ]


class TestWhatIsHeldIsLostAgain:
    def test_the_missing_part_comes_from_what_is_held_oldest_first(self) -> None:
        mine = hands(ada=5)
        paid(mine, 2, (POT, ADA, 10), why=WITNESS)
        paid(mine, 4, (POT, ADA, 10), why=WITNESS)
        moved(mine)

        paid(mine, 6, (ADA, POT, 17))

        assert moved(mine) == [
            ("held 2.0", "stake ada", 10),
            ("held 4.0", "stake ada", 2),
            ("stake ada", "pot", 17),
        ]
        assert (mine.free[ADA], mine.held_for(ADA)) == (0, 8)

    def test_what_lies_free_is_taken_first(self) -> None:
        mine = hands(ada=20)
        paid(mine, 2, (POT, ADA, 10), why=WITNESS)
        moved(mine)

        paid(mine, 4, (ADA, POT, 17))

        assert moved(mine) == [("stake ada", "pot", 17)]
        assert mine.as_rows()[0]["left"] == 10

    def test_what_comes_in_with_the_same_event_is_there(self) -> None:
        mine = hands()
        paid(mine, 2, (POT, ADA, 10), (ADA, BO, 4))
        assert moved(mine) == [("pot", "stake ada", 10), ("stake ada", "stake bo", 4)]

    def test_what_an_adjustment_took_is_advanced_and_owed(self) -> None:
        mine = hands(ada=3)
        paid(mine, 2, (ADA, POT, 5))
        assert moved(mine) == [
            ("receivable", "stake ada", 2),
            ("stake ada", "pot", 5),
        ]


class TestVoids:
    def held_and_lost(self) -> tuple[HeldFunds, list[Move]]:
        """Ada's 10 wait for a witness; then she loses 4 of them."""
        mine = hands()
        paid(mine, 2, (POT, ADA, 10), why=WITNESS)
        mine.moves.clear()
        paid(mine, 4, (ADA, POT, 4))
        lost = list(mine.moves)
        mine.moves.clear()
        return mine, lost

    def test_what_was_lost_of_it_waits_again(self) -> None:
        """Else a void would make free what nobody has witnessed."""
        mine, lost = self.held_and_lost()

        mine.take_back(4, mirrored(lost))

        assert moved(mine) == [("pot", "stake ada", 4), ("stake ada", "held 2.0", 4)]
        assert (mine.free[ADA], mine.held_for(ADA)) == (0, 10)

    def test_what_was_witnessed_meanwhile_is_released_again(self) -> None:
        mine, lost = self.held_and_lost()
        mine.lift("large_prize", [PayoutPlace(2, 0)])
        moved(mine)

        mine.take_back(4, mirrored(lost))

        assert moved(mine) == [
            ("pot", "stake ada", 4),
            ("stake ada", "held 2.0", 4),
            ("held 2.0", "stake ada", 4),
        ]
        assert (mine.free[ADA], mine.held_for(ADA)) == (10, 0)

    def test_what_was_released_is_fetched_back(self) -> None:
        mine = hands()
        paid(mine, 2, (POT, ADA, 10), why=WITNESS)
        won = list(mine.moves)
        mine.moves.clear()
        mine.lift("large_prize", [PayoutPlace(2, 0)])
        moved(mine)

        mine.take_back(2, mirrored(won))

        assert moved(mine) == [("stake ada", "held 2.0", 10), ("held 2.0", "pot", 10)]
        assert (mine.free[ADA], mine.held_for(ADA)) == (0, 0)

    def test_what_a_dispute_put_aside_is_fetched_from_there(self) -> None:
        mine = hands()
        paid(mine, 2, (POT, ADA, 10))
        won = list(mine.moves)
        mine.moves.clear()
        mine.hold([(PayoutPlace(2, 0), Payment(POT, ADA, 10, RULES))], "dispute:3")
        moved(mine)

        mine.take_back(2, mirrored(won))

        assert moved(mine) == [("held 2.0", "stake ada", 10), ("stake ada", "pot", 10)]
        assert mine.as_rows() == [{"payout": "2.0", "player": ADA, "left": 0, "why": []}]


class TestDisputesInForce:
    """C3: from when to when, and what they concern."""

    @staticmethod
    def record(*facts: Fact) -> Record:
        return Record((Fact(), *facts))  # event 1 opened the game

    DISPUTE = Disputed(dispute=3, round=1, first=2, reason="r", by="x")
    ENDS: Final = [
        (Resolved(3, "stands", "r", "x", "y"), []),
        (Voided(2, "r", "x", "y"), []),
        (Voided(3, "r", "x", "y"), [3]),
        (Fact(), [3]),
    ]

    @pytest.mark.parametrize(("then", "open_"), ENDS)
    def test_until_it_is_resolved_or_its_round_is_voided(
        self, then: Fact, open_: list[int]
    ) -> None:
        record = self.record(Fact(), self.DISPUTE, then, Fact())
        assert [each.dispute for each in record.disputes(5)] == open_

    def test_not_before_it_was_raised(self) -> None:
        assert self.record(Fact(), self.DISPUTE).disputes(3) == []

    def test_no_pot_house_or_rollover_waits(self) -> None:
        record = self.record(Fact(), self.DISPUTE, Fact())
        for payee in ("pot", "house", "rollover"):
            payment = Payment(ADA, payee, 900, RULES)
            assert record.reasons(4, 0, payment, stopped=True) == ()


A7: Final = [
    # payer, amount, threshold, is large
    ("pot", 501, 500, True),
    ("pot", 500, 500, False),
    ("house", 501, 500, True),
    ("rollover", 501, 500, True),
    (BO, 501, 500, False),
    ("pot", 501, None, False),
]


@pytest.mark.parametrize(("payer", "amount", "threshold", "large"), A7)
def test_a7_a_large_prize_is_above_the_threshold_and_from_no_player(
    payer: str, amount: int, threshold: int | None, *, large: bool
) -> None:
    record = Record((Fact(), Fact()), threshold)
    why = record.reasons(2, 0, Payment(payer, ADA, amount, RULES), stopped=False)
    assert why == (WITNESS if large else ())


def test_an_adjustment_takes_what_is_held_then_what_is_free_then_what_is_owed() -> None:
    mine = hands(ada=3)
    paid(mine, 2, (POT, ADA, 10), why=WITNESS)
    moved(mine)

    mine.adjust(ADA, BO, 15, PayoutPlace(2, 0), {})

    assert moved(mine) == [
        ("held 2.0", "prizes_owed", 10),
        ("stake ada", "prizes_owed", 3),
        ("receivable", "prizes_owed", 2),
    ]


def test_an_account_of_another_game_is_none_of_it() -> None:
    mine = hands(ada=3)
    other = uuid.UUID(int=8)
    mine.fold(
        [
            (
                accounts.stake(other, ADA),
                accounts.account_of_held_payout(other, PayoutPlace(2, 0)),
                3,
            ),
            (AccountRef(Kind.FLOAT, "t"), accounts.stake(GAME, ADA), 4),
        ]
    )
    assert mine.free[ADA] == 7
    assert not mine.lots
