"""A game as three functions: what may happen, what it means, when it is over."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Generic, TypeVar

Command = TypeVar("Command")
Event = TypeVar("Event")
State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Decider(Generic[Command, Event, State]):
    """`decide` judges and changes nothing; `evolve` changes and judges nothing."""

    initial: State
    decide: Callable[[Command, State], tuple[Event, ...]]
    evolve: Callable[[State, Event], State]
    is_terminal: Callable[[State], bool]

    def fold(self, events: Iterable[Event], state: State | None = None) -> State:
        """The state after `events`, from the beginning or from `state` on."""
        return reduce(self.evolve, events, self.initial if state is None else state)
