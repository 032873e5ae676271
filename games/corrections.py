"""
Voids and corrections (G4): a game goes back to the state before an event, and what was
entered after it is entered again; one void, one approval, nothing half done.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from games import vocabulary
from games.commands import Approve, BringMoney, Reject, Void, situate
from games.decider import Decider
from games.game_session import GameSession, find_live, find_step
from games.messages import Fact, Voided, VoidRejected, VoidRequested, live
from games.parsing import CONTEXT
from games.refusals import NoGame, Refused
from games.wire import snake
from games.wire import write as as_json

State = TypeVar("State")
Parse = Callable[[str, Mapping[str, Any]], Any]


class CorrectionUnfit(Refused):
    code = "correction_unfit"


def later(
    history: Iterable[tuple[int, Fact]],
    command_of: Callable[[Fact], Any],
    back_to: int,
    *,
    before: bool = False,
) -> tuple[Any, ...]:
    """
    The commands of play that were entered after the one that event `back_to` came with; with
    `before`, that one is the first of them.

    None stands for one that people did not enter, such as coins that arrived from outside.
    """
    standing = [(number, fact) for number, fact in live(history) if not fact.consequence]
    first = max((number for number, _fact in standing if number <= back_to), default=back_to)
    start = first if before else first + 1
    return tuple(command_of(fact) for number, fact in standing if number >= start)


def command_in_full(command: Any) -> dict[str, Any] | None:
    """A command of play as a void would enter it instead, in full; None if no void can."""
    do = "buy_in" if isinstance(command, BringMoney) else snake(type(command).__name__)
    if do not in vocabulary.CORRECTED or not is_dataclass(command):
        return None
    own = {each.name: getattr(command, each.name) for each in fields(command)}
    said = {name: value for name, value in own.items() if name != "at" and value is not None}
    return {"do": do, **{name: as_json(value) for name, value in said.items()}}


def ask_again(
    asked: Void | Approve,
    state: GameSession[Any],
    history: Iterable[tuple[int, Fact]],
    command_of: Callable[[Fact], Any],
) -> tuple[Any, ...]:
    """`later` for a void, or for the request that is approved."""
    pending: Void | VoidRequested | None = None
    if isinstance(asked, Void):
        pending = asked
    else:
        for each in state.requests:
            if each.request == asked.request:
                pending = each
    if pending is None or pending.instead is None:
        return ()
    return later(history, command_of, pending.back_to, before=pending.before)


def read(raw: Mapping[str, Any], parse: Parse) -> Any:
    """The command that is written in a void. :raises Refused: if the game has no such command."""
    own = vocabulary.read(raw)
    return parse(raw["do"], {name: own[name] for name in own if name not in CONTEXT})


def with_change(  # noqa: PLR0913, PLR0917 - the void, what is entered instead, and by which rules
    event: Voided | VoidRequested | VoidRejected,
    asked: Void | VoidRequested | None,
    command: Void | Approve | Reject,
    playing: Decider[Any, Fact, State],
    parse: Parse,
    state: State,
) -> tuple[Fact, ...]:
    """
    The answer to a void, and what follows from the command that is entered instead.

    A request is only made if the change can be made; what follows then comes with its approval.

    :param asked: what says what is entered instead; None: the answer is a rejection.
    :raises Refused: as `enter`.
    """
    if (
        asked is None
        or asked.instead is None
        or isinstance(event, VoidRejected)
        or isinstance(command, Reject)
    ):
        return (event,)
    back = event if isinstance(event, Voided) else Voided(event.back_to, "", event.asked_by)
    commands = (read(asked.instead, parse), *(() if asked.only else command.again))
    facts = enter(commands, playing, playing.evolve(state, back), command.at)
    return (event, *facts) if isinstance(event, Voided) else (event,)


def enter(
    commands: Iterable[Any],
    decider: Decider[Any, Fact, State],
    state: State,
    at: int | None,
) -> tuple[Fact, ...]:
    """
    What follows from commands that are entered one after the other.

    :param commands: the changed one first. :param at: when they are entered, in seconds since 1970.
    :raises Refused: if the changed one is refused.
    :raises CorrectionUnfit: if a later one is: then the change cannot be made in place.
    """
    happened: tuple[Fact, ...] = ()
    for command in commands:
        if command is None:
            raise CorrectionUnfit("Coins have come to the table since then: void back to it. G4")
        try:
            facts = decider.decide(situate(command, at=at), state)
        except Refused as refused:
            if not happened:
                raise
            raise CorrectionUnfit(
                f"With that change, what was entered after it cannot have been: {refused}"
            ) from None
        happened, state = (*happened, *facts), decider.fold(facts, state)
    return happened


# Voids: a game goes back to the state before an event, alone or with a second person (G4).


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
    step = (
        state.live if booked_through is None else find_step(state.live, booked_through, near=True)
    )
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
    step = find_step(state.live, first)
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
    step = find_step(state.live, event.back_to)
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
