"""Breaks, handovers of the table (B3) and changes of dice: what people do between throws."""

from typing import Any, Final

from games.commands import (
    ATTENDANT,
    Approve,
    Arrive,
    AsideCommand,
    CashOut,
    ChangeDice,
    Close,
    Handover,
    Pause,
    Reject,
    Resume,
    Void,
)
from games.game_session import GameSession
from games.messages import DiceChanged, HandedOver, HandoverOffered, Paused, Resumed
from games.refusals import Refused, RoundRunning

# Commands that a paused table takes. None of them moves a die; the house's rollover may arrive at
# any time.
TAKEN_IN_A_BREAK: Final = AsideCommand | Void | Approve | Reject | CashOut | Close | Arrive
OFFERED_IN_A_BREAK: Final = frozenset(
    {
        "resume",
        "handover",
        "change_dice",
        "witness",
        "dispute",
        "resolve",
        "void",
        "approve",
        "reject",
        "cash_out",
        "close",
    }
)


class TablePaused(Refused):
    code = "paused"


class NotPaused(Refused):
    code = "not_paused"


class NothingOffered(Refused):
    code = "nothing_offered"


class AlreadyOffered(Refused):
    code = "already_offered"


class SameDice(Refused):
    code = "same_dice"


def at_work(command: object, state: GameSession[Any]) -> None:
    """:raises TablePaused: if the command has to wait for the end of the break."""
    if state.paused and not isinstance(command, TAKEN_IN_A_BREAK):
        raise TablePaused(f"{type(command).__name__}: the table is paused; resume first.")


def pause(command: Pause, state: GameSession[Any]) -> Paused:
    if state.paused:
        raise TablePaused("pause: the table is paused already; resume first.")
    return Paused(command.note, command.by)


def resume(command: Resume, state: GameSession[Any]) -> Resumed:
    if not state.paused:
        raise NotPaused("resume: the table is not paused.")
    return Resumed(command.by)


def handover(command: Handover, state: GameSession[Any]) -> HandoverOffered | HandedOver:
    """
    Hand the table over (B3): the outgoing attendant names the incoming one, who then names
    themselves, provided that nothing has happened in between.
    """
    if state.offered is None:
        return offer_handover(command, state)
    number, offer = state.offered
    if command.to == offer.to and command.by in {None, offer.to}:
        return HandedOver(offer.by, offer.to, offer.version, offer.round, offered=number)
    if command.by == offer.by and command.to != offer.to:
        return offer_handover(
            command, state
        )  # the outgoing attendant names somebody else after all
    raise AlreadyOffered(
        "to: the table is offered to somebody already, who signs for it with a handover of their"
        " own, to themselves. B3"
    )


def offer_handover(command: Handover, state: GameSession[Any]) -> HandoverOffered:
    if command.to == command.by:
        raise NothingOffered("to: nobody offered you this table as it stands now. B3")
    by = ATTENDANT if command.by is None else command.by
    return HandoverOffered(by, command.to, state.number, state.round)


def dice_changed(command: ChangeDice, state: GameSession[Any]) -> DiceChanged:
    """Change the dice (F1), between rounds only: a round is thrown with one set of dice."""
    if state.throwing:
        raise RoundRunning(
            f"dice_set: round {state.round} is running; dice are changed between rounds. G1"
        )
    if command.dice_set.strip() in {"", state.dice_set}:
        raise SameDice(f"dice_set: {command.dice_set!r} lies on the table already: name another.")
    return DiceChanged(command.dice_set, state.dice_set, command.reason, command.by)
