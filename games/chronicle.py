"""The story of a game, round by round, from the events that count: what all games share of it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from games.history import Numbered
from games.messages import Fact
from games.payments import POT, Payment, balance


@dataclass(slots=True)
class Round:
    """
    A round in the story of a game.

    :param end: the event that ended the round; None while it runs.
    :param carried: the coins in the pot at the end of the round.
    :param last: the number of the last event that belongs to the round.
    :param options: the house options of the game.
    """

    number: int
    events: list[Numbered] = field(default_factory=list)
    end: Any = None
    carried: int = 0
    last: int = 0
    options: Any = None

    def take(self, number: int, event: Fact) -> None:
        self.last = number
        self.events.append((number, event))
        if event.ends_round:
            self.end = event
        self.note(number, event)

    def note(self, number: int, event: Fact) -> None:
        """Keep what the story of a game needs of an event; a game's own story overrides this."""

    def payments(self) -> Iterator[tuple[Payment, Fact]]:
        for _, event in self.events:
            for payment in event.payments:
                yield payment, event


Story = TypeVar("Story", bound=Round)


@dataclass(frozen=True, slots=True)
class Chronicle(Generic[Story]):
    """The rounds that have ended, in order, and the running one."""

    ended: list[Story]
    running: Story


def chronicle_of(events: Iterable[Numbered], begun: Callable[[int], Story]) -> Chronicle[Story]:
    """
    The story of a game from its events. What the end of the game pays belongs to the last ended
    round.

    :param begun: makes a round from its number, before anything has happened in it.
    """
    ended: list[Story] = []
    running, pot, options = begun(1), 0, None
    for number, event in events:
        options = getattr(event, "options", options)
        running.options = options
        pot += balance(POT, event.payments)
        if event.ends_game and ended:
            last = ended[-1]
            last.take(number, event)
            last.carried = pot
            continue
        running.take(number, event)
        if running.end is not None:
            running.carried = pot
            ended.append(running)
            running = begun(running.number + 1)
    return Chronicle(ended, running)
