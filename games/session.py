"""A game as it is played at a table: with voids, breaks, handovers and disputes around it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

from games import corrections, disputes
from games.commands import (
    ATTENDANT,
    Approve,
    Arrive,
    AsideCommand,
    CashOut,
    ChangeDice,
    Close,
    Dispute,
    Handover,
    Pause,
    Reject,
    Resolve,
    Resume,
    Void,
    Witness,
)
from games.decider import Decider
from games.game_session import GameSession, add_step, add_table_event, last_step
from games.messages import (
    DiceChanged,
    Disputed,
    Fact,
    HandedOver,
    HandoverOffered,
    Paused,
    Resolved,
    Resumed,
    TableEvent,
    Voided,
    VoidRejected,
    VoidRequested,
    Witnessed,
)
from games.refusals import GameOver, Refused, RoundRunning

__all__ = ["GameSession", "decider_at_table"]

State = TypeVar("State")


def decider_at_table(
    inner: Decider[Any, Any, State], parse: corrections.Parse
) -> Decider[Any, Any, GameSession[State]]:
    """
    The decider of a game at a table: the game's own rules, and voids, breaks, handovers and
    disputes, which those rules do not see.

    :param parse: of the game's ruleset, for commands that a void enters instead (G4).
    """

    def decide(command: Any, state: GameSession[State]) -> tuple[Fact, ...]:
        at_work(command, state)
        if isinstance(command, Void | Approve | Reject):
            event, asked = voiding(command, state), entry_asked_for(command, state)
            return corrections.with_change(event, asked, command, playing, parse, state)
        if not isinstance(command, AsideCommand):
            happened: tuple[Fact, ...] = inner.decide(command, state.inner)
            return happened
        last_step(state)
        if isinstance(command, Witness | Dispute | Resolve):
            return second_eyes(command, state)
        if inner.is_terminal(state.inner):
            raise GameOver(f"{type(command).__name__}: the game is over. G9")
        return (between_throws(command, state),)

    def evolve(state: GameSession[State], event: Fact) -> GameSession[State]:
        match event:
            case Voided():
                return add_table_event(replace(corrections.rewound(state, event), offered=None))
            case TableEvent():
                return add_table_event(with_table_event(state, event))
            case _:
                return replace(
                    state,
                    inner=inner.evolve(state.inner, event),
                    number=state.number + 1,
                    live=add_step(state, event),
                    dice_set=state.dice_set or getattr(event, "dice_set", ""),
                    offered=None,
                )

    playing = Decider(
        initial=GameSession(inner.initial),
        decide=decide,
        evolve=evolve,
        is_terminal=lambda state: inner.is_terminal(state.inner),
    )
    return playing


def voiding(
    command: Void | Approve | Reject, state: GameSession[Any]
) -> Voided | VoidRequested | VoidRejected:
    match command:
        case Void():
            return corrections.void(command, state)
        case Approve():
            return corrections.approve(command, state)
        case Reject():
            return corrections.reject(command, state)


def entry_asked_for(
    command: Void | Approve | Reject, state: GameSession[Any]
) -> Void | VoidRequested | None:
    """What says what is entered in place of the command that is taken back."""
    match command:
        case Void():
            return command
        case Approve():
            return corrections.pending(command.request, state)
        case Reject():
            return None


def between_throws(
    command: Pause | Resume | Handover | ChangeDice, state: GameSession[Any]
) -> Fact:
    match command:
        case Pause():
            return pause(command, state)
        case Resume():
            return resume(command, state)
        case Handover():
            return handover(command, state)
        case ChangeDice():
            return dice_changed(command, state)


def second_eyes(command: Witness | Dispute | Resolve, state: GameSession[Any]) -> tuple[Fact, ...]:
    match command:
        case Witness():
            return (disputes.witness(command, state),)
        case Dispute():
            return (disputes.raise_dispute(command, state),)
        case Resolve():
            return disputes.resolve(command, state)


def with_table_event(state: GameSession[State], event: TableEvent) -> GameSession[State]:
    """The session after a table event, which never changes the play."""
    change = CHANGES.get(type(event))
    return replace(state, **change(state, event)) if change is not None else state


CHANGES: Final[Mapping[type[TableEvent], Callable[[GameSession[Any], Any], dict[str, Any]]]] = {
    VoidRequested: lambda state, requested: {"requests": (*state.requests, requested)},
    VoidRejected: lambda state, event: {"requests": corrections.others(state, event.request)},
    Paused: lambda _state, _event: {"paused": True},
    Resumed: lambda _state, _event: {"paused": False},
    HandoverOffered: lambda state, offer: {"offered": (state.number + 1, offer)},
    HandedOver: lambda _state, _event: {"offered": None},
    DiceChanged: lambda _state, event: {"dice_set": event.dice_set},
    Witnessed: lambda state, seen: {"witnessed": state.witnessed | {(seen.cause, seen.seq)}},
    Disputed: lambda state, dispute: {"disputes": (*state.disputes, dispute)},
    Resolved: lambda state, event: {"disputes": disputes.others(state, event.dispute)},
}


# Breaks, handovers of the table (B3) and changes of dice: what people do between throws.


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
