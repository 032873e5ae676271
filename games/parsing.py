"""Reading of the commands that all games share, and refusals of what a game does not have."""

from collections.abc import Mapping
from typing import Any, Final

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
from games.game_session import NoSuchEvent
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
