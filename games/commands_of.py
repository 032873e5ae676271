"""The way back from what happened to what was asked, so that it can be decided once more."""

from dataclasses import asdict
from typing import Any

from games.commands import BringMoney, CashOut, Close, Join, NoThrow
from games.fees import Fee
from games.messages import BoughtIn, CashedOut, Fact, NoThrowRecorded, PlayerJoined, TableClosed


def shared(fact: Fact) -> Any | None:
    """
    The command that a fact common to all games came of; None for what followed from another.

    What only the surroundings knew is left out: `games.commands.situate` tells it again.
    """
    match fact:
        case NoThrowRecorded(player=player, reason=reason, dice=dice, note=note):
            return NoThrow(player, reason, dice, note)
        case BoughtIn(player=player, amount=amount):
            return BringMoney(player, amount)
        case PlayerJoined(player=player, stake=stake):
            return Join(player, stake)
        case CashedOut(player=player, amount=amount):
            return CashOut(player, amount)
        case TableClosed(reason=reason):
            return Close(reason)
        case _:
            return None


def announced(fee: Fee | None) -> dict[str, Any] | None:
    """A fee as an opening announces it: only the fields of its kind."""
    return None if fee is None else {name: value for name, value in asdict(fee).items() if value}
