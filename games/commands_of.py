"""The way back from what happened to what was asked, so that it can be decided once more."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar

from games.commands import BringMoney, CashOut, Close, Join, NoThrow
from games.fees import Fee
from games.messages import BoughtIn, CashedOut, Fact, NoThrowRecorded, PlayerJoined, TableClosed

Opening = TypeVar("Opening")


def of(fact: Fact, commands: Mapping[type[Fact], Callable[[Any], Any]]) -> Any | None:
    """
    The command that a fact came of; None for what followed from the fact before.

    :param commands: of the facts that are the game's own.
    """
    command: Callable[[Any], Any] = commands.get(type(fact), shared)
    return None if fact.consequence else command(fact)


def opening(kind: Callable[..., Opening], fact: Any, **more: Any) -> Opening:
    """
    The command that a game was opened by: its fields of the same name, options and fee as data.

    :param more: fields that were asked for in other words than they are recorded in.
    """
    recorded = {field.name for field in fields(fact)}
    same = {
        field.name: getattr(fact, field.name)
        for field in fields(kind)  # type: ignore[arg-type]  # commands are dataclasses
        if field.name in recorded
    }
    converted = {"options": asdict(fact.options), "fee": announced(fact.fee)}
    return kind(**{**same, **converted, **more})


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
