"""
Corrections: a command is taken back, the same one is entered with a change, and what was entered
after it, again; one void, one approval, nothing half done (G4).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from games import vocabulary
from games.commands import Approve, BringMoney, Reject, Void, situate
from games.decider import Decider
from games.game_session import GameSession
from games.history import live
from games.messages import Fact, Voided, VoidRejected, VoidRequested
from games.parsing import CONTEXT
from games.refusals import Refused
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
