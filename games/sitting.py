"""A game that can be rewound: voids by going back to the state before an event (G4)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from games.decider import Decider
from games.messages import (
    Approve,
    Fact,
    Reject,
    Void,
    Voided,
    VoidRejected,
    VoidRequested,
)
from games.refusals import NoGame, Refused
from games.trail import Step, extended, found

State = TypeVar("State")


class NoSuchEvent(Refused):
    code = "no_such_event"


class AlreadyCancelled(Refused):
    code = "already_cancelled"


class VoidNotVoided(Refused):
    code = "void_not_voided"


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


@dataclass(frozen=True, slots=True)
class Live(Generic[State]):
    """An event that still stands, and what was before it."""

    before: State
    first: int  # the first event of the command it came with
    alone_from: int  # from here on the attendant may void alone
    paid: int  # the last event so far that moved money
    cashed: int  # the last event so far with which money left the table


@dataclass(frozen=True, slots=True)
class Sitting(Generic[State]):
    """
    :param number: of the last event, cancelled ones and voids included.
    :param inner: the game's own state.
    """

    inner: State
    number: int = 0
    live: Step[Live[State]] | None = None
    asides: Step[None] | None = None  # voids, requests and rejections: never voided themselves
    requests: tuple[VoidRequested, ...] = ()


def seated(inner: Decider[Any, Any, State]) -> Decider[Any, Any, Sitting[State]]:
    """The game with voids around it."""

    def decide(command: Any, state: Sitting[State]) -> tuple[Fact, ...]:
        match command:
            case Void():
                return (void(command, state),)
            case Approve():
                return (approved(command, state),)
            case Reject():
                return (rejected(command, state),)
            case _:
                happened: tuple[Fact, ...] = inner.decide(command, state.inner)
                return happened

    def evolve(state: Sitting[State], event: Fact) -> Sitting[State]:
        match event:
            case Voided():
                return noted(rewound(state, event))
            case VoidRequested():
                return noted(replace(state, requests=(*state.requests, event)))
            case VoidRejected():
                return noted(without(state, event.request))
            case _:
                after = inner.evolve(state.inner, event)
                return Sitting(
                    inner=after,
                    number=state.number + 1,
                    live=lived(state, event),
                    asides=state.asides,
                    requests=state.requests,
                )

    return Decider(
        initial=Sitting(inner.initial),
        decide=decide,
        evolve=evolve,
        is_terminal=lambda state: inner.is_terminal(state.inner),
    )


def void(command: Void, state: Sitting[Any]) -> Fact:
    """G4: the last throw of the running round alone; further back, or booked, with a second."""
    target = reversible(command.back_to, state, command.irreversible_through)
    if command.approved_by is not None:
        second(command.approved_by, command.asked_by)
    elif not alone(target, state, command.booked_through):
        return requested(command, target, state)
    return Voided(target, command.reason, command.asked_by, command.approved_by)


def requested(command: Void, target: int, state: Sitting[Any]) -> VoidRequested:
    for request in state.requests:
        if request.back_to == target:
            raise AlreadyRequested(
                f"Request {request.request} already asks to void back to event {target};"
                " it waits for approval. G4"
            )
    return VoidRequested(state.number + 1, target, command.reason, command.asked_by)


def approved(command: Approve, state: Sitting[Any]) -> Voided:
    request = pending(command.request, state)
    second(command.approved_by, request.asked_by)
    target = reversible(request.back_to, state, command.irreversible_through)
    return Voided(
        target, request.reason, request.asked_by, command.approved_by, request=request.request
    )


def rejected(command: Reject, state: Sitting[Any]) -> VoidRejected:
    request = pending(command.request, state)
    return VoidRejected(request.request, command.rejected_by, command.reason)


def pending(number: int, state: Sitting[Any]) -> VoidRequested:
    for request in state.requests:
        if request.request == number:
            return request
    raise NoSuchRequest(f"No request {number} is waiting for approval. G4")


def second(approver: str, asker: str) -> None:
    """G4: four eyes. Never the one who asked."""
    if not approver.strip():
        raise NobodyNamed("approved_by is empty: name who approves. G4")
    if approver == asker:
        raise OwnRequest(f"{approver} asked for this void; a second person approves it. G4")


def reversible(number: int, state: Sitting[Any], irreversible_through: int) -> int:
    """The first event of the command that event `number` came with, if it may still be voided."""
    if state.live is None:
        raise NoGame("There is no game yet: nothing to void. G4")
    target = standing(number, state).first
    if target == 1:
        raise OpeningNotVoided("Event 1 opened the game and cannot be voided: close it. G4, G9")
    barrier = max(state.live.value.cashed, irreversible_through)
    if target <= barrier:
        raise BeyondReversal(
            f"A void back to event {target} would cross event {barrier}, which cannot be undone;"
            " that takes an approved adjustment. G4"
        )
    return target


def standing(number: int, state: Sitting[Any]) -> Live[Any]:
    if not 1 <= number <= state.number:
        raise NoSuchEvent(f"There is no event {number}: the last is {state.number}. G4")
    if (step := found(state.live, number)) is not None:
        return step.value
    if found(state.asides, number) is not None:
        raise VoidNotVoided(f"Event {number} belongs to a void; a void is not voided. G4")
    raise AlreadyCancelled(f"Event {number} is cancelled already. G4")


def alone(target: int, state: Sitting[Any], booked_through: int | None) -> bool:
    """May the attendant void back to `target` without a second person?"""
    if state.live is None or target < state.live.value.alone_from:
        return False
    step = state.live if booked_through is None else found(state.live, booked_through, near=True)
    return step is None or step.value.paid < target


def alone_events(state: Sitting[Any], booked_through: int | None) -> Iterator[int]:
    """First events of commands that the attendant may void alone, newest first."""
    step = state.live
    while step is not None and alone(step.number, state, booked_through):
        if step.value.first == step.number:
            yield step.number
        step = step.before


def rewound(state: Sitting[State], event: Voided) -> Sitting[State]:
    step = found(state.live, event.back_to)
    if step is None:
        return state  # recorded long ago by other rules: nothing of it still stands
    return replace(
        state,
        inner=step.value.before,
        live=step.before,
        requests=tuple(each for each in state.requests if each.back_to < event.back_to),
    )


def without(state: Sitting[State], request: int) -> Sitting[State]:
    left = tuple(each for each in state.requests if each.request != request)
    return replace(state, requests=left)


def noted(state: Sitting[State]) -> Sitting[State]:
    number = state.number + 1
    return replace(state, number=number, asides=extended(state.asides, number, None))


def lived(state: Sitting[State], event: Fact) -> Step[Live[State]]:
    number = state.number + 1
    last = state.live.value if state.live is not None else None
    value = Live(
        before=state.inner,
        first=last.first if last is not None and event.consequence else number,
        alone_from=_alone_from(number, event, last),
        paid=number if event.payments or last is None else last.paid,
        cashed=number if event.is_cash else last.cashed if last is not None else 0,
    )
    return extended(state.live, number, value)


def _alone_from(number: int, event: Fact, last: Live[Any] | None) -> int:
    if last is None or event.ends_round or event.buy_ins:  # what is brought is booked at once
        return number + 1
    return number if event.is_throw else last.alone_from
