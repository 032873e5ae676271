"""A game as it is played at a table: with voids, breaks, handovers and disputes around it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

from games import breaks, corrections, disputes, voids
from games.commands import (
    Approve,
    AsideCommand,
    ChangeDice,
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
from games.refusals import GameOver

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
        breaks.at_work(command, state)
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
                return add_table_event(replace(voids.rewound(state, event), offered=None))
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
            return voids.void(command, state)
        case Approve():
            return voids.approve(command, state)
        case Reject():
            return voids.reject(command, state)


def entry_asked_for(
    command: Void | Approve | Reject, state: GameSession[Any]
) -> Void | VoidRequested | None:
    """What says what is entered in place of the command that is taken back."""
    match command:
        case Void():
            return command
        case Approve():
            return voids.pending(command.request, state)
        case Reject():
            return None


def between_throws(
    command: Pause | Resume | Handover | ChangeDice, state: GameSession[Any]
) -> Fact:
    match command:
        case Pause():
            return breaks.pause(command, state)
        case Resume():
            return breaks.resume(command, state)
        case Handover():
            return breaks.handover(command, state)
        case ChangeDice():
            return breaks.dice_changed(command, state)


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
    VoidRejected: lambda state, event: {"requests": voids.others(state, event.request)},
    Paused: lambda _state, _event: {"paused": True},
    Resumed: lambda _state, _event: {"paused": False},
    HandoverOffered: lambda state, offer: {"offered": (state.number + 1, offer)},
    HandedOver: lambda _state, _event: {"offered": None},
    DiceChanged: lambda _state, event: {"dice_set": event.dice_set},
    Witnessed: lambda state, seen: {"witnessed": state.witnessed | {(seen.cause, seen.seq)}},
    Disputed: lambda state, dispute: {"disputes": (*state.disputes, dispute)},
    Resolved: lambda state, event: {"disputes": disputes.others(state, event.dispute)},
}
