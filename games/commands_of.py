"""
The way back from recorded events to the commands that led to them, so that they can be decided
again.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar

from games.commands import BringMoney, CashOut, Close, Join, NoThrow
from games.fees import Fee
from games.messages import BoughtIn, CashedOut, Fact, NoThrowRecorded, PlayerJoined, TableClosed

Opening = TypeVar("Opening")


def of(fact: Fact, commands: Mapping[type[Fact], Callable[[Any], Any]]) -> Any | None:
    """
    The command that led to a fact; None for a consequence of the fact before.

    :param commands: for each type of fact that only this game has, the function that makes its
        command.
    """
    command: Callable[[Any], Any] = commands.get(type(fact), command_of_shared_fact)
    return None if fact.consequence else command(fact)


def opening(kind: Callable[..., Opening], fact: Any, **more: Any) -> Opening:
    """
    The command that opened a game, made from its opening event: fields of the same name, options
    and fee as data.

    :param more: fields that the command holds in another form than the event.
    """
    recorded = {field.name for field in fields(fact)}
    same = {
        field.name: getattr(fact, field.name)
        for field in fields(kind)  # type: ignore[arg-type]  # commands are dataclasses
        if field.name in recorded
    }
    converted = {"options": asdict(fact.options), "fee": fields_of_fee(fact.fee)}
    return kind(**{**same, **converted, **more})


def command_of_shared_fact(fact: Fact) -> Any | None:
    """
    The command that led to a fact which all games share; None for a consequence of another fact.

    Fields that only the caller knew are left out: `games.commands.situate` fills them in again.
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


def fields_of_fee(fee: Fee | None) -> dict[str, Any] | None:
    """A fee as an opening announces it: only the fields of its kind."""
    return None if fee is None else {name: value for name, value in asdict(fee).items() if value}
