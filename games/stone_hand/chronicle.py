"""The story of a game, round by round, from the events that stand."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from games.game import Outcome
from games.history import Numbered
from games.messages import Fact
from games.payments import POT, Payment, balance
from games.stone_hand.messages import (
    DiceThrown,
    GameEnded,
    RoundLost,
    RoundRestarted,
    RoundVoided,
    TieCalled,
)

Throws = list[tuple[int, DiceThrown]]


@dataclass(slots=True)
class RoundStory:
    """
    :param held: the throws that stand, of each player the last; a restart clears them.
    :param tie: the throws of the last tie, if there was one.
    """

    number: int
    events: list[Numbered] = field(default_factory=list)
    held: dict[str, tuple[int, DiceThrown]] = field(default_factory=dict)
    latest: tuple[int, DiceThrown] | None = None
    tie: Throws = field(default_factory=list)
    tied: tuple[str, ...] = ()
    end: RoundLost | RoundVoided | None = None
    carried: int = 0

    @property
    def last(self) -> int:
        """The number of the last event that it tells of."""
        return self.events[-1][0]

    def take(self, number: int, event: Fact) -> None:
        self.events.append((number, event))
        match event:
            case DiceThrown():
                self.latest = (number, event)
                if self.tied:
                    self.tie.append(self.latest)
                else:
                    self.held[event.player] = self.latest
            case RoundRestarted():
                self.held = {}
            case TieCalled(players=players):
                self.tied, self.tie = players, []
            case RoundLost() | RoundVoided():
                self.end = event

    def throws(self) -> Throws:
        """What the verdict rests on: a triad alone, else every throw that stands."""
        if self.latest is not None and self.latest[1].hand == "triad":
            return [self.latest]
        counted = [each for each in self.tie if each[1].hand != "empty"]
        return [*self.held.values(), *counted]

    def payments(self) -> Iterator[tuple[Payment, Fact]]:
        for _, event in self.events:
            for payment in event.payments:
                yield payment, event


@dataclass(frozen=True, slots=True)
class Chronicle:
    """The ended rounds in order, and what has happened since."""

    ended: list[RoundStory]
    running: RoundStory


def chronicle_of(events: Iterable[Numbered]) -> Chronicle:
    """What the end of the game pays belongs to the last of the ended rounds."""
    ended: list[RoundStory] = []
    running, pot = RoundStory(1), 0
    for number, event in events:
        pot += balance(POT, event.payments)
        if isinstance(event, GameEnded):
            last = ended[-1]
            last.take(number, event)
            last.carried = pot
            continue
        running.take(number, event)
        if running.end is not None:
            running.carried = pot
            ended.append(running)
            running = RoundStory(running.number + 1)
    return Chronicle(ended, running)


def outcome(end: Fact) -> Outcome:
    return Outcome(
        winners=tuple(player for player, _ in end.points),
        losers=(end.loser,) if isinstance(end, RoundLost) else (),
        void=isinstance(end, RoundVoided),
    )
