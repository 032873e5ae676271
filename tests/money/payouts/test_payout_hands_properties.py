"""Whatever is paid, held, let go, voided or set right: nothing falls below zero, no coin goes."""

from __future__ import annotations

import uuid
from collections import Counter
from typing import TYPE_CHECKING, Final

from hypothesis import given, settings
from hypothesis import strategies as st

from casino.house.acts import accounts
from casino.house.acts.accounts import PayoutPlace
from casino.play.settlement.held_funds import HeldFunds, Move
from games.payments import HOUSE, POT, RESERVED, Payment
from ledger.accounts import PLAYERS_MONEY
from tests.forms import how_often

if TYPE_CHECKING:
    from ledger.accounts import AccountRef

GAME: Final = uuid.UUID(int=7)
RULES: Final = ("SH9",)
PLAYERS: Final = ("ada", "bo", "cy")
STAKE: Final = 20
REASONS: Final = ("large_prize", "stopped", "dispute:1", "dispute:2")


class Table:
    """A game of three as its rules see it, and the accounts as a ledger keeps them."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.mine = HeldFunds(GAME, "stone-hand")
        self.held: Counter[AccountRef] = Counter()
        self.played = Counter(dict.fromkeys((*PLAYERS, POT), 0))
        self.bookings: dict[int, tuple[list[Payment], list[Move]]] = {}
        self.cause = self.barrier = 1
        self.taken: Counter[str] = Counter()
        for player in PLAYERS:
            self.mine.free[player] = self.held[accounts.stake(GAME, player)] = STAKE
            self.played[player] = STAKE

    def booked(self) -> list[Move]:
        """What the rules of holding moved, made one by one as the ledger makes it."""
        moves, self.mine.moves = self.mine.moves, []
        for move in moves:
            assert move.amount > 0
            self.held[move.debit] -= move.amount
            self.held[move.credit] += move.amount
            if move.debit.kind in PLAYERS_MONEY:
                assert self.held[move.debit] >= 0, move
        self.mine.touched.clear()
        self.hands_are_the_accounts()
        return moves

    def hands_are_the_accounts(self) -> None:
        for player in PLAYERS:
            assert self.mine.free[player] == self.held[accounts.stake(GAME, player)] >= 0
        for payout, lot in self.mine.lots.items():
            assert lot.left == self.held[accounts.account_of_held_payout(GAME, payout)] >= 0
            assert lot.why or not lot.left  # what waits for nothing is released
        assert self.held[accounts.pot(GAME)] == self.played[POT]
        for player in PLAYERS:  # booked, held and given away is what was played, less what is owed
            there = self.mine.free[player] + self.mine.held_for(player)
            owed = -self.held[accounts.receivable(player)]
            assert there + self.taken[player] == self.played[player] + owed

    def pays(self) -> None:
        self.cause += 1
        payments = []
        for _ in range(self.draw(st.integers(1, 3))):
            payer = self.draw(st.sampled_from((*PLAYERS, POT)))
            payee = self.draw(st.sampled_from([each for each in (*PLAYERS, POT) if each != payer]))
            if self.played[payer]:
                amount = self.draw(st.integers(1, self.played[payer]))
                self.played[payer] -= amount
                self.played[payee] += amount
                payments.append(Payment(payer, payee, amount, RULES))
        why = [
            tuple(self.draw(st.lists(st.sampled_from(REASONS), unique=True, max_size=2)))
            if each.payee not in RESERVED
            else ()
            for each in payments
        ]
        self.mine.pay(self.cause, payments, why, lambda _payment: None)
        self.bookings[self.cause] = payments, self.booked()

    def holds(self) -> None:
        reason = self.draw(st.sampled_from(REASONS[2:]))
        self.mine.hold(
            [
                (PayoutPlace(cause, seq), payment)
                for cause, (payments, _) in self.bookings.items()
                for seq, payment in enumerate(payments)
                if payment.payee not in RESERVED and self.draw(st.booleans())
                and reason not in self.why(PayoutPlace(cause, seq))
            ],
            reason,
        )  # fmt: skip
        self.booked()

    def why(self, payout: PayoutPlace) -> tuple[str, ...]:
        lot = self.mine.lots.get(payout)
        return lot.why if lot else ()

    def lifts(self) -> None:
        self.mine.lift(self.draw(st.sampled_from(REASONS)))
        self.booked()

    def voids(self) -> None:
        able = [cause for cause in self.bookings if cause > self.barrier]
        if not able:
            return
        back_to = self.draw(st.sampled_from(able))
        mirrored = []
        for cause in sorted((each for each in self.bookings if each >= back_to), reverse=True):
            payments, moves = self.bookings.pop(cause)
            for payment in payments:
                self.played[payment.payer] += payment.amount
                self.played[payment.payee] -= payment.amount
            mirrored += [
                Move(each.credit, each.debit, each.amount, "G4", uuid.uuid4())
                for each in reversed(moves)
            ]
        self.mine.take_back(back_to, mirrored)
        made = self.booked()
        assert [each for each in made if each.reverses] == mirrored

    def adjusts(self) -> None:
        giver, taker = self.draw(st.permutations((*PLAYERS, HOUSE)))[:2]
        amount = self.draw(st.integers(1, 30))
        lots = sorted(self.mine.lots)
        cited = self.draw(st.booleans())
        payout = self.draw(st.sampled_from(lots)) if lots and cited else None
        disputes = self.draw(st.dictionaries(st.sampled_from(REASONS[2:]), st.booleans()))
        self.barrier = max(self.bookings, default=1)
        if giver != HOUSE:
            self.taken[giver] += amount
        self.mine.adjust(giver, taker, amount, payout, disputes)
        self.booked()


@settings(max_examples=how_often(150), deadline=None)
@given(st.data())
def test_the_money_is_where_the_rules_of_holding_say(data: st.DataObject) -> None:
    table = Table(data.draw)  # type: ignore[arg-type]  # draws alike
    acts = (table.pays, table.pays, table.holds, table.lifts, table.voids, table.adjusts)
    for _ in range(data.draw(st.integers(1, 25))):
        data.draw(st.sampled_from(acts))()
    assert sum(table.held.values()) == STAKE * len(PLAYERS)
    for reason in REASONS:
        table.mine.lift(reason)
        table.booked()
    assert not any(lot.left for lot in table.mine.lots.values())
