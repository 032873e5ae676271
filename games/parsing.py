"""Commands that read the same in every game, and how a game says that it has no such thing."""

from collections.abc import Mapping
from typing import Any, Final

from games.messages import (
    Approve,
    BringMoney,
    CashOut,
    Close,
    Join,
    Leave,
    NoThrow,
    Reject,
    Stand,
    Void,
)
from games.refusals import NotInThisGame, NotYetHere
from games.sitting import NoSuchEvent

CONTEXT: Final = ("command_id", "occurred_at")  # whoever plays the commands looks after these
LATER: Final = frozenset({"change_dice", "pause", "resume", "handover", "witness", "dispute"})

SharedCommand = (
    Void | Approve | Reject | Stand | NoThrow | Join | Leave | BringMoney | CashOut | Close
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
}


def shared(
    do: str, fields: Fields, *, game: str, without: frozenset[str] = frozenset()
) -> SharedCommand:
    """
    :param without: those of the shared commands that the game does not have.
    :raises NoSuchEvent: for a reference that is still a command_id: whoever calls resolves those.
    :raises NotYetHere: for what no game of the house takes so far.
    :raises NotInThisGame: for what belongs to other games.
    """
    if do in SHARED and do not in without:
        own = {name: value for name, value in fields.items() if name not in CONTEXT}
        for name in ("back_to", "request"):
            if isinstance(own.get(name), str):
                raise NoSuchEvent(f"{name}: no command {own[name]} was taken in this game. G4")
        return SHARED[do](**own)
    if do in LATER:
        raise NotYetHere(f"do: {do} is not taken here yet.")
    raise NotInThisGame(f"do: {do} does not belong to {game}.")


def only(fields: Fields, *names: str, do: str, game: str) -> dict[str, Any]:
    """The fields a game knows of a command. :raises NotInThisGame: if there are others."""
    for name in fields:
        if name not in (*names, *CONTEXT):
            raise NotInThisGame(f"{name}: {do} has no such field in {game}.")
    return {name: value for name, value in fields.items() if name in names}
