"""The state of a game at its table: the play, what stands beside it, the steps to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from games.payments import RESERVED, Payment
from games.refusals import NoGame, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.messages import Disputed, Fact, HandoverOffered, VoidRequested

State = TypeVar("State")


class NoSuchEvent(Refused):
    code = "no_such_event"


class AlreadyCancelled(Refused):
    code = "already_cancelled"


class VoidNotVoided(Refused):
    code = "void_not_voided"


@dataclass(frozen=True, slots=True)
class Live(Generic[State]):
    """
    An event that still counts, and the state before it.

    round: the round that it belongs to; ended: how many rounds have ended so far, this event
    included.
    thrown: whether a throw of the round that now runs has been recorded.
    """

    before: State
    first: int  # the first event of the command it came with
    alone_from: int  # from here on the attendant may void alone
    paid: int  # the last event so far that moved money
    cashed: int  # the last event so far with which money left the table
    round: int
    ended: int
    thrown: bool
    throw: bool
    of_dice: bool  # a throw, or a decision about dice that lie on the table
    payments: tuple[Payment, ...]
    won: int  # the last event so far that paid a player


@dataclass(frozen=True, slots=True)
class GameSession(Generic[State]):
    """
    The state of a game at its table.

    :param number: the number of the last event, cancelled ones and table events included.
    :param inner: the game's own state.
    :param table_events: voids and table events, which are never voided themselves.
    :param dice_set: the dice set that lies on the table now; empty if nobody has named one.
    :param offered: the open offer of the table to another attendant, with its event's number (B3).
    :param witnessed: the payouts that a second person saw, as event and payment (A7).
    :param disputes: the open disputes (C3).
    """

    inner: State
    number: int = 0
    live: Step[Live[State]] | None = None
    table_events: Step[None] | None = None
    requests: tuple[VoidRequested, ...] = ()
    paused: bool = False
    dice_set: str = ""
    offered: tuple[int, HandoverOffered] | None = None
    witnessed: frozenset[tuple[int, int]] = frozenset()
    disputes: tuple[Disputed, ...] = ()

    @property
    def round(self) -> int:
        """The number of the running round, or of the next one."""
        return 1 + (self.live.value.ended if self.live is not None else 0)

    @property
    def throwing(self) -> bool:
        """Whether the running round's first throw has been recorded (G1)."""
        return self.live is not None and self.live.value.thrown


def last_step(state: GameSession[Any]) -> Step[Live[Any]]:
    """
    The last event that counts.

    :raises NoGame: if there is none.
    """
    if state.live is None:
        raise NoGame("No game is open: it begins with open.")
    return state.live


def find_live(number: int, state: GameSession[Any]) -> Live[Any]:
    """
    The event of that number, if it counts.

    :raises NoSuchEvent: if the game has no event of that number.
    :raises VoidNotVoided: if it is a void or a table event.
    :raises AlreadyCancelled: if a void cancelled it.
    """
    if not 1 <= number <= state.number:
        raise NoSuchEvent(f"There is no event {number}: the last is {state.number}. G4")
    if (step := find_step(state.live, number)) is not None:
        return step.value
    if find_step(state.table_events, number) is not None:
        raise VoidNotVoided(
            f"Event {number} belongs to a void or stands beside the play; such are not voided. G4"
        )
    raise AlreadyCancelled(f"Event {number} is cancelled already. G4")


def backwards(state: GameSession[Any]) -> Iterator[Step[Live[Any]]]:
    """The events that count, newest first."""
    step = state.live
    while step is not None:
        yield step
        step = step.before


def add_table_event(state: GameSession[State]) -> GameSession[State]:
    """The session with one more event beside the play."""
    number = state.number + 1
    return replace(
        state, number=number, table_events=extend_trail(state.table_events, number, None)
    )


def add_step(state: GameSession[State], event: Fact) -> Step[Live[State]]:
    """One more event of the play, as the newest step of those that count."""
    number = state.number + 1
    last = state.live.value if state.live is not None else None
    ended, thrown, paid, cashed, won = (
        (last.ended, last.thrown, last.paid, last.cashed, last.won)
        if last is not None
        else (0, False, number, 0, 0)
    )
    value = Live(
        before=state.inner,
        first=last.first if last is not None and event.consequence else number,
        alone_from=_alone_from(number, event, last),
        paid=number if event.payments else paid,
        cashed=number if event.is_cash else cashed,
        round=getattr(event, "round", None) or ended + 1,
        ended=ended + event.ends_round,
        thrown=(thrown or event.is_throw) and not event.ends_round,
        throw=event.is_throw,
        of_dice=event.is_throw or event.is_decision,
        payments=event.payments,
        won=number if any(map(to_a_player, event.payments)) else won,
    )
    return extend_trail(state.live, number, value)


def _alone_from(number: int, event: Fact, last: Live[Any] | None) -> int:
    if last is None or event.ends_round or event.buy_ins:  # money that is brought is booked at once
        return number + 1
    return number if event.is_throw else last.alone_from


def to_a_player(payment: Payment) -> bool:
    return payment.payee not in RESERVED and payment.amount > 0


# Numbered steps, newest first, which many states can share and search quickly.
# Each step knows the one before it and one further back (Myers' skew-binary jump pointers), so that
# adding a step copies nothing and finding one among a hundred thousand takes a few dozen
# comparisons.


Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, eq=False)
class Step(Generic[Value]):
    number: int
    value: Value
    before: Step[Value] | None
    jump: Step[Value] | None  # None: it would jump to before the first step
    depth: int = 1


def extend_trail(last: Step[Value] | None, number: int, value: Value) -> Step[Value]:
    if last is None:
        return Step(number, value, None, None)
    jump = last.jump
    further = jump.jump if jump is not None else None
    even = last.depth - _depth(jump) == _depth(jump) - _depth(further) and jump is not None
    return Step(number, value, last, further if even else last, last.depth + 1)


def _depth(step: Step[Value] | None) -> int:
    return 0 if step is None else step.depth


def find_step(last: Step[Value] | None, number: int, *, near: bool = False) -> Step[Value] | None:
    """The step of that number, if there is one; with `near`, the last step up to that number."""
    step = last
    while step is not None and step.number > number:
        far = step.jump
        step = far if far is not None and far.number >= number else step.before
    return step if step is None or near or step.number == number else None
