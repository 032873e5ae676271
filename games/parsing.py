"""Commands that read the same in every game, and how a game says that it has no such thing."""

from collections.abc import Mapping
from typing import Any, Final

from games.messages import Approve, CashOut, Close, Leave, NoThrow, Reject, Void
from games.refusals import NotInThisGame, NotYetHere

CONTEXT: Final = ("command_id", "occurred_at")  # whoever plays the commands looks after these
LATER: Final = frozenset({"change_dice", "pause", "resume", "handover", "witness", "dispute"})

SharedCommand = Void | Approve | Reject | NoThrow | Leave | CashOut | Close
Fields = Mapping[str, Any]


def shared(do: str, fields: Fields, *, game: str) -> SharedCommand:
    """
    :raises NotYetHere: for what no game of the house takes so far.
    :raises NotInThisGame: for what belongs to other games.
    """
    own = {name: value for name, value in fields.items() if name not in CONTEXT}
    match do:
        case "void":
            return Void(**own)
        case "approve":
            return Approve(**own)
        case "reject":
            return Reject(**own)
        case "no_throw":
            return NoThrow(**own)
        case "leave":
            return Leave(**own)
        case "cash_out":
            return CashOut(**own)
        case "close":
            return Close(**own)
        case _ if do in LATER:
            raise NotYetHere(f"do: {do} is not taken here yet.")
        case _:
            raise NotInThisGame(f"do: {do} does not belong to {game}.")


def only(fields: Fields, *names: str, do: str, game: str) -> dict[str, Any]:
    """The fields a game knows of a command. :raises NotInThisGame: if there are others."""
    for name in fields:
        if name not in (*names, *CONTEXT):
            raise NotInThisGame(f"{name}: {do} has no such field in {game}.")
    return {name: value for name, value in fields.items() if name in names}
