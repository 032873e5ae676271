"""Voids: a game goes back to the state before an event, alone or with a second person (G4)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

from games.commands import Approve, Reject, Void
from games.game_session import GameSession, find_live
from games.messages import Voided, VoidRejected, VoidRequested
from games.refusals import NoGame, Refused
from games.trail import find

State = TypeVar("State")


class OpeningNotVoided(Refused):
    code = "opening_not_voided"


class BeyondReversal(Refused):
    code = "beyond_reversal"


class NoSuchRequest(Refused):
    code = "no_such_request"


class AlreadyRequested(Refused):
    code = "already_requested"


class OwnRequest(Refused):
    code = "own_request"


class NobodyNamed(Refused):
    code = "nobody_named"


class RequestGrown(Refused):
    code = "request_grown"


class UndoTooLate(Refused):
    code = "undo_too_late"


def void(command: Void, state: GameSession[Any]) -> Voided | VoidRequested:
    """
    Void back to an event (G4), or request it. The attendant alone may void the last throw of the
    running round, and for some seconds the last throw whatever came of it; anything else takes a
    second person.

    :raises UndoTooLate: if it takes one, and the command says that nobody is to be asked.
    """
    target = reversible(command.back_to, state, command.irreversible_through)
    undo = False
    if command.approved_by is not None:
        second(command.approved_by, command.asked_by)
    elif not in_running_round(target, state, command.booked_through):
        undo = command.in_time and target == undoable(state)
        if not undo and command.alone:
            raise UndoTooLate(
                f"Event {target} can be undone alone no longer: ask a second person to void it. G4"
            )
        if not undo:
            return request_void(command, target, state)
    return Voided(
        target,
        command.reason,
        command.asked_by,
        command.approved_by,
        undo=undo,
        corrected=command.instead is not None,
    )


def request_void(command: Void, target: int, state: GameSession[Any]) -> VoidRequested:
    for request in state.requests:
        if request.back_to == target:
            raise AlreadyRequested(
                f"Request {request.request} already asks to void back to event {target};"
                " it waits for approval. G4"
            )
    return VoidRequested(
        state.number + 1,
        target,
        command.reason,
        command.asked_by,
        holds=True,
        instead=command.instead,
        only=command.only,
        before=command.before,
    )


def approve(command: Approve, state: GameSession[Any]) -> Voided:
    """
    Approve a request for a void. The person who asked may only do so if the house says that there
    is nobody else (D1b).
    """
    request = pending(command.request, state)
    by_asker = command.alone and command.approved_by == request.asked_by
    if not by_asker:
        second(command.approved_by, request.asked_by)
    target = reversible(request.back_to, state, command.irreversible_through)
    check_seen(command.through, request, state)
    return Voided(
        target,
        request.reason,
        request.asked_by,
        None if by_asker else command.approved_by,
        request=request.request,
        alone=by_asker,
        corrected=request.instead is not None,
    )


def check_seen(through: int | None, request: VoidRequested, state: GameSession[Any]) -> None:
    """:raises RequestGrown: if events would go back that whoever approves has not seen."""
    last = state.number if state.live is None else state.live.number
    if through is not None and last > through:
        raise RequestGrown(
            f"Request {request.request} would now take back all events from {request.back_to} to"
            f" {last}: look at them, and approve with through {last}. G4"
        )


def reject(command: Reject, state: GameSession[Any]) -> VoidRejected:
    request = pending(command.request, state)
    return VoidRejected(request.request, command.rejected_by, command.reason)


def pending(number: int, state: GameSession[Any]) -> VoidRequested:
    for request in state.requests:
        if request.request == number:
            return request
    raise NoSuchRequest(f"No request {number} is waiting for approval. G4")


def second(approver: str, asker: str) -> None:
    """Check that somebody other than the person who asked approves (G4)."""
    if not approver.strip():
        raise NobodyNamed("approved_by is empty: name who approves. G4")
    if approver == asker:
        raise OwnRequest(f"{approver} asked for this void; a second person approves it. G4")


def reversible(number: int, state: GameSession[Any], irreversible_through: int) -> int:
    """The first event of the command that event `number` came with, if it may still be voided."""
    if state.live is None:
        raise NoGame("There is no game yet: nothing to void. G4")
    target = find_live(number, state).first
    if target == 1:
        raise OpeningNotVoided("Event 1 opened the game and cannot be voided: close it. G4, G9")
    barrier = max(state.live.value.cashed, irreversible_through)
    if target <= barrier:
        raise BeyondReversal(
            f"A void back to event {target} would cross event {barrier}, which cannot be undone;"
            " that takes an approved adjustment. G4"
        )
    return target


def alone(
    target: int, state: GameSession[Any], booked_through: int | None, *, in_time: bool
) -> bool:
    """Whether the attendant may void back to `target` without a second person."""
    if in_running_round(target, state, booked_through):
        return True
    return in_time and target == undoable(state)


def in_running_round(target: int, state: GameSession[Any], booked_through: int | None) -> bool:
    """Whether `target` is the running round's last throw or came later, and no money is booked."""
    if state.live is None or target < state.live.value.alone_from:
        return False
    step = state.live if booked_through is None else find(state.live, booked_through, near=True)
    return step is None or step.value.paid < target


def undoable(state: GameSession[Any]) -> int | None:
    """
    The first event of the last command of play, if that was a throw or decided about one.

    For some seconds the attendant alone may undo it even if it ended its round, began the next one
    with antes or a fee, or was booked; except what a second person has signed as a witness (A7) or
    has yet to decide (C3).
    """
    if state.live is None:
        return None
    first = state.live.value.first
    step = find(state.live, first)
    if step is None or not step.value.of_dice:
        return None
    witnessed = any(cause >= first for cause, _seq in state.witnessed)
    disputed = any(
        step.value.round == each.round if each.cause is None else each.cause >= first
        for each in state.disputes
    )
    return None if witnessed or disputed else first


def alone_events(
    state: GameSession[Any], booked_through: int | None, *, in_time: bool
) -> Iterator[int]:
    """First events of commands that the attendant may void alone, newest first."""
    step = state.live
    if step is not None and not in_running_round(step.value.first, state, booked_through):
        undo = undoable(state)
        if in_time and undo is not None:
            yield undo
        return
    while step is not None and in_running_round(step.number, state, booked_through):
        if step.value.first == step.number:
            yield step.number
        step = step.before


def rewound(state: GameSession[State], event: Voided) -> GameSession[State]:
    step = find(state.live, event.back_to)
    if step is None:
        return state  # recorded long ago under other rules: the event does not count any more
    return replace(
        state,
        inner=step.value.before,
        live=step.before,
        requests=tuple(each for each in state.requests if each.back_to < event.back_to),
    )


def others(state: GameSession[Any], request: int) -> tuple[VoidRequested, ...]:
    return tuple(each for each in state.requests if each.request != request)
