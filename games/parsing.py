"""Reading of commands that all games share, and the way back from events to commands."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from typing import Any, Final, TypeVar

from games.commands import (
    Approve,
    BringMoney,
    CashOut,
    ChangeDice,
    Close,
    Dispute,
    Handover,
    Join,
    Leave,
    NoThrow,
    Pause,
    Reject,
    Resolve,
    Resume,
    Stand,
    Void,
    Witness,
)
from games.fees import Fee
from games.game_session import NoSuchEvent
from games.messages import BoughtIn, CashedOut, Fact, NoThrowRecorded, PlayerJoined, TableClosed
from games.refusals import NotInThisGame
from games.seats import seat

CONTEXT: Final = ("command_id", "occurred_at")  # the caller handles these

SharedCommand = (
    Void
    | Approve
    | Reject
    | Stand
    | NoThrow
    | Join
    | Leave
    | BringMoney
    | CashOut
    | Close
    | Pause
    | Resume
    | Handover
    | ChangeDice
    | Witness
    | Dispute
    | Resolve
)
Fields = Mapping[str, Any]

SHARED: Final[Mapping[str, type[SharedCommand]]] = {
    "void": Void,
    "approve": Approve,
    "reject": Reject,
    "stand": Stand,
    "no_throw": NoThrow,
    "join": Join,
    "leave": Leave,
    "buy_in": BringMoney,
    "cash_out": CashOut,
    "close": Close,
    "pause": Pause,
    "resume": Resume,
    "handover": Handover,
    "change_dice": ChangeDice,
    "witness": Witness,
    "dispute": Dispute,
    "resolve": Resolve,
}
REFERENCES: Final = ("back_to", "request", "dispute", "payout")


def read_shared(
    do: str, fields: Fields, *, game: str, without: frozenset[str] = frozenset()
) -> SharedCommand:
    """
    A shared command from its fields.

    :param without: the shared commands that the game does not have.
    :raises NoSuchEvent: if a reference is still a command_id: the caller has to resolve references.
    :raises NotInThisGame: if the command belongs to other games.
    """
    if do in SHARED and do not in without:
        own = {name: value for name, value in fields.items() if name not in CONTEXT}
        if "payout" in own:
            own["payout"], own["seq"] = own["payout"]
        for name in REFERENCES:
            if isinstance(own.get(name), str):
                raise NoSuchEvent(f"{name}: no command {own[name]} was taken in this game. G4")
        return SHARED[do](**own)
    raise NotInThisGame(f"do: {do} does not belong to {game}.")


def only(fields: Fields, *names: str, do: str, game: str) -> dict[str, Any]:
    """
    The fields of a command, all of which the game knows. :raises NotInThisGame: if there are
    others.
    """
    for name in fields:
        if name not in (*names, *CONTEXT):
            raise NotInThisGame(f"{name}: {do} has no such field in {game}.")
    return {name: value for name, value in fields.items() if name in names}


def opening(fields: Fields, *names: str, game: str) -> dict[str, Any]:
    """The fields of an opening, as arguments of the command that opens a game."""
    own = only(fields, "game", *names, do="open", game=game)
    del own["game"]
    return {**own, "players": tuple(map(seat, own["players"])), "at": fields.get("occurred_at")}


# The way back from recorded events to the commands that led to them, so that they can be decided
# again.


Opening = TypeVar("Opening")


def fields_of(fact: Fact, commands: Mapping[type[Fact], Callable[[Any], Any]]) -> Any | None:
    """
    The command that led to a fact; None for a consequence of the fact before.

    :param commands: for each type of fact that only this game has, the function that makes its
        command.
    """
    command: Callable[[Any], Any] = commands.get(type(fact), command_of_shared_fact)
    return None if fact.consequence else command(fact)


def opening_command(kind: Callable[..., Opening], fact: Any, **more: Any) -> Opening:
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
