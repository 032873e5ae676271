"""Transfers of buy-ins and cash-outs: made by the command itself, not by settlement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.house.acts import accounts
from casino.play.settlement import settled
from games import history
from games.messages import CashedOut
from ledger.journal import AccountRef, NewTransfer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from uuid import UUID

    from casino.house.acts.game_streams.loading import Loaded
    from games.messages import Fact


def transfers(
    game: UUID, facts: Sequence[Fact], table: str, loaded: Loaded | None
) -> Iterator[NewTransfer]:
    """
    The transfers of the buy-ins and cash-outs among the facts of a command.

    :raises PayoutHeld: if some of the money of a cash-out is held.
    :raises PayoutsStopped: if the house pays nobody now.
    """
    for number, fact in enumerate(facts):
        for player, amount, house in fact.buy_ins:
            yield NewTransfer(
                debit=_purse(table, house=house),
                credit=accounts.stake(game, player),
                amount=amount,
                reason="house_seat" if house else "buy_in",
                event=number,
            )
        if isinstance(fact, CashedOut):
            house = loaded is not None and fact.player in house_seats(loaded)
            if loaded is not None:
                settled.leaves(loaded, fact.player, fact.amount)
            yield NewTransfer(
                debit=accounts.stake(game, fact.player),
                credit=_purse(table, house=house),
                amount=fact.amount,
                reason="cash_out",
                event=number,
            )


def house_seats(loaded: Loaded) -> frozenset[str]:
    """The players of a game whose stake belongs to the house (G8)."""
    return history.house_seats(loaded.live)


def _purse(table: str, *, house: bool) -> AccountRef:
    """The account that a stake comes from: the bank for a house seat, else the float (G8)."""
    return accounts.bank() if house else accounts.table_float(table)
